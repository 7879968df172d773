package operate

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/store/operate"
)

func StorageCommand() *cobra.Command {
	return cli.CommandGroup("storage", "Look at how what grows is stored", storageStatusCommand())
}

func storageStatusCommand() *cobra.Command {
	command := cli.NewCommand("status", "Show the tables that grow, with their parts and sizes",
		"emissor storage status", cobra.NoArgs)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		tables, err := s.Store.Operate.StorageTables(ctx)
		return storageTable.Show(s, tables, err)
	})
}

var storageTable = cli.Table[operate.StorageTable]{
	Header: "TABLE\tEVERY\tPARTS\tUNTIL\tMB",
	Row: func(t operate.StorageTable) []any {
		return []any{t.Table, t.Every, t.Parts, t.Until.UTC().Format("2006-01-02"), t.Bytes >> 20}
	},
}
