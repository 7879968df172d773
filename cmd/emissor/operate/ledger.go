package operate

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/store/books"
)

func LedgerCommand() *cobra.Command {
	return cli.CommandGroup("ledger", "Look at what was issued and what was taken back",
		ledgerListCommand())
}

var ledgerTable = cli.Table[books.LedgerEntry]{
	Header: "TIME\tCOMPETENCE\tNOTE\tKIND\tAMOUNT (BRL)\tCHARGED\tNET\tWITHHELD",
	Row: func(e books.LedgerEntry) []any {
		total := func(cents *int64) string { return cli.ReaisOrDash(e.Counted(cents)) }
		return []any{e.CreatedAt, e.Competence, e.NoteID, e.Kind, cli.Reais(e.AmountCents),
			total(e.Totals.Charged()), total(e.Totals.Net()), total(e.Totals.Withheld())}
	},
}

func ledgerListCommand() *cobra.Command {
	command := cli.NewCommand("list --organization ORG", "List an organization's ledger, oldest first",
		"emissor ledger list --organization org_01m10n7b5xf0stgd3ek65gw866 --since 30d", cobra.NoArgs)
	organization := cli.OrganizationFlag(command)
	since := command.Flags().String("since", "", "only entries since then: 2h, 3d, or 2026-11-21T08:00:00Z")
	limit := command.Flags().Int("limit", 1000, "the most rows")
	var moment time.Time
	return cli.CheckedCommand(command, func([]string) (err error) {
		moment, err = cli.ParseSince(*since, time.Now())
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		entries, err := s.Store.Books.Ledger(ctx, *organization, moment, *limit)
		if err != nil {
			return err
		}
		if len(entries) == *limit {
			fmt.Fprintf(command.ErrOrStderr(), "the list ends at --limit %d: there may be more\n", *limit)
		}
		return ledgerTable.Print(s, entries)
	})
}
