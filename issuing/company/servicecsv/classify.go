// Package servicecsv classifies services for IBS and CBS as a CSV file says, all of them or none.
//
// The file has a first line of column names: service, and the names of the parts of a
// classification. Its cells are separated by commas, semicolons or tabs.
package servicecsv

import (
	"context"
	"fmt"

	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store"
)

// MaxSize is the most that a file may have, in bytes.
const MaxSize = 16 << 20

// Outcome is the result of a file.
type Outcome struct {
	Changed   int      `json:"changed"`
	Unchanged int      `json:"unchanged"` // services that were classified so already
	Warnings  []string `json:"warnings"`
}

// Classify classifies the services of a file with this name and content. Where a line is wrong
// nothing is changed; the error says so, and names the file and every such line, up to a number.
func Classify(
	ctx context.Context, db *store.Store, by *store.Changes, scope nfse.Scope, classifier company.Classifier,
	name string, content []byte,
) (Outcome, error) {
	lines, err := parse(content)
	if err != nil {
		return Outcome{}, unchanged(name, err)
	}
	ids := make([]string, len(lines))
	for i, line := range lines {
		ids[i] = line.serviceID
	}
	codes, err := db.Catalogues.NationalTaxCodes(ctx, scope, ids)
	if err != nil {
		return Outcome{}, err
	}
	classifications, warnings, err := checkLines(lines, codes, classifier)
	if err != nil {
		return Outcome{}, unchanged(name, err)
	}
	changed, err := by.Catalogues.ClassifyServices(ctx, scope, classifications)
	return Outcome{changed, len(lines) - changed, warnings}, err
}

func unchanged(name string, why error) error {
	return fmt.Errorf("nothing was changed: %s: %w", name, why)
}
