package main

import (
	"context"
	"fmt"
)

// poisonRows is how many rows of the outbox each organization has that the engine never
// takes, because a workflow id with such a character cannot be sent.
const poisonRows = 3

// poison puts rows into the outbox that can never be started, older than everything that
// comes: none may keep another row waiting.
func (s *system) poison(ctx context.Context) error {
	for _, o := range s.organizations {
		for i := range poisonRows {
			if _, err := s.database.SQL.ExecContext(ctx, `
				INSERT INTO outbox (kind, subject_id, organization_id, livemode) VALUES ('delivery', $1, $2, false)`,
				fmt.Sprintf("poison é %d %s", i, o.ID), o.ID); err != nil {
				return fmt.Errorf("make poison rows: %w", err)
			}
		}
	}
	return nil
}

// notPoison holds for the other rows of the outbox.
const notPoison = `subject_id NOT LIKE 'poison %'`

// checkPoison expects that all poison rows were tried, and are put off: else nothing was
// tested by them.
func (f *findings) checkPoison(ctx context.Context) error {
	untried, err := f.system.count(ctx, `SELECT count(*) FROM outbox
		WHERE subject_id LIKE 'poison %' AND failure IS NULL`)
	if err == nil && untried > 0 {
		err = fmt.Errorf("%d poison rows were never tried", untried)
	}
	return err
}
