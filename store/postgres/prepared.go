package postgres

import (
	"context"
	"database/sql"
	"sync"

	"github.com/jmoiron/sqlx"
)

// statements are the queries that every note needs: they are planned once for a
// connection, not once for a note.
type statements struct {
	made sync.Map // *sqlx.Stmt by query
}

func (s *DB) made(query string) *sqlx.Stmt {
	statement, _ := s.statements.made.Load(query)
	made, _ := statement.(*sqlx.Stmt)
	return made
}

// Prepared returns the prepared statement of a query, and prepares it the first time.
// That takes a connection, so it is not called within a transaction, which has one.
func (s *DB) Prepared(ctx context.Context, query string) (*sqlx.Stmt, error) {
	if statement := s.made(query); statement != nil {
		return statement, nil
	}
	statement, err := s.pool.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if first, others := s.statements.made.LoadOrStore(query, statement); others {
		_ = statement.Close()
		return first.(*sqlx.Stmt), nil
	}
	return statement, nil
}

// Get reads one row of a prepared query.
func (s *DB) Get(ctx context.Context, target any, query string, args ...any) error {
	statement, err := s.Prepared(ctx, query)
	if err != nil {
		return err
	}
	ctx, span := startSpan(ctx)
	return endSpan(span, statement.GetContext(ctx, target, args...))
}

// All reads the rows of a prepared query.
func (s *DB) All(ctx context.Context, target any, query string, args ...any) error {
	statement, err := s.Prepared(ctx, query)
	if err != nil {
		return err
	}
	ctx, span := startSpan(ctx)
	return endSpan(span, statement.SelectContext(ctx, target, args...))
}

// planned are queries that are prepared, each of them the first time.
type planned struct{ s *DB }

// QueryContext implements sqlx.QueryerContext.
func (p planned) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	statement, err := p.s.Prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return statement.QueryContext(ctx, args...)
}

// QueryxContext implements sqlx.QueryerContext.
func (p planned) QueryxContext(ctx context.Context, query string, args ...any) (*sqlx.Rows, error) {
	statement, err := p.s.Prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return statement.QueryxContext(ctx, args...)
}

// QueryRowxContext implements sqlx.QueryerContext. A query that cannot be prepared is sent as it is, so that the
// row's error says why.
func (p planned) QueryRowxContext(ctx context.Context, query string, args ...any) *sqlx.Row {
	statement, err := p.s.Prepared(ctx, query)
	if err != nil {
		return p.s.pool.QueryRowxContext(ctx, query, args...)
	}
	return statement.QueryRowxContext(ctx, args...)
}

// Exec executes a prepared statement, and counts the rows that it touched.
func (s *DB) Exec(ctx context.Context, query string, args ...any) (int, error) {
	statement, err := s.Prepared(ctx, query)
	if err != nil {
		return 0, err
	}
	ctx, span := startSpan(ctx)
	touched, err := Affected(statement.ExecContext(ctx, args...))
	return touched, endSpan(span, err)
}

// statement is a query within a transaction.
type statement interface {
	GetContext(ctx context.Context, target any, args ...any) error
	SelectContext(ctx context.Context, target any, args ...any) error
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
}

// Within returns a query as a statement of a transaction. The transaction has its
// connection, so the first time the query is sent as it is, and prepared for the next.
func (s *DB) Within(ctx context.Context, tx *sqlx.Tx, query string) statement {
	if statement := s.made(query); statement != nil {
		return tx.StmtxContext(ctx, statement)
	}
	go func() { _, _ = s.Prepared(context.WithoutCancel(ctx), query) }()
	return unprepared{tx, query}
}

// unprepared is a query that is planned when it is executed.
type unprepared struct {
	tx    *sqlx.Tx
	query string
}

func (u unprepared) GetContext(ctx context.Context, target any, args ...any) error {
	return u.tx.GetContext(ctx, target, u.query, args...)
}

func (u unprepared) SelectContext(ctx context.Context, target any, args ...any) error {
	return u.tx.SelectContext(ctx, target, u.query, args...)
}

func (u unprepared) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return u.tx.ExecContext(ctx, u.query, args...)
}
