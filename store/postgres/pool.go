package postgres

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"strings"

	"github.com/jmoiron/sqlx"

	"emissor/internal/trace"
)

// pool is the pool of connections. What is asked outside a transaction is a span of its trace; a transaction is
// one span, and its statements have none of their own.
type pool struct{ *sqlx.DB }

// GetContext is sqlx's GetContext in a span of its own.
func (d pool) GetContext(ctx context.Context, target any, query string, args ...any) error {
	ctx, span := startSpan(ctx)
	return endSpan(span, d.DB.GetContext(ctx, target, query, args...))
}

// SelectContext is sqlx's SelectContext in a span of its own.
func (d pool) SelectContext(ctx context.Context, target any, query string, args ...any) error {
	ctx, span := startSpan(ctx)
	return endSpan(span, d.DB.SelectContext(ctx, target, query, args...))
}

// ExecContext is sqlx's ExecContext in a span of its own.
func (d pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	ctx, span := startSpan(ctx)
	result, err := d.DB.ExecContext(ctx, query, args...)
	return result, endSpan(span, err)
}

// QueryRowxContext is sqlx's QueryRowxContext in a span of its own.
func (d pool) QueryRowxContext(ctx context.Context, query string, args ...any) *sqlx.Row {
	ctx, span := startSpan(ctx)
	row := d.DB.QueryRowxContext(ctx, query, args...)
	_ = endSpan(span, row.Err())
	return row
}

// startSpan starts the span of what the database is asked, named for the method of this package that asks: SQL and its
// values stay here.
func startSpan(ctx context.Context) (context.Context, *trace.Span) {
	if !trace.Recorded(ctx) {
		return ctx, nil
	}
	return trace.StartCall(ctx, "store."+asking())
}

// endSpan ends a span and returns the error. That there is no such row is an answer.
func endSpan(span *trace.Span, err error) error {
	switch {
	case span == nil:
	case errors.Is(err, sql.ErrNoRows), errors.Is(err, ErrLostRace):
		span.End(nil)
	default:
		span.End(err)
	}
	return err
}

// thesePackages begin the names of the functions of store and its rooms.
const thesePackages = "emissor/store/"

// asking is the name of the method by which this package was called.
func asking() string {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers[:])])
	for method := ""; ; {
		frame, more := frames.Next()
		if name, is := strings.CutPrefix(frame.Function, thesePackages); is {
			method = name
		}
		if !more {
			return methodName(method)
		}
	}
}

// methodName is the name of a function as the runtime says it, (*Store).AcceptNote.func1, without its receiver and what
// is within it.
func methodName(function string) string {
	if _, method, is := strings.Cut(function, ")."); is {
		function = method
	}
	name, _, _ := strings.Cut(function, ".")
	return name
}
