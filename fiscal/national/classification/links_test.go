package classification_test

import (
	"fmt"
	"testing"

	"emissor/fiscal/national/classification"
	"emissor/nfse"
)

// Links are applied by their days, from the day on which the calculator applies them, and only by
// the national system.
func TestUnlinked(t *testing.T) {
	t.Parallel()
	records := []classification.Record{
		{"cNBS": "115021000", "cClassTrib": "000001", "cIndOp": "100301", "dIniVig": "2026-01-01",
			"dFimVig": "2026-12-31"},
		{"cNBS": "115021000", "cClassTrib": "200029", "cIndOp": "100301", "dIniVig": "2026-12-01"},
		{"cNBS": "115021000", "cClassTrib": "200029", "cIndOp": "030101", "dIniVig": "2027-01-01"},
	}
	for i := range 900 {
		records = append(records, classification.Record{"cNBS": fmt.Sprintf("2%08d", i), "cClassTrib": "000001",
			"cIndOp": "100301", "dIniVig": "2026-01-01"})
	}
	links, err := classification.NewEdition(classification.TableLinks, "links", "2026-01-01", records)
	must(t, err)
	editions := classification.NewEditions(links)
	for _, row := range []struct {
		day, nbs, classTrib, indOp string
		unlinked                   bool
	}{
		{"2026-11-02", "115021000", "200029", "100301", false}, // nothing is applied yet
		{"2026-11-03", "115021000", "200029", "100301", true},  // not in force yet
		{"2026-11-03", "115021000", "000001", "100301", false},
		{"2026-12-31", "115021000", "000001", "100301", false},
		{"2026-12-31", "115021000", "200029", "100301", false},
		{"2027-01-01", "115021000", "000001", "100301", true}, // no longer
		{"2026-12-31", "115021000", "200029", "030101", true}, // its line begins later: a pair is not taken apart
		{"2027-01-01", "115021000", "200029", "030101", false},
		{"2027-01-01", "113012000", "000001", "030101", false}, // without a line there is full taxation
		{"2027-01-01", "113012000", "200029", "030101", true},
	} {
		classified := nfse.Classification{NBS: row.nbs, CIndOp: row.indOp, CST: row.classTrib[:3],
			CClassTrib: row.classTrib}
		tables := editions.On(row.day)
		if found := tables.Unlinked(classified); found != row.unlinked {
			t.Errorf("%+v is unlinked: %t", row, found)
		}
		if tables.WithIndOps(classification.TableIndOpSaoPaulo).Unlinked(classified) {
			t.Errorf("%+v is unlinked by the city", row)
		}
		if classification.NewEditions().On(row.day).Unlinked(classified) {
			t.Errorf("%+v is unlinked without the table", row)
		}
	}
}
