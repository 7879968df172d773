package notes

import (
	"context"
	"time"

	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// WaitingForPeople counts what a person of an organization should look at, each at most
// MostCounted.
type WaitingForPeople struct {
	HeldNotes         int `db:"held_notes"`
	QueuedNotes       int `db:"queued_notes"`     // accepted waitsLong ago, and not held
	ProcessingNotes   int `db:"processing_notes"` // begun waitsLong ago, and not held
	RejectedNotes     int `db:"rejected_notes"`   // within rejectedLately
	DisabledEndpoints int `db:"disabled_endpoints"`
	FailedDeliveries  int `db:"failed_deliveries"`
	StuckDeliveries   int `db:"stuck_deliveries"` // on their way, after stuckAfter attempts that failed
	FailedEmails      int `db:"failed_emails"`
	StuckEmails       int `db:"stuck_emails"`  // on their way, and could not be sent when they were tried
	NotStarted        int `db:"not_started"`   // that the engine did not take, while it took others
	MissedMonths      int `db:"missed_months"` // of recurring notes, that a person is asked about
}

const (
	waitsLong      = 5 * time.Minute
	RejectedLately = 7 * 24 * time.Hour
	stuckAfter     = 4
)

// movingNotes are notes of an organization that are not held, in one status; NotesIndexOrder is the
// order of the index that has them, the oldest first.
const (
	movingNotes = `organization_id = $1 AND livemode = $2 AND held_reason IS NULL`
)

// WaitingForPeople counts what waits for a person; of rejections, deliveries and e-mails
// those since a moment. They are counted in the order of an index, so that the planner uses
// it where there are many. Of what is on its way the oldest are looked at, which were tried
// most often. Only live notes are held.
func (s *Store) WaitingForPeople(ctx context.Context, scope nfse.Scope, since time.Time) (waiting WaitingForPeople,
	err error) {
	err = s.db.GetContext(ctx, &waiting, `
		SELECT (SELECT count(*) FROM (SELECT FROM notes WHERE $2 AND organization_id = $1 AND held_reason IS NOT NULL
				LIMIT $5) held) AS held_notes,
			(SELECT count(*) FROM (SELECT created_at FROM notes WHERE `+movingNotes+` AND status = 'queued'
				ORDER BY `+postgres.NotesIndexOrder+` LIMIT $5) queued WHERE created_at <= now() - make_interval(secs => $8))
				AS queued_notes,
			(SELECT count(*) FROM (SELECT processing_at FROM notes WHERE `+movingNotes+` AND status = 'processing'
				ORDER BY `+postgres.NotesIndexOrder+` LIMIT $5) begun WHERE processing_at <= now() - make_interval(secs => $8))
				AS processing_notes,
			(SELECT count(*) FROM (SELECT rejected_at FROM notes WHERE organization_id = $1 AND livemode = $2
				AND status = 'rejected' AND id >= $7 ORDER BY organization_id DESC, livemode DESC, status DESC, id DESC
				LIMIT $5) rejected WHERE rejected_at > now() - make_interval(secs => $9)) AS rejected_notes,
			(SELECT count(disabled_at) FROM (SELECT disabled_at FROM webhook_endpoints WHERE organization_id = $1
				AND livemode = $2 AND deleted_at IS NULL LIMIT $5) present) AS disabled_endpoints,
			(SELECT count(*) FROM (SELECT FROM deliveries WHERE organization_id = $1 AND livemode = $2
				AND status = 'failed' AND id >= $3 ORDER BY organization_id, livemode, status, id LIMIT $5) given_up)
				AS failed_deliveries,
			(SELECT count(*) FROM (SELECT id FROM deliveries WHERE organization_id = $1 AND livemode = $2
				AND status = 'pending' AND id >= $3 ORDER BY organization_id, livemode, status, id LIMIT $5) pending
				WHERE EXISTS (SELECT FROM delivery_attempts WHERE delivery_id = pending.id
					AND id >= $11 OFFSET $10 - 1))
				AS stuck_deliveries,
			(SELECT count(*) FROM (SELECT FROM emails WHERE $2 AND organization_id = $1 AND status = 'failed'
				AND id >= $4 ORDER BY organization_id, status, id LIMIT $5) given_up) AS failed_emails,
			(SELECT count(last_problem) FROM (SELECT last_problem FROM emails WHERE $2 AND organization_id = $1
				AND status = 'pending' AND id >= $4 ORDER BY organization_id, status, id LIMIT $5) pending)
				AS stuck_emails,
			(SELECT count(*) FROM (SELECT FROM outbox WHERE livemode = $2 AND kind = ANY($6) AND organization_id = $1
				AND failures > 0 LIMIT $5) not_started) AS not_started,
			(SELECT count(*) FROM (SELECT FROM recurring_months WHERE organization_id = $1 AND livemode = $2
				AND status = 'missed' LIMIT $5) missed) AS missed_months`,
		scope.OrganizationID, scope.Livemode, nfse.FirstID(nfse.PrefixDelivery, since),
		nfse.FirstID(nfse.PrefixEmail, since), postgres.MostCounted, pq.Array(outbox.StartKinds),
		nfse.FirstID(nfse.PrefixNote, since),
		waitsLong.Seconds(), RejectedLately.Seconds(), stuckAfter, postgres.FirstNumber(since.Add(-postgres.MadeTogether)))
	return waiting, err
}
