package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/fiscal/cities"
)

var cityRowTable = table[cityRow]{
	"NAME\tCITY\tFAMILY\tSTATE\tFROM\tUNTIL\tSINCE TABLE",
	func(r cityRow) []any {
		return []any{r.Name, r.City, r.Family, onOrOff(r.On), r.From, orDash(r.Until), r.Table}
	},
}

func onOrOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func cityListCommand() *cobra.Command {
	command := newCommand("list", "List the cities of the table that is in use, and since which table each row is so",
		`emissor city list
emissor city list --tsv > cities.tsv`, cobra.NoArgs)
	asFile := command.Flags().Bool("tsv", false, "print the table as a file, to edit and import")
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		switch {
		case *asFile && s.json:
			return usage("--tsv and --json exclude each other")
		case *asFile:
			_, err := fmt.Fprint(s.out, cities.Current().File)
			return err
		}
		rows, err := s.cityRows(ctx)
		return cityRowTable.show(s, rows, err)
	})
}
