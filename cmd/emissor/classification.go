package main

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/imported"
)

func classificationCommand() *cobra.Command {
	return commandGroup("classification", "Manage the tables by which services are classified for IBS and CBS",
		classificationImportCommand(), classificationListCommand(), classificationShowCommand())
}

// editions are all editions, for one run of a command.
func (s *commandRun) editions(ctx context.Context) (*classification.Editions, error) {
	source := imported.NewSource(s.store, slog.New(slog.DiscardHandler))
	err := source.Load(ctx)
	return source.Editions(), err
}
