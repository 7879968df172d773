package operate

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// AlertKind is what a person can be told of by e-mail.
type AlertKind string

// The kinds of alerts.
const (
	AlertCertificate AlertKind = "certificate" // it expires in 30, 7 or 1 days, and has no successor
	AlertHeld        AlertKind = "held"        // a live note waits for a person
	AlertEndpoint    AlertKind = "endpoint"    // an endpoint was disabled, because it is gone
	AlertRejection   AlertKind = "rejection"   // a live note was rejected
	AlertAlarm       AlertKind = "alarm"       // of the installation, for its operators
)

// AlertKinds are the kinds of an organization's alerts, each with the permission that a recipient must have.
var AlertKinds = map[AlertKind]nfse.Permission{
	AlertCertificate: nfse.SeeCompany, AlertHeld: nfse.SeeNotes, AlertEndpoint: nfse.SeeIntegrations,
	AlertRejection: nfse.SeeNotes,
}

// AlertHow is when somebody is told.
type AlertHow string

// When somebody is told.
const (
	AlertOff   AlertHow = "off"
	AlertNow   AlertHow = "now"
	AlertDaily AlertHow = "daily" // at 08:00 of Brasília, of all since the day before
)

// DefaultAlert is how a member with a role is told who has not chosen; of an alarm, an operator.
func DefaultAlert(role nfse.Role, kind AlertKind) AlertHow {
	switch {
	case kind == AlertAlarm && role == nfse.RoleOperator:
		return AlertNow
	case role != nfse.RoleOwner:
		return AlertOff
	case kind == AlertRejection:
		return AlertDaily
	}
	return AlertNow
}

// AlertSettings are how a person wants to be told, by kind, where they have chosen. An empty
// organization is the installation.
func (s *Store) AlertSettings(ctx context.Context, userID, organizationID string) (map[AlertKind]AlertHow, error) {
	var rows []struct {
		Kind AlertKind `db:"kind"`
		How  AlertHow  `db:"how"`
	}
	err := s.db.SelectContext(ctx, &rows, `SELECT kind, how FROM alert_settings
		WHERE user_id = $1 AND organization_id = $2`, userID, organizationID)
	chosen := map[AlertKind]AlertHow{}
	for _, row := range rows {
		chosen[row.Kind] = row.How
	}
	return chosen, err
}

// SetAlert sets how the person who makes the change is told of a kind in an organization; an empty one is
// the installation.
func (c *Changes) SetAlert(ctx context.Context, organizationID string, kind AlertKind, how AlertHow) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		var before []AlertHow // none where nothing was chosen yet
		err := tx.SelectContext(ctx, &before, `SELECT how FROM alert_settings
			WHERE (user_id, organization_id, kind) = ($1, $2, $3) FOR NO KEY UPDATE`, c.Actor.ID, organizationID, kind)
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO alert_settings (user_id, organization_id, kind, how)
			VALUES ($1, $2, $3, $4) ON CONFLICT (user_id, organization_id, kind) DO UPDATE SET how = $4`,
			c.Actor.ID, organizationID, kind, how)
		record := audit.Record{Action: audit.AlertSet, SubjectID: c.Actor.ID,
			After: map[string]any{"alert_" + string(kind): how}}
		if len(before) > 0 {
			record.Before = map[string]any{"alert_" + string(kind): before[0]}
		}
		if organizationID != "" {
			record = record.OfOrganization(organizationID)
		}
		return record, err
	})
}

// alertsInterval is how often it is looked for what to tell of.
const alertsInterval = 30 * time.Second

// KeepAlerting tells people again and again until ctx ends, and with posted the installation's URL.
// Several processes may do so at once.
func (s *Store) KeepAlerting(ctx context.Context, posted bool, logger *slog.Logger) {
	alert := func(ctx context.Context) error { return s.Alert(ctx, posted) }
	for {
		if err := panics.Within(ctx, 2*time.Minute, alert); err != nil && ctx.Err() == nil {
			logger.ErrorContext(ctx, "alerts could not be raised; it is tried again", "wait", alertsInterval.String(),
				"error", err)
		}
		if retry.Sleep(ctx, alertsInterval) != nil {
			return
		}
	}
}

// Alert raises what people are to be told of, each once, puts e-mails with what is due on their way, and removes
// what was told long ago. With posted the installation has a URL that is told of its alarms.
func (s *Store) Alert(ctx context.Context, posted bool) error {
	waited, err := outbox.New(s.db).LongestWait(ctx)
	if err != nil {
		return err
	}
	raise := alertsToRaise
	raise.Args = []any{waited > outbox.Stalled, nfse.FirstID(nfse.PrefixNote, time.Now().Add(-notes.RejectedLately)),
		posted}
	for _, loop := range []postgres.RowLoop{raise, alertMailsToBegin, alertsToForget, alertMailsToForget} {
		for looked := alertsAtOnce; looked == alertsAtOnce && err == nil; {
			looked, _, err = s.db.Counted(ctx, loop, alertsAtOnce)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const alertsAtOnce = 500

// toTell is a subquery: who is told of what, and how. With $3 the installation's URL is, as the user ”.
var toTell = `(
	SELECT m.user_id, m.organization_id, m.created_at AS since, k.kind,
		coalesce(s.how, CASE WHEN m.role = 'owner' THEN k.owners ELSE 'off' END) AS how
	FROM memberships m JOIN users u ON u.id = m.user_id AND u.removed_at IS NULL
		JOIN (VALUES ` + kindsAndRoles() + `) k (kind, owners, roles) ON m.role = ANY(k.roles)
		LEFT JOIN alert_settings s ON s.user_id = m.user_id AND s.organization_id = m.organization_id AND s.kind = k.kind
	UNION ALL
	SELECT u.id, '', u.created_at, 'alarm', coalesce(s.how, 'now')
	FROM users u LEFT JOIN alert_settings s ON s.user_id = u.id AND s.organization_id = '' AND s.kind = 'alarm'
	WHERE u.operator AND u.removed_at IS NULL
	UNION ALL
	SELECT '', '', '-infinity', 'alarm', 'now' WHERE $3)`

// kindsAndRoles are the kinds with the roles that may be told of them, for VALUES.
func kindsAndRoles() string {
	var rows []string
	for _, kind := range []AlertKind{AlertCertificate, AlertHeld, AlertEndpoint, AlertRejection} {
		var roles []string
		for _, role := range nfse.MemberRoles {
			if role.May(AlertKinds[kind]) {
				roles = append(roles, string(role))
			}
		}
		rows = append(rows, fmt.Sprintf(`('%s', '%s', '{%s}'::text[])`, kind, DefaultAlert(nfse.RoleOwner, kind),
			strings.Join(roles, ",")))
	}
	return strings.Join(rows, ", ")
}

// happened is a subquery: what people may be told of. Its key names what happened: a threshold of
// a certificate, a wait of a note, which is the same one where it is held again within the hour for the same; an alarm
// that lasts has another key every six hours.
const happened = `(
	SELECT 'certificate' AS kind, c.organization_id, 'certificate ' || c.id || ' ' || days AS alert_key,
		c.id AS subject_id, now() AS at
	FROM certificates c CROSS JOIN LATERAL (SELECT min(days) AS days FROM unnest('{30,7,1}'::integer[]) days
		WHERE c.not_after <= now() + make_interval(hours => 24 * days)) passed
	WHERE removed_at IS NULL AND refused_at IS NULL AND not_after <= now() + interval '30 days'
		AND not_after > now() - interval '2 days' AND days IS NOT NULL
		AND NOT EXISTS (SELECT FROM certificates later
			WHERE later.organization_id = c.organization_id AND later.tax_id = c.tax_id
				AND later.removed_at IS NULL AND later.refused_at IS NULL AND later.not_after > c.not_after)
	UNION ALL
	SELECT 'held', organization_id, concat_ws(' ', 'held', id, held_reason ->> 'code',
		extract(epoch FROM date_trunc('hour', held_since))::bigint), id, held_since
	FROM notes WHERE held_reason IS NOT NULL AND held_since > now() - interval '2 days'
	UNION ALL
	SELECT 'endpoint', organization_id, 'endpoint ' || id || ' ' || extract(epoch FROM disabled_at)::bigint, id,
		disabled_at
	FROM webhook_endpoints WHERE disabled_at IS NOT NULL AND deleted_at IS NULL AND gone_since IS NOT NULL
		AND disabled_at > now() - interval '2 days'
	UNION ALL
	SELECT 'rejection', n.organization_id, 'rejection ' || n.id, n.id, n.rejected_at
	FROM organizations o CROSS JOIN LATERAL (SELECT id, organization_id, rejected_at FROM notes
		WHERE organization_id = o.id AND livemode AND status = 'rejected' AND id >= $2
		ORDER BY organization_id DESC, livemode DESC, status DESC, id DESC LIMIT 2000) n
	WHERE n.rejected_at > now() - interval '2 days'
	UNION ALL
	SELECT 'alarm', '', 'alarm outbox ' || ` + sixHours + `, 'outbox', now() WHERE $1
	UNION ALL
	SELECT 'alarm', '', 'alarm authority ' || authority || ' ' || ` + sixHours + `, authority, now()
	FROM authority_hours WHERE municipality_code = '' AND hour > now() - interval '2 hours'
	GROUP BY authority, production, hour
	HAVING sum(calls) >= 20 AND sum(calls) FILTER (WHERE outcome = 'answered') IS NULL
		OR sum(calls) >= 20 AND 2 * sum(calls) FILTER (WHERE outcome = 'answered') < sum(calls)
	UNION ALL
	SELECT 'alarm', '', 'alarm rows ' || loop || ' ' || ` + sixHours + `, loop, now()
	FROM row_failures WHERE failures >= 3 GROUP BY loop)`

const sixHours = `floor(extract(epoch FROM now()) / 21600)::bigint`

// nextMorning is 08:00 of Brasília, which has had no summer time since 2019, after now.
const nextMorning = `(date_trunc('day', now() AT TIME ZONE 'UTC' - interval '11 hours') + interval '1 day 11 hours')
	AT TIME ZONE 'UTC'`

var alertsToRaise = postgres.RowLoop{
	Name: `alerts`, ID: `(t.user_id || ' ' || h.alert_key)`,
	Due: `SELECT DISTINCT ON (t.user_id, h.alert_key) t.user_id || ' ' || h.alert_key AS key, t.user_id, h.alert_key,
			h.organization_id, h.kind, h.subject_id, t.how
		FROM ` + happened + ` h JOIN ` + toTell + ` t ON t.organization_id = h.organization_id AND t.kind = h.kind
		WHERE t.how <> 'off' AND h.at >= t.since
			AND NOT EXISTS (SELECT FROM alerts a WHERE a.user_id = t.user_id AND a.alert_key = h.alert_key) AND %s
		LIMIT $4`,
	Do: `WITH due AS (%s), raised AS (
			INSERT INTO alerts (user_id, alert_key, organization_id, kind, subject_id, due_at)
			SELECT user_id, alert_key, organization_id, kind, subject_id,
				CASE how WHEN 'daily' THEN ` + nextMorning + ` ELSE now() + interval '1 minute' END
			FROM due ON CONFLICT (user_id, alert_key) DO NOTHING RETURNING 1
		)
		SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM raised)`,
}

// alertMailsToBegin begin an e-mail with all that a person is due to be told of an organization. The
// outbox has no rows of the installation: the e-mails to its operators go with the first organization's.
var alertMailsToBegin = postgres.RowLoop{
	Name: `alert mails`, ID: `(a.user_id || ' ' || a.organization_id)`,
	Due: `SELECT a.user_id || ' ' || a.organization_id AS key, a.user_id, a.organization_id
		FROM (SELECT DISTINCT user_id, organization_id FROM alerts WHERE mail_id IS NULL AND due_at <= now()) a
		WHERE NOT EXISTS (SELECT FROM alert_mails m WHERE m.user_id = a.user_id
				AND m.organization_id = a.organization_id AND m.status = 'pending') AND %s
		LIMIT $1`,
	Do: `WITH due AS (%s), mail AS (
			INSERT INTO alert_mails (id, user_id, organization_id)
			SELECT '` + string(nfse.PrefixAlertMail) + `' || replace(gen_random_uuid()::text, '-', ''), user_id, organization_id
			FROM due ON CONFLICT (user_id, organization_id) WHERE status = 'pending' DO NOTHING
			RETURNING id, user_id, organization_id
		), told AS (
			UPDATE alerts a SET mail_id = mail.id FROM mail
			WHERE a.user_id = mail.user_id AND a.organization_id = mail.organization_id AND a.mail_id IS NULL
				AND a.due_at <= now()
		), begun AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode)
			SELECT 'email', id, coalesce(nullif(organization_id, ''), (SELECT min(id) FROM organizations)), true FROM mail
		)
		SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM mail)`,
}
