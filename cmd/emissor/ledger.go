package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/store"
)

func ledgerCommand() *cobra.Command {
	command := &cobra.Command{Use: "ledger", Short: "Look at what was issued and what was taken back"}
	command.AddCommand(ledgerListCommand())
	return command
}

func ledgerListCommand() *cobra.Command {
	var out output
	var organization, since string
	var limit int
	command := &cobra.Command{
		Use:   "list --organization ORG",
		Short: "List an organization's ledger, oldest first",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			moment, err := parseSince(since, time.Now())
			if err != nil {
				return err
			}
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				entries, err := s.Ledger(ctx, organization, moment, limit)
				if err != nil {
					return err
				}
				if len(entries) == limit {
					fmt.Fprintf(command.ErrOrStderr(), "the list ends at --limit %d: there may be more\n", limit)
				}
				return out.print(command.OutOrStdout(), entries, "TIME\tNOTE\tKIND\tAMOUNT (BRL)", func(add func(...any)) {
					for _, e := range entries {
						add(e.CreatedAt, e.NoteID, e.Kind, reais(e.AmountCents))
					}
				})
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&organization, "organization", "", "whose ledger (org_...)")
	flags.StringVar(&since, "since", "", "only entries since then: 2h, 3d, or 2026-11-21T08:00:00Z")
	flags.IntVar(&limit, "limit", 1000, "the most rows")
	_ = command.MarkFlagRequired("organization")
	return out.flag(command)
}

// reais prints an amount in cents with a point before the last two digits.
func reais(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}
