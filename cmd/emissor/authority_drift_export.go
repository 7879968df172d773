package main

import (
	"context"

	"github.com/spf13/cobra"
)

// exportedDrift is an answer as a file of test/recorded.
type exportedDrift struct {
	File string `json:"file"`
}

func authorityDriftExportCommand() *cobra.Command {
	command := newCommand("export FINGERPRINT",
		"Print an answer as a file for test/recorded of the sources, with every value replaced",
		"emissor authority drift export 7d1f0a52c9be4e10 > test/recorded/answers/sefin-issue-201-new.txt",
		cobra.ExactArgs(1))
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		one, err := s.drift(ctx)
		if err != nil {
			return err
		}
		return s.say(exportedDrift{one.Export()}, "%s", one.Export())
	})
}
