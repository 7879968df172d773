package store_test

import (
	"context"

	"github.com/jmoiron/sqlx"

	"emissor/store"
	"emissor/store/postgres"
)

// testLoop is a loop over a table of a test's own, which has the columns id and done. What
// it did is given to each, row by row, before it is committed.
type testLoop struct {
	Name, Table string
	Each        func(ctx context.Context, id string) error
}

// Run does the rows of the loop that are due, at most limit of them.
func (l testLoop) Run(ctx context.Context, s *store.Store, limit int) (looked int, err error) {
	return s.DoRows(ctx, postgres.RowLoop{
		Name: l.Name, ID: `id`, Reads: true,
		Due:  `SELECT id AS key FROM ` + l.Table + ` WHERE NOT done AND %s ORDER BY id LIMIT $1`,
		Lock: `FOR UPDATE`,
		Do:   `UPDATE ` + l.Table + ` SET done = true WHERE id = ANY(ARRAY(%s)) RETURNING id`,
	}, limit, func(ctx context.Context, db sqlx.QueryerContext, statement string, args ...any) (int, error) {
		var ids []string
		if err := sqlx.SelectContext(ctx, db, &ids, statement, args...); err != nil {
			return 0, err
		}
		for _, id := range ids {
			if err := l.Each(ctx, id); err != nil {
				return 0, err
			}
		}
		return len(ids), nil
	})
}
