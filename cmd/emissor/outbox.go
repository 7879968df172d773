package main

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/store/outbox"
)

var outboxTable = table[outbox.WaitingStart]{
	"KIND\tID\tORGANIZATION\tENVIRONMENT\tREFERENCE\tCREATED\tATTEMPTS\tNEXT ATTEMPT\tFAILURE\tLAST ERROR\tPAUSED",
	func(w outbox.WaitingStart) []any {
		return []any{w.Kind, w.SubjectID, w.OrganizationID, nfse.Environment(w.Livemode), w.Reference,
			w.CreatedAt, w.Attempts, w.NextAttemptAt, orDash((*string)(w.Failure)), orDash(w.LastError),
			orDash(orNone(w.PausedReason.English()))}
	},
}

func outboxCommand() *cobra.Command {
	command := newCommand("outbox", "List what waits to be started in the workflow engine, and why",
		"emissor outbox --limit 20", cobra.NoArgs)
	limit := command.Flags().Int("limit", 100, "the most rows, oldest first")
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		waiting, err := s.store.Outbox.WaitingStarts(ctx, *limit)
		return outboxTable.show(s, waiting, err)
	})
}
