package operate

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/cities"
)

var cityRowTable = cli.Table[CityRow]{
	Header: "NAME\tCITY\tFAMILY\tSTATE\tFROM\tUNTIL\tSINCE TABLE",
	Row: func(r CityRow) []any {
		return []any{r.Name, r.City, r.Family, onOrOff(r.On), r.From, cli.OrDash(r.Until), r.Table}
	},
}

func onOrOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func cityListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List the cities of the table that is in use, and since which table each row is so",
		`emissor city list
emissor city list --tsv > cities.tsv`, cobra.NoArgs)
	asFile := command.Flags().Bool("tsv", false, "print the table as a file, to edit and import")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		switch {
		case *asFile && s.Json:
			return cli.Usage("--tsv and --json exclude each other")
		case *asFile:
			_, err := fmt.Fprint(s.Out, cities.Current().File)
			return err
		}
		rows, err := rowsOfCities(ctx, s)
		return cityRowTable.Show(s, rows, err)
	})
}
