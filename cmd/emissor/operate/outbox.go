package operate

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/store/outbox"
)

var outboxTable = cli.Table[outbox.WaitingStart]{
	Header: "KIND\tID\tORGANIZATION\tENVIRONMENT\tREFERENCE\tCREATED\tATTEMPTS\tNEXT ATTEMPT\tFAILURE\tLAST ERROR\tPAUSED",
	Row: func(w outbox.WaitingStart) []any {
		return []any{w.Kind, w.SubjectID, w.OrganizationID, nfse.Environment(w.Livemode), w.Reference,
			w.CreatedAt, w.Attempts, w.NextAttemptAt, cli.OrDash((*string)(w.Failure)), cli.OrDash(w.LastError),
			cli.OrDash(cli.OrNone(w.PausedReason.English()))}
	},
}

func OutboxCommand() *cobra.Command {
	command := cli.NewCommand("outbox", "List what waits to be started in the workflow engine, and why",
		"emissor outbox --limit 20", cobra.NoArgs)
	limit := command.Flags().Int("limit", 100, "the most rows, oldest first")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		waiting, err := s.Store.Outbox.WaitingStarts(ctx, *limit)
		return outboxTable.Show(s, waiting, err)
	})
}
