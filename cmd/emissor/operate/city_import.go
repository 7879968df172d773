package operate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/cities"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/nfse"
	"emissor/store/companies"
)

// CityImport is what a file makes of the table that is in use.
type CityImport struct {
	SourceName   string              `json:"source_name"`
	SourceSHA256 string              `json:"source_sha256"`
	Rows         int                 `json:"rows"`
	Imported     bool                `json:"imported"`
	Changes      []cities.Change     `json:"changes"`
	Companies    []waitingCompany    `json:"companies"` // whose city is not in the file, or is off
	table        *cities.Table       // as it was read
	stored       companies.CityTable // as it is put on record
}

// checkUnderWay refuses a table by which notes that are under way could not be asked about where they
// were sent: a number stays at the authority where it was taken. Of a city that is left out none would
// be, and of one at another address a note in doubt might not be found, and be sent again.
func checkUnderWay(ctx context.Context, s *cli.CommandRun, after *cities.Table, sameServers bool) error {
	underWay, err := s.Store.Notes.NotesUnderWay(ctx, cities.Current().Names())
	if err != nil {
		return err
	}
	for _, of := range underWay {
		switch {
		case len(after.OfName(of.Authority)) == 0:
			return fmt.Errorf("the city %s is not in the file, and %d of its notes are under way: leave its row, and "+
				"turn it off if nothing is to be sent", of.Authority, of.Notes)
		case of.InDoubt > 0 && !sameServers && moves(of.Authority, after):
			return fmt.Errorf("the city %s has another family or address in the file, and %d of its notes are in doubt: "+
				"wait until they are not, or say by --same-servers that the address leads to the server of before",
				of.Authority, of.InDoubt)
		}
	}
	return nil
}

// moves reports whether a city's servers of today are others by another table.
func moves(name string, after *cities.Table) bool {
	today := nfse.DayOf(time.Now())
	now, served := cities.Current().Named(name, today)
	then, stays := after.Named(name, today)
	return served && stays &&
		(now.Family != then.Family || now.Production != then.Production || now.Test != then.Test)
}

// waitingCompany is a company whose profile names a city by which no note is issued.
type waitingCompany struct {
	companies.Company
	Why string `json:"why"`
}

var cityChangeTable = cli.Table[cities.Change]{
	Header: "NAME\tFROM\tCHANGE\tCOLUMNS",
	Row: func(c cities.Change) []any {
		return []any{c.Name, c.From, c.Change, cli.OrDash(cli.OrNone(strings.Join(c.Columns, ", ")))}
	},
}

var waitingCompanyTable = cli.Table[waitingCompany]{
	Header: "ORGANIZATION\tNAME\tAUTHORITY\tWHY",
	Row:    func(c waitingCompany) []any { return []any{c.OrganizationID, cli.Shorten(c.Name), c.Authority, c.Why} },
}

func cityImportCommand() *cobra.Command {
	command := cli.NewCommand("import FILE",
		"Replace the table of cities by that of a file; what is wrong in it is said "+
			"with line and column",
		"emissor city import cities.tsv", cobra.ExactArgs(1))
	command.Long = command.Short + `.

The file is text (UTF-8) divided by tabs, as emissor city list --tsv prints the table that is in use. It replaces that
table whole, and nothing of it is imported unless all of it is right. Processes know it within some seconds, a worker
without a restart. A city of which notes are under way must stay in it, be it off. It is said what changes, and
which companies wait because their city is gone or off.`
	sameServers := addSameServers(command)
	cli.CompleteArguments(command, cli.Files)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		read, err := readCities(ctx, s, *sameServers)
		if err != nil {
			return fmt.Errorf("%w; nothing was imported", err)
		}
		if err := s.Changes.Companies.ImportCityTable(ctx, read.stored); err != nil {
			return err
		}
		read.Imported = true
		return read.print(s)
	})
}

func cityCheckCommand() *cobra.Command {
	command := cli.NewCommand("check FILE", "Read a file as emissor city import does, and say what it would change",
		"emissor city check cities.tsv", cobra.ExactArgs(1))
	sameServers := addSameServers(command)
	cli.CompleteArguments(command, cli.Files)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		read, err := readCities(ctx, s, *sameServers)
		if err != nil {
			return err
		}
		return read.print(s)
	})
}

func addSameServers(command *cobra.Command) *bool {
	return command.Flags().Bool("same-servers", false,
		"addresses that change lead to the servers of before: notes in doubt are asked about there")
}

// largestCityFile is more than a file may have, so that one that has more is refused.
const largestCityFile = 2 << 20

// readCities reads the file of the command, and compares it with the table that is in use.
func readCities(ctx context.Context, s *cli.CommandRun, sameServers bool) (read CityImport, err error) {
	path := s.Args[0]
	content, err := cli.Interruptible(ctx, func() ([]byte, error) { return readAtMost(path, largestCityFile) })
	if err != nil {
		return read, err
	}
	after, err := cities.Parse(string(content), cityrules.Quirks())
	if err != nil {
		return read, fmt.Errorf("%s: %w", path, err)
	}
	sum := sha256.Sum256(content)
	read = CityImport{
		SourceName: filepath.Base(path), SourceSHA256: hex.EncodeToString(sum[:]), Rows: len(after.Rows()),
		Changes: append([]cities.Change{}, cities.Changes(cities.Current(), &after)...), table: &after,
	}
	read.stored = companies.CityTable{SourceName: read.SourceName, SourceSHA256: read.SourceSHA256,
		Content: string(content)}
	if err := checkUnderWay(ctx, s, &after, sameServers); err != nil {
		return read, fmt.Errorf("%s: %w", path, err)
	}
	read.Companies, err = waitingCompanies(ctx, s, &after)
	return read, err
}

func readAtMost(path string, bytes int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, bytes))
}

// waitingCompanies are those that issue by a city of the table that is in use, and by another would
// not today.
func waitingCompanies(ctx context.Context, s *cli.CommandRun, after *cities.Table) ([]waitingCompany, error) {
	companies, err := s.Store.Companies.Companies(ctx, append(cities.Current().Names(), after.Names()...))
	waiting := []waitingCompany{}
	for _, company := range companies {
		if why := whyItWaits(after, company.Authority); why != "" {
			waiting = append(waiting, waitingCompany{company, why})
		}
	}
	return waiting, err
}

func whyItWaits(table *cities.Table, name string) string {
	row, known := table.Named(name, nfse.DayOf(time.Now()))
	switch {
	case len(table.OfName(name)) == 0:
		return "the table has no such city"
	case !known:
		return "no row of the city is for today"
	}
	return row.Off
}

// print prints what a file changes, or has changed.
func (r CityImport) print(s *cli.CommandRun) error {
	if s.Json {
		return s.Print(r, "", nil)
	}
	said := "of %d rows in %s nothing was imported: this is what would change\n"
	if r.Imported {
		said = "%d rows of %s were imported; they replace all that were before\n"
	}
	if err := s.Printf(said, r.Rows, cli.Cell(r.SourceName)); err != nil {
		return err
	}
	if err := r.printChanges(s); err != nil || len(r.Companies) == 0 {
		return err
	}
	err := s.Printf("\nNotes of these companies wait: the city that their profile names is gone, or off.\n\n")
	if err != nil {
		return err
	}
	return waitingCompanyTable.Print(s, r.Companies)
}

func (r CityImport) printChanges(s *cli.CommandRun) error {
	if len(r.Changes) == 0 {
		return s.Printf("\nNothing in them differs from the table before.\n")
	}
	if err := s.Printf("\n"); err != nil {
		return err
	}
	return cityChangeTable.Print(s, r.Changes)
}
