package operate

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
)

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
		one, err := readDrift(s, ctx)
		if err != nil {
			return err
		}
		return s.Say(exportedDrift{one.Export()}, "%s", one.Export())
	})
}
