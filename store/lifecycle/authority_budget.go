package lifecycle

import (
	"context"
	"database/sql"
	"errors"
)

// CallBudget is how often an authority may be called, by all workers together.
type CallBudget struct {
	Authority string
	Rate      float64 // calls a second
	Burst     float64 // calls that may be saved up
}

// TakeCalls takes from a budget as many calls as it has, at most want, and returns
// how many.
func (s *Store) TakeCalls(ctx context.Context, budget CallBudget, want int) (granted int, err error) {
	return s.drawCalls(ctx, budget, want, false)
}

// SpendCalls takes calls from a budget even where it has fewer, for callers whose rate is
// bounded otherwise. As long as the budget is negative TakeCalls gives none.
func (s *Store) SpendCalls(ctx context.Context, budget CallBudget, calls int) error {
	_, err := s.drawCalls(ctx, budget, calls, true)
	return err
}

// drawCalls refills the budget for the time that has passed, then draws on it. It
// is one UPDATE of one row, so that workers draw one after the other.
func (s *Store) drawCalls(ctx context.Context, budget CallBudget, calls int, always bool) (granted int, err error) {
	const (
		filled = `least($2::float8, tokens + $3::float8 * extract(epoch FROM clock_timestamp() - refilled_at)::float8)`
		drawn  = `CASE WHEN $5 THEN $4::integer
			ELSE greatest(0, least($4::integer, floor(` + filled + `)))::integer END`
	)
	draw := func() error {
		return s.db.Get(ctx, &granted, `
			UPDATE authority_budgets SET granted = `+drawn+`, tokens = `+filled+` - `+drawn+`,
				refilled_at = clock_timestamp()
			WHERE authority = $1 RETURNING granted`,
			budget.Authority, budget.Burst, budget.Rate, calls, always)
	}
	if err = draw(); !errors.Is(err, sql.ErrNoRows) {
		return granted, err
	}
	if _, err := s.db.ExecContext(ctx, `INSERT INTO authority_budgets (authority, tokens) VALUES ($1, $2)
		ON CONFLICT DO NOTHING`, budget.Authority, budget.Burst); err != nil {
		return 0, err
	}
	err = draw()
	return granted, err
}
