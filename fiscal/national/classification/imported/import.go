package imported

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/published"
	"emissor/store"
	"emissor/store/catalogues"
)

// Edition is an edition that was read.
type Edition struct {
	ID        string               `json:"id"` // empty: it is not on record yet
	Table     classification.Table `json:"table"`
	Edition   string               `json:"edition"`
	ValidFrom string               `json:"valid_from"` // day, as 2027-01-01
	Rows      int                  `json:"rows"`
	New       int                  `json:"new"`  // codes that the edition in force before did not list
	Gone      int                  `json:"gone"` // codes that it listed
	GoneCodes []string             `json:"gone_codes"`
	Source    string               `json:"source_name"`
	SHA256    string               `json:"source_sha256"`
}

// Options say how tables are imported.
type Options struct {
	From         string               // the day of competence from which they hold
	Name         string               // of the editions; empty: that of the file
	Only         classification.Table // the only one that is wanted; empty: all
	ReplaceNewer bool                 // also what is older than the editions in force, or lacks codes of them
}

// Import are the editions of files that are imported together, all or none.
type Import struct {
	Editions []Edition // that were read

	options Options
	known   *classification.Editions
	before  classification.Tables // in force on the day
	read    []*classification.Edition
	records []catalogues.ClassificationEdition
}

// New begins an import beside the editions that are known.
func New(known *classification.Editions, options Options) *Import {
	return &Import{options: options, known: known, before: known.On(options.From)}
}

// nameOfFile is what a file is called, without its ending.
func nameOfFile(base string) string {
	return cmp.Or(strings.TrimSuffix(base, filepath.Ext(base)), base)
}

// Read reads the tables of a file that is called so.
func (i *Import) Read(base string, file io.Reader) error {
	parts, content, err := published.Read(file, i.options.Only)
	if err != nil {
		return err
	}
	digest := sha256.Sum256(content)
	for _, part := range parts {
		if err := i.add(part, base, hex.EncodeToString(digest[:])); err != nil {
			return err
		}
	}
	return nil
}

// add adds a table of a file with this name and digest.
func (i *Import) add(part published.Part, base, digest string) error {
	for _, other := range i.read {
		if other.Table == part.Table {
			return fmt.Errorf("the table %s is in another of the files, too", part.Table)
		}
	}
	name, from := cmp.Or(i.options.Name, nameOfFile(base)), i.options.From
	edition, err := classification.NewEdition(part.Table, name, from, part.Records)
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(part.Records)
	if err != nil {
		return err
	}
	shown := Edition{Table: part.Table, Edition: name, ValidFrom: from, Rows: edition.Rows(),
		Source: base, SHA256: digest, GoneCodes: []string{}}
	if before := i.before.Edition(part.Table); before != nil {
		shown.GoneCodes = append(shown.GoneCodes, edition.Lacks(before)...)
		shown.New, shown.Gone = len(before.Lacks(edition)), len(shown.GoneCodes)
	} else {
		shown.New = edition.Rows()
	}
	i.read, i.Editions = append(i.read, edition), append(i.Editions, shown)
	i.records = append(i.records, catalogues.ClassificationEdition{Table: string(part.Table), Name: name,
		ValidFrom: from, SourceName: base, SourceSHA256: digest, Content: encoded})
	return nil
}

// olderEdition refuses an edition in the place of a newer one, and names the codes that
// would be lost.
func olderEdition(edition, before *classification.Edition) error {
	goes := "every code stays, and what the newer one says of them goes"
	if gone := edition.Lacks(before); len(gone) > 0 {
		goes = "gone would be " + GoneWords(gone)
	}
	return fmt.Errorf("the table %s of %q is older than %q, which is in force, or lacks codes of it: %s; "+
		"--replace-newer imports it all the same", edition.Table, edition.Name, before.Name, goes)
}

// Check refuses tables that do not go together, and older ones.
func (i *Import) Check() error {
	for at, edition := range i.read {
		before := i.before.Edition(edition.Table)
		if before != nil && !i.options.ReplaceNewer &&
			edition.IsOlder(before, nameOfFile(i.records[at].SourceName)) {
			return olderEdition(edition, before)
		}
	}
	tables := i.known.With(i.read...).On(i.options.From)
	for _, row := range tables.ClassTribs() {
		if _, ok := tables.CST(row.Code[:3]); !ok {
			return fmt.Errorf("the table %s lists %s, whose CST the table %s does not list: import both together",
				classification.TableClassTrib, row.Code, classification.TableCST)
		}
	}
	return nil
}

// Record puts what was read and checked on record.
func (i *Import) Record(ctx context.Context, by *store.Changes) error {
	return by.Catalogues.ImportClassification(ctx, i.records)
}

// mostGoneCodes are how many codes of a table are named, of those that an import takes away.
const mostGoneCodes = 20

// GoneWords names the codes that an import takes away, and how many more there are.
func GoneWords(codes []string) string {
	if more := len(codes) - mostGoneCodes; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(codes[:mostGoneCodes], ", "), more)
	}
	return strings.Join(codes, ", ")
}
