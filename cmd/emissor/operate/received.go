package operate

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
)

func ReceivedCommand() *cobra.Command {
	return cli.CommandGroup("received", "Look after the notes that others issue to an organization",
		receivedReadAgainCommand())
}

func receivedReadAgainCommand() *cobra.Command {
	command := cli.NewCommand("read-again --organization ORG [--from POSITION]",
		"Read again what was distributed from a position on, as notes received before they were kept",
		"emissor received read-again --organization org_01m10n7b5xf0stgd3ek65gw866 --from 1500", cobra.NoArgs)
	organization := cli.OrganizationFlag(command)
	from := command.Flags().Int64("from", 0, "the last position (NSU) that is not read again; 0 is the beginning")
	return cli.CheckedCommand(command, func([]string) error {
		if *from < 0 {
			return cli.Usage("--from must be 0 or more")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		before, err := s.Changes.Received.ReadReceivedAgain(ctx, *organization, *from)
		if err != nil {
			return err
		}
		if s.Json {
			return s.Print(before, "", nil)
		}
		for _, d := range before {
			if err := s.Printf("%s (%s) is read again from %d; it had come to %d\n", d.TaxID,
				nfse.EnvironmentName(d.Production), min(*from, d.Position), d.Position); err != nil {
				return err
			}
		}
		return nil
	})
}
