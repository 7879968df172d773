package operate

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/store/mails"
)

func EmailCommand() *cobra.Command {
	return cli.CommandGroup("email", "Look at the e-mails to customers of live notes and send failed ones again",
		emailListCommand(), emailRetryCommand())
}

var emailTable = cli.Table[mails.Email]{
	Header: "ID\tORGANIZATION\tNOTE\tSTATUS\tATTEMPTS\tCREATED\tENDED\tREASON\tLAST PROBLEM",
	Row: func(e mails.Email) []any {
		return []any{e.ID, e.OrganizationID, e.NoteID, e.Status, e.Attempts, e.CreatedAt,
			cli.OrDash(e.ResolvedAt), cmp.Or(e.Reason.English(), "-"), cmp.Or(e.LastProblem.English(), "-")}
	},
}

func emailListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List e-mails, newest first",
		"emissor email list --status failed", cobra.NoArgs)
	var filter mails.EmailFilter
	flags := command.Flags()
	status := flags.String("status", "", "pending, sent, failed or skipped")
	statuses := []mails.EmailStatus{mails.EmailPending, mails.EmailSent, mails.EmailFailed, mails.EmailSkipped}
	cli.CompleteFlag(command, "status", statuses...)
	flags.StringVar(&filter.NoteID, "note", "", "only of this note (nfse_...)")
	flags.IntVar(&filter.Limit, "limit", 100, "the most rows")
	return cli.CheckedCommand(command, func([]string) (err error) {
		if *status != "" {
			filter.Status, err = cli.ParseStatus(*status, statuses...)
		}
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		emails, err := s.Store.Mails.Emails(ctx, filter)
		return emailTable.Show(s, emails, err)
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
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		if err := s.Changes.Mails.RetryEmail(ctx, s.Args[0]); err != nil {
			return err
		}
		return s.Print(s.Args, "E-MAIL PUT ON ITS WAY AGAIN", [][]any{{s.Args[0]}})
	})
}
