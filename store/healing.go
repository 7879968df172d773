package store

import "context"

const requeuedOnceMore = `requeues = requeues + 1,
	requeue_after = now() + least(interval '10 minutes' * power(2, least(requeues + 1, 10)), interval '6 hours')`

// A note that is to be cancelled is started by that: also where notes cannot be
// issued, it can be done.
const whatItNeeds = `CASE WHEN cancellation_status IS NOT DISTINCT FROM 'pending' THEN 'cancellation' ELSE 'note' END`

// A live note's run may be open and wait for its authority.
const whatNudges = `CASE WHEN cancellation_status IS NOT DISTINCT FROM 'pending' THEN 'cancellation' WHEN livemode THEN 'resume' ELSE 'note' END`

// HealNotes puts back an outbox row for notes that should be moving and have
// not for a while, at most limit of them; each time the pause until the next is
// twice as long, up to six hours. Starting a note that is well is a no-op, so
// this heals terminated runs, a restored engine and lost rows alike. A note whose
// row is there already was looked at and not healed.
func (s *Store) HealNotes(ctx context.Context, limit int) (looked, healed int, err error) {
	err = s.db.QueryRowxContext(ctx, `
		WITH stale AS (
			SELECT id FROM notes
			WHERE (status IN ('queued', 'processing') OR cancellation_status = 'pending') AND requeue_after <= now()
			ORDER BY requeue_after LIMIT $1 FOR UPDATE SKIP LOCKED
		), looked AS (
			UPDATE notes SET `+requeuedOnceMore+`
			WHERE id IN (SELECT id FROM stale)
			RETURNING id, organization_id, livemode, reference, cancellation_status
		), healed AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
			SELECT `+whatItNeeds+`, id, organization_id, livemode, reference FROM looked
			ON CONFLICT (kind, subject_id) DO NOTHING
			RETURNING id
		)
		SELECT (SELECT count(*) FROM looked), (SELECT count(*) FROM healed)`, limit).Scan(&looked, &healed)
	return looked, healed, err
}

// HealDeliveries does the same for deliveries: those whose next attempt is long
// overdue.
func (s *Store) HealDeliveries(ctx context.Context, limit int) (looked, healed int, err error) {
	err = s.db.QueryRowxContext(ctx, `
		WITH stale AS (
			SELECT id FROM deliveries WHERE status = 'pending' AND requeue_after <= now()
			ORDER BY requeue_after LIMIT $1 FOR UPDATE SKIP LOCKED
		), looked AS (
			UPDATE deliveries SET `+requeuedOnceMore+`
			WHERE id IN (SELECT id FROM stale)
			RETURNING id, organization_id, livemode
		), healed AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode)
			SELECT 'delivery', id, organization_id, livemode FROM looked
			ON CONFLICT (kind, subject_id) DO NOTHING
			RETURNING id
		)
		SELECT (SELECT count(*) FROM looked), (SELECT count(*) FROM healed)`, limit).Scan(&looked, &healed)
	return looked, healed, err
}
