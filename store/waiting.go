package store

import (
	"context"
	"time"

	"emissor/nfse"
)

// WaitingForPeople counts what a person of an organization should look at.
type WaitingForPeople struct {
	HeldNotes         int `db:"held_notes"`
	DisabledEndpoints int `db:"disabled_endpoints"`
	FailedDeliveries  int `db:"failed_deliveries"` // at most mostCounted
	FailedEmails      int `db:"failed_emails"`
}

// mostCounted is where counting ends: it says "many".
const mostCounted = 1000

// WaitingForPeople counts what waits for a person; of deliveries and e-mails those
// since a moment. The order in which they are counted is that of an index, so that the
// planner keeps to it where there are many.
func (s *Store) WaitingForPeople(ctx context.Context, scope nfse.Scope, since time.Time) (waiting WaitingForPeople,
	err error) {
	err = s.db.GetContext(ctx, &waiting, `
		SELECT (SELECT count(*) FROM notes WHERE organization_id = $1 AND held_reason IS NOT NULL AND livemode = $2)
				AS held_notes,
			(SELECT count(*) FROM webhook_endpoints WHERE organization_id = $1 AND livemode = $2
				AND deleted_at IS NULL AND disabled_at IS NOT NULL) AS disabled_endpoints,
			(SELECT count(*) FROM (SELECT FROM deliveries WHERE organization_id = $1 AND livemode = $2
				AND status = 'failed' AND id >= $3 ORDER BY organization_id, livemode, status, id LIMIT $5) given_up)
				AS failed_deliveries,
			(SELECT count(*) FROM (SELECT FROM emails WHERE $2 AND organization_id = $1 AND status = 'failed'
				AND id >= $4 ORDER BY organization_id, status, id LIMIT $5) given_up) AS failed_emails`,
		scope.OrganizationID, scope.Livemode, nfse.FirstID(nfse.PrefixDelivery, since),
		nfse.FirstID(nfse.PrefixEmail, since), mostCounted)
	return waiting, err
}
