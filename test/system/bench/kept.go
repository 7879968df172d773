package main

import (
	"context"
	"net/url"

	"github.com/jmoiron/sqlx"
)

// keptSizes are the bytes of the engine's databases once what is dead in them is gone: what a run leaves there until
// the namespace's retention is over. How much a database grew says less, since what is new finds room where other
// rows died.
func (b *bench) keptSizes(ctx context.Context) (map[string]int64, error) {
	for _, name := range []string{temporalDatabase, visibilityDatabase} {
		if err := b.compact(ctx, name); err != nil {
			return nil, err
		}
	}
	return b.databaseSizes(ctx)
}

// compact rewrites the tables of a database of the stack's server.
func (b *bench) compact(ctx context.Context, name string) error {
	address, err := url.Parse(b.stack.DatabaseURL)
	if err != nil {
		return err
	}
	address.Path = "/" + name
	database, err := sqlx.Open("postgres", address.String())
	if err != nil {
		return err
	}
	defer database.Close()
	_, err = database.ExecContext(ctx, `VACUUM FULL`)
	return err
}
