package main

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/nfse"
)

func receivedCommand() *cobra.Command {
	return commandGroup("received", "Look after the notes that others issue to an organization",
		receivedReadAgainCommand())
}

func receivedReadAgainCommand() *cobra.Command {
	command := newCommand("read-again --organization ORG [--from POSITION]",
		"Read again what was distributed from a position on, as notes received before they were kept",
		"emissor received read-again --organization org_01m10n7b5xf0stgd3ek65gw866 --from 1500", cobra.NoArgs)
	organization := organizationFlag(command)
	from := command.Flags().Int64("from", 0, "the last position (NSU) that is not read again; 0 is the beginning")
	return checkedCommand(command, func([]string) error {
		if *from < 0 {
			return usage("--from must be 0 or more")
		}
		return nil
	}, func(ctx context.Context, s *commandRun) error {
		before, err := s.changes.Received.ReadReceivedAgain(ctx, *organization, *from)
		if err != nil {
			return err
		}
		if s.json {
			return s.print(before, "", nil)
		}
		for _, d := range before {
			if err := s.printf("%s (%s) is read again from %d; it had come to %d\n", d.TaxID,
				nfse.EnvironmentName(d.Production), min(*from, d.Position), d.Position); err != nil {
				return err
			}
		}
		return nil
	})
}
