package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"emissor/store/mails"
)

func emailCommand() *cobra.Command {
	return commandGroup("email", "Look at the e-mails to customers of live notes and send failed ones again",
		emailListCommand(), emailRetryCommand())
}

var emailTable = table[mails.Email]{
	"ID\tORGANIZATION\tNOTE\tSTATUS\tATTEMPTS\tCREATED\tENDED\tREASON\tLAST PROBLEM",
	func(e mails.Email) []any {
		return []any{e.ID, e.OrganizationID, e.NoteID, e.Status, e.Attempts, e.CreatedAt,
			orDash(e.ResolvedAt), cmp.Or(e.Reason.English(), "-"), cmp.Or(e.LastProblem.English(), "-")}
	},
}

func emailListCommand() *cobra.Command {
	command := newCommand("list", "List e-mails, newest first",
		"emissor email list --status failed", cobra.NoArgs)
	var filter mails.EmailFilter
	flags := command.Flags()
	status := flags.String("status", "", "pending, sent, failed or skipped")
	statuses := []mails.EmailStatus{mails.EmailPending, mails.EmailSent, mails.EmailFailed, mails.EmailSkipped}
	completeFlag(command, "status", statuses...)
	flags.StringVar(&filter.NoteID, "note", "", "only of this note (nfse_...)")
	flags.IntVar(&filter.Limit, "limit", 100, "the most rows")
	return checkedCommand(command, func([]string) (err error) {
		if *status != "" {
			filter.Status, err = parseStatus(*status, statuses...)
		}
		return err
	}, func(ctx context.Context, s *commandRun) error {
		emails, err := s.store.Mails.Emails(ctx, filter)
		return emailTable.show(s, emails, err)
	})
}

func emailRetryCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "retry EMAIL",
		Short: "Send an e-mail that failed, was skipped or waits once more, at once",
		Long: `Send an e-mail that failed, was skipped or waits once more, at once.

It goes to the customer's present address, with a fresh count of attempts. A run that is still open is replaced.
An e-mail of a cancelled note, or to a customer without an address, is skipped again.`,
		Example: "emissor email retry eml_01m0a5tdzkfhmbeqmrrzyzvt8q",
		Args:    cobra.ExactArgs(1),
	}
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		if err := s.changes.Mails.RetryEmail(ctx, s.args[0]); err != nil {
			return err
		}
		return s.print(s.args, "E-MAIL PUT ON ITS WAY AGAIN", [][]any{{s.args[0]}})
	})
}
