package main

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/store/operate"
)

func storageCommand() *cobra.Command {
	return commandGroup("storage", "Look at how what grows is stored", storageStatusCommand())
}

func storageStatusCommand() *cobra.Command {
	command := newCommand("status", "Show the tables that grow, with their parts and sizes",
		"emissor storage status", cobra.NoArgs)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		tables, err := s.store.Operate.StorageTables(ctx)
		return storageTable.show(s, tables, err)
	})
}

var storageTable = table[operate.StorageTable]{
	"TABLE\tEVERY\tPARTS\tUNTIL\tMB",
	func(t operate.StorageTable) []any {
		return []any{t.Table, t.Every, t.Parts, t.Until.UTC().Format("2006-01-02"), t.Bytes >> 20}
	},
}
