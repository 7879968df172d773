package main

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/store"
)

func outboxCommand() *cobra.Command {
	var out output
	var limit int
	command := &cobra.Command{
		Use:   "outbox",
		Short: "List what waits to be started in the workflow engine, and why",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				waiting, err := s.WaitingStarts(ctx, limit)
				if err != nil {
					return err
				}
				header := "KIND\tID\tORGANIZATION\tENVIRONMENT\tREFERENCE\tCREATED\tATTEMPTS\tNEXT ATTEMPT\tLAST ERROR\tBLOCKED"
				return out.print(command.OutOrStdout(), waiting, header, func(add func(...any)) {
					for _, row := range waiting {
						add(row.Kind, row.SubjectID, row.OrganizationID, nfse.Environment(row.Livemode), row.Reference,
							row.CreatedAt, row.Attempts, row.NextAttemptAt, orDash(row.LastError), orDash(row.BlockedReason))
					}
				})
			})
		},
	}
	command.Flags().IntVar(&limit, "limit", 100, "the most rows, oldest first")
	return out.flag(command)
}
