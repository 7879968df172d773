package webhooks

import (
	"context"

	"emissor/store/postgres"
)

// listenersKept is for how long the endpoint of a command that listened stays after its end, and longer while one of
// its deliveries is on record.
const listenersKept = `interval '7 days'`

// ForgetListeners removes the endpoints of commands that ended long ago, at most limit of them. Each run of a command
// leaves one.
func (s *Store) ForgetListeners(ctx context.Context, limit int) (looked, forgotten int, err error) {
	return s.db.Counted(ctx, listenersToForget, limit)
}

// The deliveries are looked for endpoint by endpoint: as a join the planner might read them from their start.
var listenersToForget = postgres.RowLoop{
	Name: `ended listeners`, ID: `w.id`,
	Due: `SELECT w.id AS key FROM webhook_endpoints w
		WHERE w.listener_key_id IS NOT NULL AND w.deleted_at < now() - ` + listenersKept + `
			AND (SELECT d.id FROM deliveries d WHERE d.endpoint_id = w.id LIMIT 1) IS NULL AND %s LIMIT $1`,
	Do: `WITH due AS (%s), gone AS (
			DELETE FROM webhook_endpoints WHERE id IN (SELECT key FROM due) RETURNING 1
		)
		SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM gone)`,
}
