package operate

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/drift"
	"emissor/nfse"
)

var driftTable = cli.Table[drift.Drift]{
	Header: "SEEN FIRST\tFINGERPRINT\tAUTHORITY\tENVIRONMENT\tCALL\tNEW",
	Row: func(d drift.Drift) []any {
		return []any{d.SeenAt, d.Fingerprint, d.Authority, nfse.Environment(d.Production), d.Call,
			cli.Shorten(strings.ReplaceAll(d.News, "\n", "; "))}
	},
}

func authorityDriftListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List what is new in authorities' answers, the newest first",
		"emissor authority drift list", cobra.NoArgs)
	limit := command.Flags().Int("limit", 200, "the most rows")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		all, err := s.Store.Operate.Drifts(ctx, *limit)
		return driftTable.Show(s, all, err)
	})
}
