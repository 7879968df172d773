package outbox

import (
	"context"
	"database/sql"
	"time"

	"github.com/lib/pq"

	"emissor/nfse/fact"
	"emissor/store/postgres"
)

// PausedOutbox is the outbox with why its rows are paused (paused.reason): the reason of
// their backlog, or of their kind in all organizations. A row that the engine did not take
// while it took others is not paused: it waits for its next attempt.
const PausedOutbox = `outbox LEFT JOIN LATERAL (
	SELECT reason FROM paused_backlogs b
	WHERE b.livemode = outbox.livemode AND b.kind = outbox.kind AND b.organization_id IN ('', outbox.organization_id)
		AND b.paused_until > now() AND outbox.failures = 0
	ORDER BY b.organization_id LIMIT 1) paused ON true`

// PauseBacklogs records, for operators, why the rows of backlogs are not started for now; a backlog without an
// organization stands for all organizations. Paused rows do not count in LongestWait. The record holds for Stalled
// unless it is repeated, so that the rows count again when the processes that repeat it are gone.
//
// The rows are written in one order, as processes that do so at the same time would
// otherwise deadlock.
func (s *Store) PauseBacklogs(ctx context.Context, reason fact.Fact, backlogs ...Backlog) error {
	kinds, livemodes, organizations := pq.StringArray{}, pq.BoolArray{}, pq.StringArray{}
	for _, backlog := range backlogs {
		kinds, livemodes = append(kinds, backlog.Kind), append(livemodes, backlog.Livemode)
		organizations = append(organizations, backlog.OrganizationID)
	}
	_, err := s.db.ExecContext(ctx, `
		INSERT INTO paused_backlogs (livemode, kind, organization_id, reason, paused_until)
		SELECT livemode, kind, organization_id, $1::jsonb, now() + make_interval(secs => $2)
		FROM unnest($3::boolean[], $4::text[], $5::text[]) AS backlog (livemode, kind, organization_id)
		ORDER BY livemode, kind, organization_id
		ON CONFLICT (livemode, kind, organization_id) DO UPDATE
			SET reason = EXCLUDED.reason, paused_until = EXCLUDED.paused_until`,
		reason, Stalled.Seconds(), livemodes, kinds, organizations)
	return err
}

// ToBeStarted holds for rows of the outbox that are due, and that the engine has not refused
// while it took others. Those that are not paused wait only for the engine.
const ToBeStarted = `failures = 0 AND (attempts > 0 OR next_attempt_at <= now())`

// Stalled is how long the oldest row that is due may wait before it is reported that
// nothing is started. An engine that is away for a moment makes no row wait that long.
const Stalled = time.Minute

// LongestWait is how long the oldest row that is due in the outbox has waited, 0 where none
// is: more than seconds mean that nothing is started. Only the oldest rows of every backlog
// that is not paused are looked at.
func (s *Store) LongestWait(ctx context.Context) (time.Duration, error) {
	var waited sql.NullFloat64
	err := s.db.Get(ctx, &waited, `
		WITH RECURSIVE `+backlogsOfLanes+`
		SELECT extract(epoch FROM now() - min(oldest.created_at))::float8
		FROM backlog b CROSS JOIN LATERAL (
			SELECT created_at FROM (
				SELECT * FROM outbox o WHERE `+ofBacklog+`
				ORDER BY organization_id, id LIMIT $3) first
			WHERE `+ToBeStarted+` ORDER BY id LIMIT 1) oldest
		WHERE NOT EXISTS (SELECT FROM paused_backlogs s WHERE s.livemode = b.livemode AND s.kind = b.kind
			AND s.organization_id IN ('', b.organization_id) AND s.paused_until > now())`,
		pq.Array(StartKinds), pq.Array(StartKinds), postgres.MostCounted)
	return max(0, postgres.Seconds(waited.Float64)), err
}
