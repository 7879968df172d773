package operate

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/imported"
)

func ClassificationCommand() *cobra.Command {
	return cli.CommandGroup("classification", "Manage the tables by which services are classified for IBS and CBS",
		classificationImportCommand(), classificationListCommand(), classificationShowCommand())
}

// Editions are all editions, for one run of a command.
func Editions(ctx context.Context, s *cli.CommandRun) (*classification.Editions, error) {
	source := imported.NewSource(s.Store, slog.New(slog.DiscardHandler))
	err := source.Load(ctx)
	return source.Editions(), err
}
