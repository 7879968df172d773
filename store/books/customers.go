package books

import (
	"context"

	"emissor/nfse"
	"emissor/store/postgres"
)

// CustomerMonth is what the issued notes of a month come to for a customer.
type CustomerMonth struct {
	Name        string `db:"name"` // now
	AmountCents int64  `db:"amount_cents"`
	ISSCents    int64  `db:"iss_cents"`
}

// LargestCustomers are the customers of a month to whom the most was issued, at most limit. Nothing adds up by
// customer, so that it reads each note of the month: whoever asks knows that they are few.
func (s *Store) LargestCustomers(
	ctx context.Context, scope nfse.Scope, month nfse.Month, limit int,
) (customers []CustomerMonth, err error) {
	err = s.db.SelectContext(ctx, &customers, `
		SELECT c.name, largest.amount_cents, largest.iss_cents FROM (
			SELECT customer_id, least(sum(amount_cents), 9223372036854775807)::bigint AS amount_cents,
				least(sum(coalesce((authority_totals ->> 'iss_cents')::numeric, 0)), 9223372036854775807)::bigint
					AS iss_cents
			FROM notes WHERE organization_id = $1 AND livemode = $2 AND competence >= $3::date
				AND competence < ($3::date + interval '1 month')::date AND status = 'issued' AND issued_at IS NOT NULL
			GROUP BY customer_id ORDER BY 2 DESC, customer_id LIMIT $4) largest
		JOIN customers c ON (c.organization_id, c.livemode, c.id) = ($1, $2, largest.customer_id)
		ORDER BY largest.amount_cents DESC, c.id`,
		scope.OrganizationID, scope.Livemode, postgres.FirstDay(month), limit)
	return customers, err
}
