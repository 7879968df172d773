package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"emissor/store"
)

func emailCommand() *cobra.Command {
	command := &cobra.Command{Use: "email", Short: "Look at the e-mails to customers of live notes and send failed ones again"}
	command.AddCommand(emailListCommand(), emailRetryCommand())
	return command
}

func emailListCommand() *cobra.Command {
	var out output
	var filter store.EmailFilter
	var status string
	command := &cobra.Command{
		Use:   "list",
		Short: "List e-mails, newest first",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) (err error) {
			if filter.Status, err = parseEmailStatus(status); err != nil {
				return err
			}
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				emails, err := s.Emails(ctx, filter)
				if err != nil {
					return err
				}
				header := "ID\tORGANIZATION\tNOTE\tSTATUS\tATTEMPTS\tCREATED\tENDED\tREASON\tLAST PROBLEM"
				return out.print(command.OutOrStdout(), emails, header, func(add func(...any)) {
					for _, e := range emails {
						add(e.ID, e.OrganizationID, e.NoteID, e.Status, e.Attempts, e.CreatedAt, orDash(e.ResolvedAt), orDash(e.Reason), orDash(e.LastProblem))
					}
				})
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&status, "status", "", "pending, sent, failed or skipped")
	flags.StringVar(&filter.NoteID, "note", "", "only of this note (nfse_...)")
	flags.IntVar(&filter.Limit, "limit", 100, "the most rows")
	return out.flag(command)
}

func emailRetryCommand() *cobra.Command {
	var out output
	return out.flag(&cobra.Command{
		Use:   "retry EMAIL",
		Short: "Send an e-mail that failed, was skipped or waits once more, at once",
		Long: "Send an e-mail that failed, was skipped or waits once more, at once.\n\n" +
			"It goes to the customer's present address, with a fresh count of attempts. A run that is still open is replaced.\n" +
			"An e-mail of a cancelled note, or to a customer without an address, is skipped again.",
		Args: cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				if err := s.RetryEmail(ctx, args[0]); err != nil {
					return err
				}
				return out.print(command.OutOrStdout(), args, "E-MAIL PUT ON ITS WAY AGAIN", func(add func(...any)) { add(args[0]) })
			})
		},
	})
}

func parseEmailStatus(s string) (store.EmailStatus, error) {
	switch status := store.EmailStatus(s); status {
	case "", store.EmailPending, store.EmailSent, store.EmailFailed, store.EmailSkipped:
		return status, nil
	}
	return "", errors.New("--status must be pending, sent, failed or skipped")
}
