package operate

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/store/catalogues"
)

// ListedEdition is an edition with whether it is in force.
type ListedEdition struct {
	catalogues.ClassificationEdition
	Rows    int  `json:"rows"`
	InForce bool `json:"in_force"`
}

var editionTable = cli.Table[ListedEdition]{
	Header: "TABLE\tEDITION\tVALID FROM\tIN FORCE\tROWS\tFILE\tSHA-256\tIMPORTED",
	Row: func(e ListedEdition) []any {
		imported := "-"
		if e.ID != "" {
			imported = e.ImportedAt.String()
		}
		dash := func(text string) string { return cli.OrDash(cli.OrNone(text)) }
		return []any{e.Table, e.Name, dash(e.ValidFrom), e.InForce, e.Rows, dash(e.SourceName), dash(e.SourceSHA256),
			imported}
	},
}

func classificationListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List the editions of all tables, and which are in force on a day",
		"emissor classification list --on 2027-01-01", cobra.NoArgs)
	on := cli.AddDayFlag(command, "on", "day of competence")
	return cli.CheckedCommand(command, on.Check, func(ctx context.Context, s *cli.CommandRun) error {
		day := on.OrToday()
		recorded, err := s.Store.Catalogues.ClassificationEditions(ctx)
		if err != nil {
			return err
		}
		editions, err := Editions(ctx, s)
		if err != nil {
			return err
		}
		all, tables := editions.All(), editions.On(day)
		builtIn := len(all) - len(recorded)
		listed := []ListedEdition{}
		for i, edition := range all {
			one := ListedEdition{Rows: edition.Rows(), InForce: tables.Edition(edition.Table) == edition}
			if i < builtIn {
				one.Table, one.Name = string(edition.Table), edition.Name
			} else {
				one.ClassificationEdition = recorded[i-builtIn]
			}
			listed = append(listed, one)
		}
		return editionTable.Print(s, listed)
	})
}
