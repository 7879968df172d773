package main

import (
	"context"

	"emissor/test/harness"
)

// pastMonths are those of the years that are filled.
const pastMonths = 49

// makePastParts makes their parts where the database has tables in parts.
func (i *installation) makePastParts(ctx context.Context) error {
	var inParts bool
	if err := i.database.SQL.GetContext(ctx, &inParts, `SELECT to_regclass('parts') IS NOT NULL`); err != nil || !inParts {
		return err
	}
	return i.alone(ctx, harness.PastParts(pastMonths))
}
