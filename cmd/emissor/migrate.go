package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/dispatch"
)

// migrationTimeout is long: a migration may rewrite a large table.
const migrationTimeout = time.Hour

func migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database schema and Temporal's search attributes up to date",
		Long: "Bring the database schema and Temporal's search attributes up to date.\n\n" +
			"Run it before the first start and before every new version. It may be repeated, and several at once wait for each other.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error { return migrate(command.Context()) },
	}
}

func migrate(ctx context.Context) error {
	config, err := loadConfig()
	if err != nil {
		return err
	}
	logger := newLogger(config)
	database, err := openStore(ctx, config, migrationTimeout)
	if err != nil {
		return err
	}
	defer database.Close()
	if err := database.Migrate(ctx); err != nil {
		return err
	}
	logger.Info("the database schema is up to date")

	engine, err := dialTemporal(config, logger)
	if err != nil {
		return err
	}
	defer engine.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := dispatch.RegisterSearchAttributes(ctx, engine, config.TemporalNamespace); err != nil {
		return fmt.Errorf("Temporal at %s: %w", config.TemporalAddress, err)
	}
	logger.Info("the search attributes are registered", "namespace", config.TemporalNamespace)
	return nil
}
