package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// How long a process waits for another's migrations, which may rewrite a large
// table: an hour.
const (
	lockPause = 1 // seconds between two tries
	lockTries = 3600
)

// Migrate brings the schema up to date. Several processes may call it at once:
// one works, the others wait.
func (s *Store) Migrate(ctx context.Context) error {
	provider, err := s.migrations()
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("store: migrate: %w", err)
	}
	return nil
}

// CheckSchema tells a process that it was started before `emissor migrate`.
func (s *Store) CheckSchema(ctx context.Context) error {
	provider, err := s.migrations()
	if err != nil {
		return err
	}
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("store: read the schema version: %w", err)
	}
	if current < target {
		return fmt.Errorf("store: the database schema is at version %d and this program needs %d: "+
			"run `emissor migrate` first", current, target)
	}
	return nil
}

func (s *Store) migrations() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockPause, lockTries))
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, s.db.DB, files, goose.WithSessionLocker(locker))
	if err != nil {
		return nil, fmt.Errorf("store: migrations: %w", err)
	}
	return provider, nil
}
