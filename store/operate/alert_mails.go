package operate

import (
	"context"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/mails"
	"emissor/store/outbox"
)

// AlertMail is an e-mail with alerts, as it is at this moment, or a message with alarms to the
// installation's URL.
type AlertMail struct {
	ID             string            `db:"id"`
	OrganizationID string            `db:"organization_id"` // empty: of the installation
	Organization   string            `db:"organization"`    // its name
	Status         mails.EmailStatus `db:"status"`
	Attempts       int               `db:"attempts"`
	CreatedAt      nfse.Timestamp    `db:"created_at"`
	UserID         string            `db:"user_id"` // empty: it is for the URL
	Address        string            `db:"address"` // empty: the person is gone
	Alerts         []AlertToTell     `db:"-"`       // that the person is still to be told of
}

// Posted reports whether it is for the installation's URL.
func (m AlertMail) Posted() bool { return m.UserID == "" }

// AlertToTell is an alert in an e-mail.
type AlertToTell struct {
	Kind      AlertKind       `db:"kind"`
	SubjectID string          `db:"subject_id"`
	Count     int             `db:"count"` // of the kind in the e-mail, of which not all are listed
	What      string          `db:"what"`  // the note's reference, the certificate's subject, the endpoint's URL
	NotAfter  *nfse.Timestamp `db:"not_after"`
	Reason    fact.Fact       `db:"reason"`
}

// toldInFull is how many alerts of a kind an e-mail lists.
const toldInFull = 20

// AlertMail reads an e-mail with alerts for its next attempt: of them what the person would be told of now.
// Since they were raised, days ago perhaps, somebody may have left, have another role or have chosen otherwise.
func (s *Store) AlertMail(ctx context.Context, id string) (mail AlertMail, err error) {
	err = s.db.GetContext(ctx, &mail, `
		SELECT m.id, m.organization_id, coalesce(o.name, '') AS organization, m.status, m.attempts, m.created_at,
			m.user_id, coalesce(CASE WHEN u.removed_at IS NULL THEN u.email END, '') AS address
		FROM alert_mails m LEFT JOIN users u ON u.id = m.user_id LEFT JOIN organizations o ON o.id = m.organization_id
		WHERE m.id = $1`, id)
	if err != nil {
		return mail, err
	}
	err = s.db.SelectContext(ctx, &mail.Alerts, `
		SELECT a.kind, a.subject_id, a.count, coalesce(n.reference, c.subject, e.url, '') AS what, c.not_after,
			coalesce(n.held_reason, e.disabled_reason) AS reason
		FROM (SELECT id, kind, subject_id, organization_id, count(*) OVER (PARTITION BY kind) AS count,
				row_number() OVER (PARTITION BY kind ORDER BY id) AS place
			FROM alerts JOIN (SELECT kind, since FROM `+toTell+` t
				WHERE t.user_id = $4 AND t.organization_id = $5 AND t.how <> 'off') still USING (kind)
			WHERE mail_id = $1 AND raised_at >= still.since) a
			LEFT JOIN notes n ON n.id = a.subject_id AND n.organization_id = a.organization_id
			LEFT JOIN certificates c ON c.id = a.subject_id AND c.organization_id = a.organization_id
			LEFT JOIN webhook_endpoints e ON e.id = a.subject_id AND e.organization_id = a.organization_id
		WHERE a.place <= $2 ORDER BY a.kind, a.place`, id, toldInFull, mail.Posted(),
		mail.UserID, mail.OrganizationID)
	return mail, err
}

// RecordAlertMailSent ends an e-mail with alerts that the mail server has accepted.
func (s *Store) RecordAlertMailSent(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE alert_mails SET status = 'sent', attempts = attempts + 1,
		last_problem = NULL, resolved_at = now() WHERE id = $1 AND status <> 'sent'`, id)
	return err
}

// RecordAlertMailProblem records that an attempt failed, or with attempts 0 that none could be made. The
// next one comes after the wait.
func (s *Store) RecordAlertMailProblem(ctx context.Context, id string, problem fact.Fact, attempts int,
	wait time.Duration) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE alert_mails SET attempts = attempts + $4, last_problem = $2,
			requeue_after = now() + make_interval(secs => $3) + `+outbox.RequeuePause+`, requeues = 0
		WHERE id = $1 AND status = 'pending'`, id, problem, wait.Seconds(), attempts)
	return err
}

// FailAlertMail gives an e-mail with alerts up. Operators see it, unless nobody was to be told any more
// (fact.AlertsUnwanted).
func (s *Store) FailAlertMail(ctx context.Context, id string, problem fact.Fact) error {
	_, err := s.db.ExecContext(ctx, `UPDATE alert_mails SET status = 'failed', attempts = attempts + 1,
		last_problem = $2, resolved_at = now() WHERE id = $1 AND status = 'pending'`, id, problem)
	return err
}
