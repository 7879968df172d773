package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"emissor/cmd/emissor/cli"
	"emissor/internal/retry"
	"emissor/store"
	"emissor/store/postgres"
	"emissor/worker/admission"
	"emissor/worker/dispatch"
)

// migrationTimeout bounds a statement of a migration, which may rewrite a large
// table.
const migrationTimeout = time.Hour

func MigrateCommand() *cobra.Command {
	var databaseOnly bool
	migration := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database schema, its grants and Temporal's search attributes up to date",
		Long: `Bring the database schema, its grants and Temporal's search attributes up to date.

It wants the account that owns the database, and alone changes the schema. API, worker and operator's commands may each
have an account of their own, a member of the role of its kind (EMISSOR_DATABASE_ROLE_PREFIX): those are made where this
account may make roles, and given what they need and no more. Where they do not exist, all use one account.

Run it before the first start and before every new version. It may be repeated, and several at once wait for each
other. A schema that is newer than the program's stays as it is. Where Temporal does not let us add search attributes,
it says which are missing and how they are made. A worker takes no work before they are there.

A namespace that keeps runs that have ended for 30 days, as the deployments of version 1.0 had it, keeps them for 72
hours afterwards. That is done once: another time, and whatever is set later, stays.`,
		Example: `emissor migrate
emissor migrate --database-only`,
		Args: cobra.NoArgs,
	}
	asJSON := cli.JSONFlag(migration)
	migration.Flags().BoolVar(&databaseOnly, "database-only", false,
		"leave Temporal to another run: API and dashboard accept without it")
	migration.RunE = func(command *cobra.Command, _ []string) error {
		done, err := migrate(command.Context(), databaseOnly)
		if err != nil || !*asJSON {
			return err
		}
		return cli.PrintJSON(command.OutOrStdout(), done)
	}
	return migration
}

// Migrated is what a migration found and did, as JSON; the log says it to people.
type Migrated struct {
	Schema           int64             `json:"schema"`                 // that this program makes and needs
	Before           int64             `json:"database_schema_before"` // 0: it was never migrated
	DatabaseSchema   int64             `json:"database_schema"`
	MissingRoles     []string          `json:"missing_roles"` // that this account may not make
	RoleProblems     []string          `json:"role_problems"` // what roles may do and should not
	SearchAttributes migrateAttributes `json:"search_attributes"`
}

// migrateAttributes is what became of Temporal's search attributes.
type migrateAttributes string

const (
	AttributesRegistered migrateAttributes = "registered"
	attributesUnseen     migrateAttributes = "unseen" // they could not be looked at
	attributesLeft       migrateAttributes = "left"   // to another run
)

func migrate(ctx context.Context, databaseOnly bool) (done Migrated, err error) {
	config, err := cli.LoadConfig()
	if err != nil {
		return done, err
	}
	logger := newLogger(config)
	warnOfEavesdroppers(config, logger)
	if done, err = migrateDatabase(ctx, config, logger); err != nil {
		return done, err
	}
	if done.SearchAttributes = attributesLeft; !databaseOnly {
		done.SearchAttributes, err = migrateEngine(ctx, config, logger)
	}
	return done, err
}

func migrateDatabase(ctx context.Context, config cli.Config, logger *slog.Logger) (Migrated, error) {
	database, err := cli.OpenStore(ctx, config, migrationTimeout, postgres.Rows{}, postgres.DocumentArchive{})
	if err != nil {
		return Migrated{}, err
	}
	defer database.Close()
	return migrateSchema(ctx, database, config.Roles(), logger)
}

func migrateEngine(ctx context.Context, config cli.Config, logger *slog.Logger) (migrateAttributes, error) {
	engine, err := dialTemporal(config, logger, admission.New(config.EngineLatency), nil)
	if err != nil {
		return "", err
	}
	defer engine.Close()
	attributes := AttributesRegistered
	err = registerSearchAttributes(ctx, engine, config.TemporalNamespace)
	switch {
	case errors.Is(err, dispatch.ErrAttributesUnseen):
		attributes = attributesUnseen
		logger.Warn("the search attributes could not be looked at", "namespace", config.TemporalNamespace, "error", err)
	case err != nil:
		return "", fmt.Errorf("the engine at %s, namespace %s: %w", config.TemporalAddress, config.TemporalNamespace,
			err)
	default:
		logger.Info("the search attributes are registered", "namespace", config.TemporalNamespace)
	}
	setRetention(ctx, engine, config.TemporalNamespace, logger)
	return attributes, nil
}

// setRetention sets for how long the namespace keeps runs that have ended. Where it may not, that is its operator's
// matter: nothing depends on it but room.
func setRetention(ctx context.Context, engine client.Client, namespace string, logger *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	kept, err := dispatch.SetRetention(ctx, engine, namespace)
	switch {
	case err != nil:
		logger.Info("how long the namespace keeps runs that have ended stays as it is", "namespace", namespace,
			"wanted", dispatch.ClosedRunsKept.String(), "error", err)
	case kept.Now != kept.Before:
		logger.Warn("the namespace keeps runs that have ended for a shorter time from now on; set another one by "+
			"`temporal operator namespace update`, which stays", "namespace", namespace, "before", kept.Before.String(),
			"now", kept.Now.String())
	}
}

// migrateSchema leaves a schema that is newer than this program's as it is, and its grants, too: the
// program was rolled back, and those of the next version may still run.
func migrateSchema(
	ctx context.Context, database *store.Store, roles store.Roles, logger *slog.Logger,
) (done Migrated, err error) {
	present, err := database.DatabaseSchema(ctx)
	if err != nil {
		return done, err
	}
	done = Migrated{Schema: store.ProgramSchema(), Before: present, DatabaseSchema: present, MissingRoles: []string{},
		RoleProblems: []string{}}
	if present > done.Schema {
		logger.Info("the database schema is newer than this program's: nothing is changed in it",
			"schema", done.Schema, "database_schema", present)
		return done, nil
	}
	if present < done.Schema {
		logger.Info("the database schema is brought up to date, and waits where a table is in use",
			"schema", done.Schema, "database_schema", present)
	}
	if err := database.Migrate(ctx); err != nil {
		return done, err
	}
	granted, err := grant(ctx, database, roles, logger)
	if err != nil {
		return done, err
	}
	done.DatabaseSchema = done.Schema
	done.MissingRoles = append(done.MissingRoles, granted.Missing...)
	done.RoleProblems = append(done.RoleProblems, granted.Problems...)
	logger.Info("the database schema is up to date", "version", cli.Version(), "schema", done.Schema)
	return done, nil
}

// grant grants the database's roles what they need. The roles need not exist: everything
// then runs with one account.
func grant(
	ctx context.Context, database *store.Store, roles store.Roles, logger *slog.Logger,
) (store.Granted, error) {
	granted, err := database.Grant(ctx, roles)
	if err != nil {
		return granted, err
	}
	for _, role := range granted.Missing {
		logger.Info("the role does not exist, and this account may not make it: nothing is granted to it", "role", role)
	}
	for _, problem := range granted.Problems {
		logger.Warn("a role may do too much", "problem", problem)
	}
	logger.Info("the roles have their grants")
	return granted, nil
}

// registerSearchAttributes registers the search attributes. It waits up to a minute
// for a namespace that was only just made: a server does not see it at once.
func registerSearchAttributes(ctx context.Context, engine client.Client, namespace string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		err := registerOnce(ctx, engine, namespace)
		var unseen *serviceerror.NamespaceNotFound
		if !errors.As(err, &unseen) {
			return err
		}
		if retry.Sleep(ctx, time.Second) != nil {
			return err
		}
	}
}

// registerOnce makes one attempt, and gives up after ten seconds without an
// answer. That the namespace is there, and is ours, it asks first: what is refused after
// that is what is refused to us, and not a wrong key.
func registerOnce(ctx context.Context, engine client.Client, namespace string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := dispatch.CheckNamespace(ctx, engine, namespace); err != nil {
		return err
	}
	return dispatch.RegisterSearchAttributes(ctx, engine, namespace)
}
