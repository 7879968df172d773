package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"emissor/fiscal/drift"
	"emissor/nfse"
)

var driftTable = table[drift.Drift]{
	"SEEN FIRST\tFINGERPRINT\tAUTHORITY\tENVIRONMENT\tCALL\tNEW",
	func(d drift.Drift) []any {
		return []any{d.SeenAt, d.Fingerprint, d.Authority, nfse.Environment(d.Production), d.Call,
			shorten(strings.ReplaceAll(d.News, "\n", "; "))}
	},
}

func authorityDriftListCommand() *cobra.Command {
	command := newCommand("list", "List what is new in authorities' answers, the newest first",
		"emissor authority drift list", cobra.NoArgs)
	limit := command.Flags().Int("limit", 200, "the most rows")
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		all, err := s.store.Operate.Drifts(ctx, *limit)
		return driftTable.show(s, all, err)
	})
}
