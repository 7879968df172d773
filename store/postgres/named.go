package postgres

import (
	"context"
)

// Named is a connection or a transaction that binds named parameters.
type Named interface {
	BindNamed(query string, parameters any) (bound string, args []any, err error)
	GetContext(ctx context.Context, target any, query string, args ...any) error
}

// GetNamed reads one row of a query whose parameters are named: :name is the
// field of a struct with that db tag, or the value of a map. The query has no other
// colon, so that casts are CAST(x AS type).
func GetNamed(ctx context.Context, db Named, target any, query string, parameters any) error {
	bound, args, err := db.BindNamed(query, parameters)
	if err != nil {
		return err
	}
	return db.GetContext(ctx, target, bound, args...)
}
