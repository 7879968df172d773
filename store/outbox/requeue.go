package outbox

import (
	"context"

	"emissor/store/postgres"
)

const (
	// RequeuePause is how long something must not have moved before it is requeued. The
	// defaults of requeue_after in the schema are the same.
	RequeuePause = `interval '10 minutes'`

	// RequeueLater is for something that has moved: it is not requeued before another pause.
	RequeueLater = `requeue_after = now() + ` + RequeuePause + `, requeues = 0`

	requeuedOnceMore = `requeues = requeues + 1,
		requeue_after = now() + least(` + RequeuePause + ` * power(2, least(requeues + 1, 10)), interval '6 hours')`

	// A note that is to be cancelled is started as a cancellation, which processes that
	// cannot issue notes take too.
	noteStartKind = `CASE WHEN cancellation_status IS NOT DISTINCT FROM 'pending' THEN 'cancellation' ELSE 'note' END`

	// A live note's run may be open and wait for its authority.
	NoteWakeUpKind = `CASE WHEN cancellation_status IS NOT DISTINCT FROM 'pending' THEN 'cancellation'
		WHEN livemode THEN 'resume' ELSE 'note' END`
)

// RequeueNotes puts back an outbox row for notes that should have moved within the pause
// and have not, at most limit of them; each time the next pause is twice as long, up to six
// hours. Starting a note whose run is open changes nothing, so this repairs
// terminated runs, a restored engine and lost rows alike. A note whose row is there already
// counts as looked at and not as requeued.
func (s *Store) RequeueNotes(ctx context.Context, limit int) (looked, requeued int, err error) {
	return s.db.Counted(ctx, requeueNotes, limit)
}

// RequeueDeliveries does the same for deliveries: those whose next attempt is
// long overdue.
func (s *Store) RequeueDeliveries(ctx context.Context, limit int) (looked, requeued int, err error) {
	return s.db.Counted(ctx, requeueDeliveries, limit)
}

// RequeueEmails does the same for e-mails, to customers and with alerts.
func (s *Store) RequeueEmails(ctx context.Context, limit int) (looked, requeued int, err error) {
	for _, loop := range []postgres.RowLoop{requeueEmails, requeueAlertMails} {
		some, started, err := s.db.Counted(ctx, loop, limit)
		looked, requeued = max(looked, some), requeued+started
		if err != nil {
			return looked, requeued, err
		}
	}
	return looked, requeued, nil
}

var (
	requeueNotes = RequeueLoop(`notes`, `(status IN ('queued', 'processing') OR cancellation_status = 'pending'
		AND analysis IS DISTINCT FROM 'pending')`,
		noteStartKind, `reference`)
	requeueDeliveries = RequeueLoop(`deliveries`, `status = 'pending'`, `'delivery'`, `NULL`)
	requeueEmails     = RequeueLoop(`emails`, `status = 'pending'`, `'email'`, `NULL`)

	requeueAlertMails = requeueLoopOf(`alert_mails`, `status = 'pending'`, `'email'`, `NULL`,
		`coalesce(nullif(organization_id, ''), (SELECT min(id) FROM organizations)), true`)
)

func RequeueLoop(table, unfinished, kind, reference string) postgres.RowLoop {
	return requeueLoopOf(table, unfinished, kind, reference, `organization_id, livemode`)
}

// requeueLoopOf says by scope how a row names its organization and environment.
func requeueLoopOf(table, unfinished, kind, reference, scope string) postgres.RowLoop {
	return postgres.RowLoop{
		Name: `requeue: ` + table, ID: `id`,
		Due: `SELECT id AS key FROM ` + table + ` WHERE ` + unfinished + ` AND requeue_after <= now() AND %s
			ORDER BY requeue_after LIMIT $1`,
		Lock: `FOR UPDATE`,
		Do: `
			WITH stale AS (%s), looked AS (
				UPDATE ` + table + ` SET ` + requeuedOnceMore + `
				WHERE id IN (SELECT key FROM stale)
				RETURNING *
			), requeued AS (
				INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
				SELECT ` + kind + `, id, ` + scope + `, ` + reference + ` FROM looked
				ON CONFLICT (kind, subject_id) DO NOTHING
				RETURNING id
			)
			SELECT (SELECT count(*) FROM looked), (SELECT count(*) FROM requeued)`,
	}
}
