package store

import (
	"context"
	"sync"

	"github.com/jmoiron/sqlx"
)

// statements are those of which each note needs several: they are planned once for a
// connection, not once for a note.
type statements struct {
	mu   sync.Mutex
	made map[string]*sqlx.Stmt // by query
}

// prepared returns the prepared statement of a query. Preparing takes a connection, so
// it is never done inside a transaction, which has one already: there is one in
// advance, and tx.StmtxContext.
func (s *Store) prepared(ctx context.Context, query string) (*sqlx.Stmt, error) {
	s.statements.mu.Lock()
	defer s.statements.mu.Unlock()
	if statement := s.statements.made[query]; statement != nil {
		return statement, nil
	}
	statement, err := s.db.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if s.statements.made == nil {
		s.statements.made = map[string]*sqlx.Stmt{}
	}
	s.statements.made[query] = statement
	return statement, nil
}

// get reads one row of a prepared query.
func (s *Store) get(ctx context.Context, target any, query string, args ...any) error {
	statement, err := s.prepared(ctx, query)
	if err != nil {
		return err
	}
	return statement.GetContext(ctx, target, args...)
}

// all reads the rows of a prepared query.
func (s *Store) all(ctx context.Context, target any, query string, args ...any) error {
	statement, err := s.prepared(ctx, query)
	if err != nil {
		return err
	}
	return statement.SelectContext(ctx, target, args...)
}

// exec executes a prepared statement, and counts the rows that it touched.
func (s *Store) exec(ctx context.Context, query string, args ...any) (int, error) {
	statement, err := s.prepared(ctx, query)
	if err != nil {
		return 0, err
	}
	return affected(statement.ExecContext(ctx, args...))
}
