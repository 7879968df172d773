package callers

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/client"
	"emissor/cmd/emissor/cli"
)

// callerList completes a caller's command that lists records, a page of the API at a time.
func callerList[T any](command *cobra.Command, records cli.Table[T],
	list func(*client.Client, context.Context, client.Page) (client.List[T], error),
) *cobra.Command {
	var page client.Page
	command.Flags().IntVar(&page.Limit, "limit", 100, "the most rows, at most 100")
	command.Flags().StringVar(&page.StartingAfter, "starting-after", "", "only what is older than this id")
	return cli.CallerCommand(command, func(ctx context.Context, s *cli.CallerRun) error {
		found, err := list(s.Client, ctx, page)
		if err != nil {
			return err
		}
		if err := s.Print(found, records.Header, cli.Mapped(found.Data, records.Row)); err != nil {
			return err
		}
		if found.NextCursor != nil && !s.Json {
			fmt.Fprintf(command.ErrOrStderr(), "the list ends at --limit %d: go on with --starting-after %s\n",
				page.Limit, *found.NextCursor)
		}
		return nil
	})
}

// callerShow completes a caller's command that shows one record, with its id as the argument.
func callerShow[T any](command *cobra.Command, records cli.Table[T],
	read func(*client.Client, context.Context, string) (T, error),
) *cobra.Command {
	return cli.CallerCommand(command, func(ctx context.Context, s *cli.CallerRun) error {
		record, err := read(s.Client, ctx, s.Args[0])
		if err != nil {
			return err
		}
		return records.PrintOne(&s.CommandRun, record)
	})
}
