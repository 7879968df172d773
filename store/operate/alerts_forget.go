package operate

import (
	"emissor/store/postgres"
)

// alertsKept is for how long alerts and their e-mails are kept. What happened then is not told again.
const alertsKept = `interval '90 days'`

var alertsToForget = postgres.RowLoop{
	Name: `old alerts`, ID: `a.id`,
	Due: `SELECT a.id AS key FROM alerts a WHERE a.raised_at < now() - ` + alertsKept + ` AND %s LIMIT $1`,
	Do: `WITH due AS (%s), gone AS (
			DELETE FROM alerts WHERE id IN (SELECT key FROM due) RETURNING 1
		)
		SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM gone)`,
}

// alertMailsToForget are e-mails with alerts that ended long ago, once their alerts are gone.
var alertMailsToForget = postgres.RowLoop{
	Name: `old alert mails`, ID: `m.id`,
	Due: `SELECT m.id AS key FROM alert_mails m
		WHERE m.status <> 'pending' AND m.resolved_at < now() - ` + alertsKept + `
			AND NOT EXISTS (SELECT FROM alerts a WHERE a.mail_id = m.id) AND %s LIMIT $1`,
	Do: `WITH due AS (%s), gone AS (
			DELETE FROM alert_mails WHERE id IN (SELECT key FROM due) RETURNING 1
		)
		SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM gone)`,
}
