package company

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/national"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/imported"
	"emissor/fiscal/saopaulo"
	"emissor/issuing/rehearsal"
	"emissor/nfse"
)

var rehearsedTable = cli.Table[rehearsal.Line]{
	Header: "OUTCOME\tORGANIZATION\tSERVICE\tNAME\tRULE\tFIELD\tNOTES\tAMOUNT (BRL)\tCHANGE\tEXAMPLE\tWHY",
	Row: func(l rehearsal.Line) []any {
		change := "-"
		if l.ChangeCents != 0 {
			change = cli.Reais(l.ChangeCents)
		}
		return []any{l.Outcome, l.OrganizationID, l.ServiceID, cli.Shorten(l.ServiceName), l.Rule,
			cli.OrDash(cli.OrNone(l.Field)), l.Notes, cli.Reais(l.AmountCents), change, l.Example, l.Why}
	},
}

func RehearseCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "rehearse [--on DAY] [--last N] [--organization ORG]",
		Short: "Say which notes like those that were issued would be refused, wait or change on a day; nothing is sent",
		Long: `Build the stored requests of the newest live notes that were issued again, as if they were accepted and
sent on a day: by the rules, tables and layout of that day, and by the profile, the services, their classification and
what is withheld as these are set at present. Nothing is signed, sent or changed, and neither a certificate nor the
engine is needed.

It lists by service what would be refused (refused), would wait for a person (held), may be refused although no rule
that is known says so (warned), or would say something else (changed). The command fails, with status 1, when a note
would be refused or would wait. Requests of customers who were erased are left out and counted. What a note replaced
counts for nothing, and of Simples Nacional the last known rate stands for that of a month to come.`,
		Example: `emissor rehearse --on 2027-01-01
emissor rehearse --on 2027-01-01 --organization org_01m10n7b5xf0stgd3ek65gw866 --json`,
		Args: cobra.NoArgs,
	}
	on := cli.AddDayFlag(command, "on", "the day of competence, on which the notes would be sent")
	organization := cli.OrganizationFilter(command)
	last := command.Flags().Int("last", 10_000, "of how many notes, the newest")
	return cli.CheckedCommand(command, func([]string) error {
		if *last < 1 {
			return cli.Usage("--last must be 1 or more")
		}
		return on.Check(nil)
	}, func(ctx context.Context, s *cli.CommandRun) error {
		if *organization != "" {
			if _, err := s.Store.Access.Organization(ctx, *organization); err != nil {
				return err
			}
		}
		authorities, editions, err := rehearseNote(ctx, s)
		if err != nil {
			return err
		}
		run := rehearsal.Rehearsal{
			Store: s.Store, Authorities: authorities, Editions: editions,
			Day: nfse.Day(on.OrToday()), OrganizationID: *organization, Last: *last,
		}
		report, err := run.Run(ctx)
		if err != nil {
			return err
		}
		return printRehearsal(s, report)
	})
}

// rehearseNote makes the authorities as the worker has them, to check and build: none of
// them is called.
func rehearseNote(ctx context.Context, s *cli.CommandRun) ([]rehearsal.Authority, *classification.Editions, error) {
	logger := slog.New(slog.DiscardHandler)
	tables := imported.NewSource(s.Store, logger)
	if err := tables.Load(ctx); err != nil {
		return nil, nil, err
	}
	country, err := national.New(national.Options{
		Connection: national.Connection{Logger: logger},
		Software:   cli.Software(), IBSCBSRequiredFrom: nfse.Day(s.Config.IBSCBSRequired), Tables: tables,
	})
	if err != nil {
		return nil, nil, err
	}
	city, err := saopaulo.New(saopaulo.Options{
		Place: saopaulo.Place(s.Config.CityPlace), Tables: tables, Logger: logger,
	})
	if err != nil {
		return nil, nil, err
	}
	others, err := s.Config.RehearsedCities(tables, logger)
	return append([]rehearsal.Authority{country, city}, others...), tables.Editions(), err
}

// printRehearsal prints what was found. Notes that would not be issued are an error.
func printRehearsal(s *cli.CommandRun, report rehearsal.Report) error {
	if s.Json {
		if err := s.Print(report, "", nil); err != nil {
			return err
		}
	} else if err := printRehearsed(s, report); err != nil {
		return err
	}
	if none := report.NotIssued(); none > 0 {
		return fmt.Errorf("%d of %d notes would not be issued on %s", none, report.Notes, report.Day)
	}
	return nil
}

func printRehearsed(s *cli.CommandRun, report rehearsal.Report) error {
	err := s.Printf("On %s, of %d notes: %d refused, %d held, %d changed, %d the same; %d left out (customer erased), "+
		"%d unreadable.\n", report.Day, report.Notes, report.Refused, report.Held, report.Changed, report.Same,
		report.Erased, report.Unreadable)
	if err != nil {
		return err
	}
	for _, id := range report.UnreadableNotes {
		if err := s.Printf("unreadable: %s\n", id); err != nil {
			return err
		}
	}
	if len(report.Lines) == 0 {
		return nil
	}
	if err := s.Printf("\n"); err != nil {
		return err
	}
	return rehearsedTable.Print(s, report.Lines)
}
