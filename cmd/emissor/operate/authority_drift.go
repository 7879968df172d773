package operate

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/drift"
	"emissor/nfse"
)

func authorityDriftShowCommand() *cobra.Command {
	command := cli.NewCommand("show FINGERPRINT",
		"Show what is new in an answer, and a copy of it with every value replaced",
		"emissor authority drift show 7d1f0a52c9be4e10", cobra.ExactArgs(1))
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		one, err := readDrift(ctx, s)
		if err != nil {
			return err
		}
		environment := "restricted"
		if one.Production {
			environment = "production"
		}
		return s.Say(one, "%s, %s, %s: %d %s, first seen %s\nNew:\n  %s\nCopy, with every value replaced:\n%s\n",
			one.Authority, environment, one.Call, one.Status, one.Media, one.SeenAt,
			strings.ReplaceAll(one.News, "\n", "\n  "), one.Copy)
	})
}

// exportedDrift is an answer as a file of test/recorded.
type exportedDrift struct {
	File string `json:"file"`
}

func authorityDriftExportCommand() *cobra.Command {
	command := cli.NewCommand("export FINGERPRINT",
		"Print an answer as a file for test/recorded of the sources, with every value replaced",
		"emissor authority drift export 7d1f0a52c9be4e10 > test/recorded/answers/sefin-issue-201-new.txt",
		cobra.ExactArgs(1))
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		one, err := readDrift(ctx, s)
		if err != nil {
			return err
		}
		return s.Say(exportedDrift{one.Export()}, "%s", one.Export())
	})
}

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
