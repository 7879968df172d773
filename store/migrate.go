package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"emissor/store/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// How long a process waits for another's migrations, which may rewrite a large
// table: an hour.
const (
	turnPause = 1 // seconds between two tries
	turnTries = 3600
)

// Migrate brings the schema up to date. Several processes may call it at once:
// one works, the others wait. A migration that does not get a lock in a second lets those
// go on who wait behind it, and is tried again.
func (s *Store) Migrate(ctx context.Context) error {
	provider, err := s.migrations()
	if err != nil {
		return err
	}
	if err := s.checkHistory(ctx); err != nil {
		return err
	}
	err = postgres.RetriedWhileBusy(ctx, func() error {
		_, err := provider.Up(ctx)
		return err
	})
	if pq.As(err, pqerror.InsufficientPrivilege) != nil {
		return fmt.Errorf("%w: %w", ErrNotOwner, err)
	}
	if err != nil {
		return fmt.Errorf("store: migrate: %w", err)
	}
	if err := s.Operate.AddParts(ctx); err != nil {
		return fmt.Errorf("store: migrate: %w", err)
	}
	return nil
}

// CheckSchema is an error where the schema is older than the program: `emissor migrate` has
// to run first. A newer one is good: the program was rolled back, or the next one is rolled out, and
// migrations leave the version before running. It only reads, so that every role may call it.
func (s *Store) CheckSchema(ctx context.Context) error {
	if err := s.checkHistory(ctx); err != nil {
		return err
	}
	current, err := s.DatabaseSchema(ctx)
	if pq.As(err, pqerror.InsufficientPrivilege) != nil {
		return errors.New("store: this database account may not read the tables: make it a member of its role, " +
			"and run `emissor migrate`, which makes the grants")
	}
	if err != nil {
		return fmt.Errorf("store: read the schema version: %w", err)
	}
	if needed := ProgramSchema(); current < needed {
		return fmt.Errorf("store: the database schema is at version %d and this program needs %d: "+
			"run `emissor migrate` first", current, needed)
	}
	return nil
}

// CheckDashboard is an error where the account of a process with the dashboard is not in
// the dashboard's role.
func (s *Store) CheckDashboard(ctx context.Context) error {
	var may bool
	err := s.DB.GetContext(ctx, &may, `SELECT has_table_privilege('sessions', 'INSERT')`)
	if err == nil && !may {
		err = errors.New("store: this database account may not do what the dashboard does: make it a member of " +
			"the dashboard's role as well, and run `emissor migrate`, which makes the grants")
	}
	return err
}

// errOldDatabase says what to do with a database that was made before the foundation.
var errOldDatabase = errors.New("store: this database was made before the first release, from which nothing is " +
	"taken over: run \"make clean\" if it is that of \"make run\", or use an empty database, then start again")

// checkHistory refuses a database that was made before the foundation. It changes nothing in it.
func (s *Store) checkHistory(ctx context.Context) error {
	var old bool
	err := s.DB.GetContext(ctx, &old, `SELECT to_regclass('goose_db_version') IS NOT NULL
		OR to_regclass('schema_versions') IS NOT NULL
		OR to_regclass('organizations') IS NOT NULL AND to_regclass($1) IS NULL`, postgres.VersionTable)
	if err == nil && old {
		err = errOldDatabase
	}
	return err
}

// ProgramSchema is the version of the schema that this program makes and needs: that of its
// last migration.
func ProgramSchema() (version int64) {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		panic(err) // they are built in
	}
	for _, file := range files {
		one, err := goose.NumericComponent(file.Name())
		if err != nil {
			panic(err)
		}
		version = max(version, one)
	}
	return version
}

// DatabaseSchema is the version of the database's schema; 0 for one that was never migrated.
func (s *Store) DatabaseSchema(ctx context.Context) (version int64, err error) {
	var migrated bool
	err = s.DB.GetContext(ctx, &migrated, `SELECT to_regclass($1) IS NOT NULL`, postgres.VersionTable)
	if err != nil || !migrated {
		return 0, err
	}
	err = s.DB.GetContext(ctx, &version, `SELECT coalesce(max(version_id), 0) FROM `+postgres.VersionTable)
	return version, err
}

func (s *Store) migrations() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(turnPause, turnTries))
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, s.DB.DB.DB, files, goose.WithSessionLocker(locker),
		goose.WithTableName(postgres.VersionTable))
	if err != nil {
		return nil, fmt.Errorf("store: migrations: %w", err)
	}
	return provider, nil
}
