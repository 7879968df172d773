package notes

import (
	"context"

	"emissor/nfse"
)

// CustomerTotals is what was issued to a customer, of the latest notes.
type CustomerTotals struct {
	Issued      int64 `db:"issued"`
	AmountCents int64 `db:"amount_cents"`
	Notes       int64 `db:"notes"` // in any state
	More        bool  `db:"more"`  // there are older ones, which are not counted
}

// notesCounted is how many of a customer's notes are counted at most.
const notesCounted = 1000

// TotalsOfCustomer counts the latest notes of a customer and adds up those that are issued.
func (s *Store) TotalsOfCustomer(ctx context.Context, scope nfse.Scope, id string) (totals CustomerTotals, err error) {
	err = s.db.Get(ctx, &totals, `
		SELECT count(*) FILTER (WHERE status = 'issued') AS issued,
			coalesce(sum(amount_cents) FILTER (WHERE status = 'issued'), 0)::bigint AS amount_cents,
			count(*) AS notes, count(*) >= $4 AS more
		FROM (SELECT status, amount_cents FROM notes WHERE organization_id = $1 AND livemode = $2 AND customer_id = $3
			ORDER BY organization_id DESC, livemode DESC, customer_id DESC, id DESC LIMIT $4) AS latest`,
		scope.OrganizationID, scope.Livemode, id, notesCounted)
	return totals, err
}
