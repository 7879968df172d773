package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/store"
)

func storageCommand() *cobra.Command {
	return commandGroup("storage", "Look at how what grows is stored, and bring a database of before into the new form",
		storageStatusCommand(), storageContractCommand())
}

func storageStatusCommand() *cobra.Command {
	command := newCommand("status", "Show the form of the database, the tables that grow, and what is left to do",
		"emissor storage status", cobra.NoArgs)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		status, err := s.store.StorageStatus(ctx)
		if err != nil {
			return err
		}
		return printStorage(s, status)
	})
}

var storageTable = table[store.StorageTable]{
	"TABLE\tEVERY\tPARTS\tUNTIL\tMB",
	func(t store.StorageTable) []any {
		until := "-"
		if t.Until != nil {
			until = t.Until.UTC().Format("2006-01-02")
		}
		return []any{t.Table, t.Every, t.Parts, until, t.Bytes >> 20}
	},
}

func printStorage(s *commandRun, status store.StorageStatus) error {
	if s.json {
		return s.print(status, "", nil)
	}
	form := "The database has the form of before: `emissor storage contract` brings it into the new one.\n"
	if status.ContractedAt != nil {
		form = fmt.Sprintf("The database has its new form since %s.\n",
			status.ContractedAt.UTC().Format("2006-01-02 15:04 UTC"))
	}
	err := s.printf("%s", form)
	for _, left := range status.Left {
		err = errors.Join(err, s.printf("Before that: %s.\n", left))
	}
	return errors.Join(err, storageTable.print(s, status.Tables))
}

func storageContractCommand() *cobra.Command {
	command := newCommand("contract", "Bring the database into its new form, while programs work",
		"emissor storage contract", cobra.NoArgs)
	command.Long = `Bring the database into its new form, while programs work.

It wants the account that owns the database, as migrate does. What grows is brought into parts by time: each table as it
is becomes the first part of a new one, so that nothing is copied. It may be interrupted at any point and run again, and
goes on where it was. Afterwards programs of a version that cannot read the new form must not be started again, and it
is refused while such a program runs, or has reported within the hour.`
	asJSON := jsonFlag(command)
	command.RunE = func(command *cobra.Command, _ []string) error {
		ctx := command.Context()
		config, err := loadConfig()
		if err != nil {
			return err
		}
		database, err := openStore(ctx, config, migrationTimeout, store.Rows{}, store.DocumentArchive{})
		if err != nil {
			return err
		}
		defer database.Close()
		if err := database.CheckSchema(ctx); err != nil {
			return err
		}
		steps := []contractionStep{}
		err = database.ContractStorage(ctx, func(what, table string) {
			if steps = append(steps, contractionStep{what, orNone(table)}); !*asJSON {
				fmt.Fprintln(command.OutOrStdout(), storageStep(what, table))
			}
		})
		if err != nil || !*asJSON {
			return err
		}
		return printJSON(command.OutOrStdout(), steps)
	}
	return command
}

// contractionStep is what a contraction has done, for scripts.
type contractionStep struct {
	Step  string  `json:"step"`
	Table *string `json:"table"` // null: all of them
}

// storageStep says what a contraction has done.
func storageStep(what, table string) string {
	switch what {
	case store.StepBounded:
		return table + ": what comes in goes into its first part"
	case store.StepProved:
		return table + ": all its rows belong there"
	case store.StepSwapped:
		return table + ": it is in parts"
	case store.StepReferences:
		return table + ": what refers to it is proved"
	}
	return "The database has its new form."
}
