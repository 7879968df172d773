package main

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/store/catalogues"
)

// listedEdition is an edition with whether it is in force.
type listedEdition struct {
	catalogues.ClassificationEdition
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
	command := newCommand("list", "List the editions of all tables, and which are in force on a day",
		"emissor classification list --on 2027-01-01", cobra.NoArgs)
	on := addDayFlag(command, "on", "day of competence")
	return checkedCommand(command, on.check, func(ctx context.Context, s *commandRun) error {
		day := on.orToday()
		recorded, err := s.store.Catalogues.ClassificationEditions(ctx)
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
