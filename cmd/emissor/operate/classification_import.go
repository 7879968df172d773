package operate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/imported"
)

var importedTable = cli.Table[imported.Edition]{
	Header: "TABLE\tEDITION\tVALID FROM\tROWS\tNEW CODES\tGONE CODES\tFILE",
	Row: func(e imported.Edition) []any {
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
		Example: `emissor classification import cClassTrib.xlsx AnexoB.xlsx --valid-from 2027-01-01
emissor classification import nbs.tsv --table nbs`,
		Args: cobra.MinimumNArgs(1),
	}
	only := command.Flags().String("table", "", "the table, where it cannot be told, or the only one that is wanted: "+
		strings.Join(cli.Mapped(classification.TableNames, func(t classification.Table) string { return string(t) }), ", "))
	cli.CompleteFlag(command, "table", classification.TableNames...)
	cli.CompleteArguments(command, cli.Files)
	var options imported.Options
	command.Flags().StringVar(&options.Name, "edition", "", "name of the edition (default: that of the file)")
	command.Flags().BoolVar(&options.ReplaceNewer, "replace-newer", false,
		"import what is older than the edition in force, or lacks codes of it, too")
	validFrom := cli.AddDayFlag(command, "valid-from", "the day of competence from which it holds")
	return cli.CheckedCommand(command, func([]string) error {
		if _, err := classification.ParseTable(*only); err != nil && *only != "" {
			return cli.Usage("--table %w", err)
		}
		return validFrom.Check(nil)
	}, func(ctx context.Context, s *cli.CommandRun) error {
		known, err := Editions(ctx, s)
		if err != nil {
			return err
		}
		options.From, options.Only = validFrom.OrToday(), classification.Table(*only)
		read, err := readTables(ctx, s.Args, imported.New(known, options))
		if err != nil {
			return fmt.Errorf("%w; nothing was imported", err)
		}
		if err := read.Record(ctx, s.Changes); err != nil {
			return err
		}
		return printImport(s, read.Editions)
	})
}

// readTables reads the tables of files, and checks them together.
func readTables(ctx context.Context, paths []string, into *imported.Import) (*imported.Import, error) {
	for _, path := range paths {
		_, err := cli.Interruptible(ctx, func() (struct{}, error) { return struct{}{}, readTablesOf(path, into) })
		if err != nil {
			return into, fmt.Errorf("%s: %w", path, err)
		}
	}
	return into, into.Check()
}

func readTablesOf(path string, into *imported.Import) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return into.Read(filepath.Base(path), file)
}

// printImport prints what was imported, and which codes are gone.
func printImport(s *cli.CommandRun, editions []imported.Edition) error {
	if err := importedTable.Print(s, editions); err != nil {
		return err
	}
	for _, one := range editions {
		if one.Gone == 0 {
			continue
		}
		if err := s.Printf("\nGone from %s: %s.\n", one.Table, imported.GoneWords(one.GoneCodes)); err != nil {
			return err
		}
	}
	return nil
}
