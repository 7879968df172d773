package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/published"
	"emissor/store"
)

func classificationCommand() *cobra.Command {
	return commandGroup("classification", "Manage the tables by which services are classified for IBS and CBS",
		classificationImportCommand(), classificationListCommand(), classificationShowCommand())
}

// printedEdition is an edition as commands show it.
type printedEdition struct {
	ID        string               `json:"id"` // empty: built in
	Table     classification.Table `json:"table"`
	Edition   string               `json:"edition"`
	ValidFrom string               `json:"valid_from"` // empty: from the beginning
	Rows      int                  `json:"rows"`
	New       int                  `json:"new"`  // codes that the edition in force before did not list
	Gone      int                  `json:"gone"` // codes that it listed
	GoneCodes []string             `json:"gone_codes"`
	Source    string               `json:"source_name"`
	SHA256    string               `json:"source_sha256"`
}

// mostGoneCodes are how many codes of a table are named, of those that an import takes away.
const mostGoneCodes = 20

// goneWords names codes that go, and how many more there are.
func goneWords(codes []string) string {
	if more := len(codes) - mostGoneCodes; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(codes[:mostGoneCodes], ", "), more)
	}
	return strings.Join(codes, ", ")
}

var importedTable = table[printedEdition]{
	"TABLE\tEDITION\tVALID FROM\tROWS\tNEW CODES\tGONE CODES\tFILE",
	func(e printedEdition) []any {
		return []any{e.Table, e.Edition, e.ValidFrom, e.Rows, e.New, e.Gone, e.Source}
	},
}

func classificationImportCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import tables as they are published: workbooks (xlsx), or text separated by tabs",
		Long: `Import tables as they are published: the workbooks (xlsx) of cClassTrib, of cCredPres and of the Annexes
B, C, VII and VIII, or the same tables as text separated by tabs. Which table it is shows by sheets and columns.

Each is kept as an edition with the day from which it holds: notes are checked by what is in force on their day of
competence. Nothing is imported unless all tables of all files are whole. Editions stay; of two of a table from the
same day the later import counts. Running workers know it within a minute.

What is older than the edition in force on its first day is refused, as the days or versions in the names of the file
and of the editions say it, and so is what lacks codes of that one: --replace-newer imports it all the same. The answer
names the codes that go.`,
		Args: cobra.MinimumNArgs(1),
	}
	only := command.Flags().String("table", "", "the table, where it cannot be told, or the only one that is wanted: "+
		strings.Join(mapped(classification.TableNames, func(t classification.Table) string { return string(t) }), ", "))
	name := command.Flags().String("edition", "", "name of the edition (default: that of the file)")
	replaceNewer := command.Flags().Bool("replace-newer", false, "import what is older than the edition in force, or "+
		"lacks codes of it, too")
	validFrom := addDayFlag(command, "valid-from", "the day of competence from which it holds")
	return checkedCommand(command, func([]string) error {
		if _, err := classification.ParseTable(*only); err != nil && *only != "" {
			return fmt.Errorf("--table %w", err)
		}
		return validFrom.check(nil)
	}, func(ctx context.Context, s *session) error {
		from := validFrom.orToday()
		known, err := s.editions(ctx)
		if err != nil {
			return err
		}
		read := editionsRead{from: from, name: *name, only: classification.Table(*only), before: known.On(from),
			replaceNewer: *replaceNewer}
		for _, path := range s.args {
			_, err := interruptible(ctx, func() (struct{}, error) { return struct{}{}, read.add(path) })
			if err != nil {
				return fmt.Errorf("%s: %w; nothing was imported", path, err)
			}
		}
		if err := read.check(known); err != nil {
			return fmt.Errorf("%w; nothing was imported", err)
		}
		if err := s.changes.ImportClassification(ctx, read.recorded); err != nil {
			return err
		}
		if err := importedTable.print(s, read.printed); err != nil {
			return err
		}
		for _, one := range read.printed {
			if one.Gone == 0 {
				continue
			}
			if err := s.printf("\nGone from %s: %s.\n", one.Table, goneWords(one.GoneCodes)); err != nil {
				return err
			}
		}
		return nil
	})
}

// editionsRead are the editions of files that are imported together.
type editionsRead struct {
	from   string
	name   string // empty: that of the file
	only   classification.Table
	before classification.Tables // in force on the day

	replaceNewer bool // what is older than those, or lacks codes of them, is read, too

	editions []*classification.Edition
	recorded []store.ClassificationEdition
	printed  []printedEdition
}

// nameOfFile is what a file is called, without its ending.
func nameOfFile(base string) string {
	return cmp.Or(strings.TrimSuffix(base, filepath.Ext(base)), base)
}

// add reads the tables of a file.
func (r *editionsRead) add(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	parts, content, err := published.Read(file, r.only)
	if err != nil {
		return err
	}
	base := filepath.Base(path)
	name := cmp.Or(r.name, nameOfFile(base))
	digest := sha256.Sum256(content)
	for _, part := range parts {
		for _, other := range r.editions {
			if other.Table == part.Table {
				return fmt.Errorf("the table %s is in another of the files, too", part.Table)
			}
		}
		edition, err := classification.NewEdition(part.Table, name, r.from, part.Records)
		if err != nil {
			return err
		}
		encoded, err := json.Marshal(part.Records)
		if err != nil {
			return err
		}
		printed := printedEdition{Table: part.Table, Edition: name, ValidFrom: r.from, Rows: edition.Rows(),
			Source: base, SHA256: hex.EncodeToString(digest[:]), GoneCodes: []string{}}
		if before := r.before.Edition(part.Table); before != nil {
			printed.GoneCodes = append(printed.GoneCodes, edition.Lacks(before)...)
			printed.New, printed.Gone = len(before.Lacks(edition)), len(printed.GoneCodes)
		} else {
			printed.New = edition.Rows()
		}
		r.editions = append(r.editions, edition)
		r.printed = append(r.printed, printed)
		r.recorded = append(r.recorded, store.ClassificationEdition{Table: string(part.Table), Name: name,
			ValidFrom: r.from, SourceName: base, SourceSHA256: printed.SHA256, Content: encoded})
	}
	return nil
}

// olderEdition refuses an edition in the place of a newer one, and says what would go.
func olderEdition(edition, before *classification.Edition) error {
	goes := "every code stays, and what the newer one says of them goes"
	if gone := edition.Lacks(before); len(gone) > 0 {
		goes = "gone would be " + goneWords(gone)
	}
	return fmt.Errorf("the table %s of %q is older than %q, which is in force, or lacks codes of it: %s; "+
		"--replace-newer imports it all the same", edition.Table, edition.Name, before.Name, goes)
}

// check refuses tables that do not go together, and older ones.
func (r *editionsRead) check(known *classification.Editions) error {
	for i, edition := range r.editions {
		before := r.before.Edition(edition.Table)
		if before != nil && !r.replaceNewer && edition.IsOlder(before, nameOfFile(r.recorded[i].SourceName)) {
			return olderEdition(edition, before)
		}
	}
	tables := known.With(r.editions...).On(r.from)
	for _, row := range tables.ClassTribs() {
		if _, ok := tables.CST(row.Code[:3]); !ok {
			return fmt.Errorf("the table %s lists %s, whose CST the table %s does not list: import both together",
				classification.TableClassTrib, row.Code, classification.TableCST)
		}
	}
	return nil
}

// listedEdition is an edition with whether it is in force.
type listedEdition struct {
	store.ClassificationEdition
	Rows    int  `json:"rows"`
	InForce bool `json:"in_force"`
}

var editionTable = table[listedEdition]{
	"TABLE\tEDITION\tVALID FROM\tIN FORCE\tROWS\tFILE\tSHA-256\tIMPORTED",
	func(e listedEdition) []any {
		imported := "-"
		if e.ID != "" {
			imported = e.ImportedAt.String()
		}
		dash := func(text string) string { return orDash(orNone(text)) }
		return []any{e.Table, e.Name, dash(e.ValidFrom), e.InForce, e.Rows, dash(e.SourceName), dash(e.SourceSHA256),
			imported}
	},
}

func classificationListCommand() *cobra.Command {
	command := newCommand("list", "List the editions of all tables, and which are in force on a day", cobra.NoArgs)
	on := addDayFlag(command, "on", "day of competence")
	return checkedCommand(command, on.check, func(ctx context.Context, s *session) error {
		day := on.orToday()
		recorded, err := s.store.ClassificationEditions(ctx)
		if err != nil {
			return err
		}
		editions, err := s.editions(ctx)
		if err != nil {
			return err
		}
		all, tables := editions.All(), editions.On(day)
		builtIn := len(all) - len(recorded)
		listed := []listedEdition{}
		for i, edition := range all {
			one := listedEdition{Rows: edition.Rows(), InForce: tables.Edition(edition.Table) == edition}
			if i < builtIn {
				one.Table, one.Name = string(edition.Table), edition.Name
			} else {
				one.ClassificationEdition = recorded[i-builtIn]
			}
			listed = append(listed, one)
		}
		return editionTable.print(s, listed)
	})
}

// listedCode is a code of one of the tables.
type listedCode struct {
	Table   classification.Table `json:"table"`
	Code    string               `json:"code"`
	Name    string               `json:"name"`
	Details string               `json:"details"`
	Edition string               `json:"edition"`
}

var codeTable = table[listedCode]{
	"TABLE\tCODE\tNAME\tDETAILS\tEDITION",
	func(c listedCode) []any { return []any{c.Table, c.Code, shorten(c.Name), c.Details, c.Edition} },
}

func classificationShowCommand() *cobra.Command {
	command := newCommand("show [CODE]",
		"Show what a code means on a day, or without one the codes for NFS-e: CST, cClassTrib and cIndOp",
		cobra.MaximumNArgs(1))
	on := addDayFlag(command, "on", "day of competence")
	return checkedCommand(command, on.check, func(ctx context.Context, s *session) error {
		day := on.orToday()
		editions, err := s.editions(ctx)
		if err != nil {
			return err
		}
		tables := editions.On(day)
		if len(s.args) == 0 {
			return codeTable.print(s, codesForNFSe(tables))
		}
		found := codesLike(tables, strings.ReplaceAll(s.args[0], ".", ""))
		if len(found) == 0 {
			return errors.New("no table in force on " + day + " lists " + s.args[0])
		}
		return codeTable.print(s, found)
	})
}

// codesForNFSe are those that a service may be classified with, but for the NBS.
func codesForNFSe(tables classification.Tables) (codes []listedCode) {
	for _, row := range tables.CSTs() {
		codes = append(codes, cstListed(tables, row))
	}
	for _, row := range tables.ClassTribs() {
		if row.NFSe {
			codes = append(codes, classTribListed(tables, row))
		}
	}
	for _, row := range tables.IndOps() {
		codes = append(codes, indOpListed(tables, classification.TableIndOp, row))
	}
	return codes
}

// codesLike are the codes of all tables that are the same. One code can be of
// several.
func codesLike(tables classification.Tables, code string) (codes []listedCode) {
	if row, ok := tables.CST(code); ok {
		codes = append(codes, cstListed(tables, row))
		for _, row := range tables.ClassTribs() {
			if strings.HasPrefix(row.Code, code) {
				codes = append(codes, classTribListed(tables, row))
			}
		}
	}
	if row, ok := tables.ClassTrib(code); ok {
		codes = append(codes, classTribListed(tables, row))
	}
	for _, in := range []classification.Table{classification.TableIndOp, classification.TableIndOpNT009,
		classification.TableIndOpSaoPaulo} {
		if row, ok := tables.WithIndOps(in).IndOp(code); ok {
			codes = append(codes, indOpListed(tables, in, row))
		}
	}
	if row, ok := tables.CredPres(code); ok {
		codes = append(codes, listed(tables, classification.TableCredPres, code, row.Name, "from "+row.From))
	}
	if name, ok := tables.NBS(code); ok {
		codes = append(codes, listed(tables, classification.TableNBS, code, name, ""))
	}
	if name, ok := tables.ServiceCode(code); ok {
		codes = append(codes, listed(tables, classification.TableServiceCode, code, name, ""))
	}
	return codes
}

func listed(tables classification.Tables, in classification.Table, code, name, details string) listedCode {
	return listedCode{Table: in, Code: code, Name: name, Details: details, Edition: tables.Edition(in).Name}
}

func cstListed(tables classification.Tables, row classification.CST) listedCode {
	details := said(
		detail{row.GIBSCBS, "is computed"}, detail{row.GRed, "reduced"}, detail{row.GDif, "requires a deferral"})
	return listed(tables, classification.TableCST, row.Code, row.Name, details)
}

func classTribListed(tables classification.Tables, row classification.ClassTrib) listedCode {
	reduced := row.PRedIBS + row.PRedCBS
	details := said(
		detail{!row.NFSe, "not for NFS-e"},
		detail{strings.Trim(reduced, "0") != "", "reduction IBS " + row.PRedIBS + " %, CBS " + row.PRedCBS + " %"},
		detail{row.GTribRegular, "requires the regular taxation"},
		detail{row.GCredPresOper, "allows a presumed credit"},
		detail{row.From != "", "from " + row.From}, detail{row.Until != "", "until " + row.Until})
	return listed(tables, classification.TableClassTrib, row.Code, row.Name, details)
}

func indOpListed(tables classification.Tables, in classification.Table, row classification.IndOp) listedCode {
	return listed(tables, in, row.Code, row.Name, "takes place: "+row.Place)
}

// detail is a word that is said where it is so.
type detail struct {
	so   bool
	word string
}

func said(details ...detail) string {
	var words []string
	for _, one := range details {
		if one.so {
			words = append(words, one.word)
		}
	}
	return strings.Join(words, "; ")
}
