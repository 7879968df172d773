package operate

import (
	"context"
	"time"

	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/postgres"
	"emissor/store/webhooks"
)

// Trouble is what is wrong in the whole installation, of every organization: each list is bounded and
// is read along an index, however many organizations there are.
type Trouble struct {
	Emails       []FailedEmails
	Alerts       []FailedAlertMail
	Webhooks     []FailedWebhook
	Certificates []EndingCertificate
	Series       []SeriesOnHold
	SiblingHolds []StandingSiblingHold
	Slow         []SlowNote
}

// None reports whether nothing is wrong.
func (t Trouble) None() bool {
	return len(t.Emails)+len(t.Alerts)+len(t.Webhooks)+len(t.Certificates)+len(t.Series)+len(t.SiblingHolds)+
		len(t.Slow) == 0
}

// FailedEmails are an organization's e-mails that were given up.
type FailedEmails struct {
	OrganizationID string         `db:"organization_id"`
	Organization   string         `db:"organization"` // its name
	Count          int            `db:"count"`
	Since          nfse.Timestamp `db:"since"`  // the oldest of them was put on record
	Reason         fact.Fact      `db:"reason"` // of the newest
}

// FailedAlertMail is an e-mail with alerts that was given up: somebody was not told.
type FailedAlertMail struct {
	ID             string         `db:"id"`
	OrganizationID string         `db:"organization_id"` // empty: of the installation
	Organization   string         `db:"organization"`    // its name
	Address        string         `db:"address"`         // of who was to be told, now; empty: the installation's URL
	Alerts         int            `db:"alerts"`
	Problem        fact.Fact      `db:"last_problem"`
	At             nfse.Timestamp `db:"resolved_at"`
}

// FailedWebhook is an endpoint that gets nothing any more, or deliveries to which were given up.
type FailedWebhook struct {
	nfse.Scope
	Organization   string          `db:"organization"`
	EndpointID     string          `db:"endpoint_id"`
	URL            string          `db:"url"`
	Count          int             `db:"count"` // of deliveries that were given up
	Since          *nfse.Timestamp `db:"since"` // the oldest of them was put on record; nil: there are none
	DisabledAt     *nfse.Timestamp `db:"disabled_at"`
	DisabledReason fact.Fact       `db:"disabled_reason"`
}

// EndingCertificate is a certificate without a successor that ends soon, or has ended lately.
type EndingCertificate struct {
	ID             string         `db:"id"`
	OrganizationID string         `db:"organization_id"`
	Organization   string         `db:"organization"`
	Subject        string         `db:"subject"`
	NotAfter       nfse.Timestamp `db:"not_after"`
}

// SeriesOnHold is a series under which nothing may be sent before a person has looked, with the
// organization that owns its issuer.
type SeriesOnHold struct {
	nfse.SeriesKey
	OrganizationID string         `db:"organization_id"`
	Organization   string         `db:"organization"`
	Reason         fact.Fact      `db:"held_reason"`
	At             nfse.Timestamp `db:"held_at"`
}

// StandingSiblingHold is a refused note behind which others of its organization wait.
type StandingSiblingHold struct {
	OrganizationID string         `db:"organization_id"`
	Organization   string         `db:"organization"`
	NoteID         string         `db:"note_id"`
	Reference      string         `db:"reference"`
	Livemode       bool           `db:"livemode"`
	Authority      string         `db:"authority"`
	Code           string         `db:"code"` // by which it is refused
	Since          nfse.Timestamp `db:"created_at"`
}

// SlowNote is a live note that has been on its way for more than an hour, and waits for no person.
type SlowNote struct {
	ID             string         `db:"id"`
	OrganizationID string         `db:"organization_id"`
	Organization   string         `db:"organization"`
	Reference      string         `db:"reference"`
	Status         nfse.Status    `db:"status"`
	CreatedAt      nfse.Timestamp `db:"created_at"`
}

const (
	endsSoon      = 30 * 24 * time.Hour
	endedLately   = 90 * 24 * time.Hour
	slowAfter     = time.Hour
	failedCounted = 5000 // the newest failures are counted
)

// SlowOfEach is how many slow notes of an organization in one status are listed at most, the oldest.
const SlowOfEach = 2

// Troubles reads what is wrong at a moment, at most limit of each kind.
func (s *Store) Troubles(ctx context.Context, now time.Time, limit int) (all Trouble, err error) {
	lately := now.Add(-webhooks.FailedLately)
	read := func(into any, statement string, args ...any) {
		if err == nil {
			err = s.db.SelectContext(ctx, into, statement, args...)
		}
	}
	read(&all.Emails, failedEmails, nfse.FirstID(nfse.PrefixEmail, lately), failedCounted, limit)
	read(&all.Alerts, failedAlertMails, nfse.Timestamp{Time: lately}, limit)
	read(&all.Webhooks, failedWebhooks, nfse.FirstID(nfse.PrefixDelivery, lately), failedCounted, limit)
	read(&all.Certificates, certificatesThatEnd, nfse.Timestamp{Time: now.Add(-endedLately)},
		nfse.Timestamp{Time: now.Add(endsSoon)}, limit)
	read(&all.Series, seriesOnHold, limit)
	read(&all.SiblingHolds, standingSiblingHolds, limit)
	read(&all.Slow, slowNotes, nfse.FirstID(nfse.PrefixNote, now.Add(-slowAfter)), SlowOfEach, limit)
	return all, err
}

const failedEmails = `
	SELECT f.*, o.name AS organization FROM (
		SELECT organization_id, count(*) AS count, min(created_at) AS since,
			(array_agg(reason ORDER BY id DESC))[1] AS reason
		FROM (SELECT id, organization_id, created_at, reason FROM emails
			WHERE status = 'failed' AND id >= $1 ORDER BY status DESC, id DESC LIMIT $2) newest
		GROUP BY organization_id) f
	JOIN organizations o ON o.id = f.organization_id
	ORDER BY f.count DESC, f.organization_id LIMIT $3`

// An e-mail that was given up is wrong no more once a later one to the same person was sent.
var failedAlertMails = `
	SELECT m.id, m.organization_id, coalesce(o.name, '') AS organization, coalesce(u.email, '') AS address, m.last_problem,
		m.resolved_at, (SELECT count(*) FROM alerts a WHERE a.mail_id = m.id) AS alerts
	FROM (SELECT * FROM alert_mails WHERE status = 'failed' AND resolved_at >= $1
			AND last_problem ->> 'code' IS DISTINCT FROM '` + string(fact.AlertsUnwanted) + `'
			ORDER BY resolved_at DESC LIMIT $2) m
		LEFT JOIN users u ON u.id = m.user_id AND u.removed_at IS NULL
		LEFT JOIN organizations o ON o.id = m.organization_id
	WHERE (u.id IS NOT NULL OR m.user_id = '')
		AND NOT EXISTS (SELECT FROM alert_mails later WHERE later.user_id = m.user_id AND later.status = 'sent'
			AND later.resolved_at > m.resolved_at)
	ORDER BY m.resolved_at DESC`

const failedWebhooks = `
	WITH failed AS (
		SELECT endpoint_id, count(*) AS count, min(created_at) AS since
		FROM (SELECT id, endpoint_id, created_at FROM deliveries
			WHERE status = 'failed' AND id >= $1 ORDER BY status DESC, id DESC LIMIT $2) newest
		GROUP BY endpoint_id
	), wrong AS (
		SELECT endpoint_id FROM failed
		UNION (SELECT id FROM webhook_endpoints WHERE disabled_at IS NOT NULL AND deleted_at IS NULL
			ORDER BY disabled_at DESC LIMIT $3)
	)
	SELECT e.id AS endpoint_id, e.organization_id, e.livemode, e.url, e.disabled_at, e.disabled_reason,
		coalesce(f.count, 0) AS count, f.since, o.name AS organization
	FROM wrong JOIN webhook_endpoints e ON e.id = wrong.endpoint_id AND e.deleted_at IS NULL
		AND e.listener_key_id IS NULL
		JOIN organizations o ON o.id = e.organization_id LEFT JOIN failed f ON f.endpoint_id = e.id
	ORDER BY e.livemode DESC, f.count DESC NULLS LAST, e.id LIMIT $3`

// A successor is one of the same establishment, as not every authority takes another's.
const certificatesThatEnd = `
	SELECT c.id, c.organization_id, c.subject, c.not_after, o.name AS organization
	FROM certificates c JOIN organizations o ON o.id = c.organization_id
	WHERE c.removed_at IS NULL AND c.refused_at IS NULL AND c.not_after BETWEEN $1 AND $2
		AND NOT EXISTS (SELECT FROM certificates later
			WHERE later.organization_id = c.organization_id AND later.tax_id = c.tax_id
				AND later.removed_at IS NULL AND later.refused_at IS NULL AND later.not_after > c.not_after)
	ORDER BY c.not_after LIMIT $3`

const seriesOnHold = `
	SELECT f.authority, f.production, f.tax_id, f.municipality_code, f.series, f.registration, f.held_reason,
		f.held_at, k.organization_id, o.name AS organization
	FROM fiscal_series f CROSS JOIN LATERAL (SELECT organization_id FROM tax_id_claims
			WHERE authority = f.authority AND production = f.production AND tax_id = f.tax_id
			ORDER BY owner DESC, organization_id LIMIT 1) k
		JOIN organizations o ON o.id = k.organization_id
	WHERE f.held_reason IS NOT NULL ORDER BY f.held_at LIMIT $1`

// A sibling hold whose note is not in processing any more holds nothing, and behind one whose refusal is doubted nobody
// is needed.
const standingSiblingHolds = `
	SELECT b.organization_id, o.name AS organization, b.note_id, n.reference, n.livemode, b.authority, b.code, b.created_at
	FROM refusal_brakes b JOIN notes n ON n.id = b.note_id AND n.status = 'processing' AND n.held_reason IS NOT NULL
		JOIN organizations o ON o.id = b.organization_id
	ORDER BY b.created_at LIMIT $1`

// Of each organization the oldest are read: their number does not matter then.
const slowNotes = `
	SELECT n.*, o.name AS organization
	FROM organizations o CROSS JOIN (VALUES ('queued'), ('processing')) of (status)
		CROSS JOIN LATERAL (SELECT id, organization_id, reference, status, created_at FROM notes
			WHERE organization_id = o.id AND livemode AND status = of.status AND held_reason IS NULL AND id < $1
				AND status IN ('queued', 'processing')
			ORDER BY ` + postgres.NotesIndexOrder + ` LIMIT $2) n
	ORDER BY n.id LIMIT $3`

// OrganizationNames are the names of organizations by their ids.
func (s *Store) OrganizationNames(ctx context.Context, ids []string) (map[string]string, error) {
	var rows []nfse.Organization
	err := s.db.SelectContext(ctx, &rows, `SELECT id, name FROM organizations WHERE id = ANY($1)`, pq.Array(ids))
	names := map[string]string{}
	for _, one := range rows {
		names[one.ID] = one.Name
	}
	return names, err
}
