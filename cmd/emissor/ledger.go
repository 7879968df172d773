package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/store/books"
)

func ledgerCommand() *cobra.Command {
	return commandGroup("ledger", "Look at what was issued and what was taken back",
		ledgerListCommand())
}

var ledgerTable = table[books.LedgerEntry]{
	"TIME\tCOMPETENCE\tNOTE\tKIND\tAMOUNT (BRL)\tCHARGED\tNET\tWITHHELD",
	func(e books.LedgerEntry) []any {
		total := func(cents *int64) string { return reaisOrDash(e.Counted(cents)) }
		return []any{e.CreatedAt, e.Competence, e.NoteID, e.Kind, reais(e.AmountCents),
			total(e.Totals.Charged()), total(e.Totals.Net()), total(e.Totals.Withheld())}
	},
}

func ledgerListCommand() *cobra.Command {
	command := newCommand("list --organization ORG", "List an organization's ledger, oldest first",
		"emissor ledger list --organization org_01m10n7b5xf0stgd3ek65gw866 --since 30d", cobra.NoArgs)
	organization := organizationFlag(command)
	since := command.Flags().String("since", "", "only entries since then: 2h, 3d, or 2026-11-21T08:00:00Z")
	limit := command.Flags().Int("limit", 1000, "the most rows")
	var moment time.Time
	return checkedCommand(command, func([]string) (err error) {
		moment, err = parseSince(*since, time.Now())
		return err
	}, func(ctx context.Context, s *commandRun) error {
		entries, err := s.store.Books.Ledger(ctx, *organization, moment, *limit)
		if err != nil {
			return err
		}
		if len(entries) == *limit {
			fmt.Fprintf(command.ErrOrStderr(), "the list ends at --limit %d: there may be more\n", *limit)
		}
		return ledgerTable.print(s, entries)
	})
}

// reais formats an amount in cents with a point before the last two digits.
func reais(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// reaisOrDash formats an amount, and one that is not stated as a dash.
func reaisOrDash(cents *int64) string {
	if cents == nil {
		return "-"
	}
	return reais(*cents)
}
