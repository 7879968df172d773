package operate

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
)

func authorityDriftShowCommand() *cobra.Command {
	command := cli.NewCommand("show FINGERPRINT",
		"Show what is new in an answer, and a copy of it with every value replaced",
		"emissor authority drift show 7d1f0a52c9be4e10", cobra.ExactArgs(1))
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		one, err := readDrift(s, ctx)
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
