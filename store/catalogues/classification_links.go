package catalogues

import (
	"context"
	"database/sql"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// ClassificationLink is a one-time link by which somebody without an account classifies a service. Its text is not on
// record.
type ClassificationLink struct {
	ID string `db:"id"`
	nfse.Scope
	Organization string         `db:"organization"` // its name
	ServiceID    string         `db:"service_id"`
	Email        string         `db:"email"` // who was asked
	ExpiresAt    nfse.Timestamp `db:"expires_at"`
	Role         nfse.Role      `db:"role"` // that who made it has now; empty: none any more
}

// selectOpenLinks are the links that were not used, have not ended, and are of a service that is still there.
const selectOpenLinks = `
	SELECT l.id, l.organization_id, l.livemode, o.name AS organization, l.service_id, l.email, l.expires_at,
		CASE WHEN u.removed_at IS NOT NULL THEN '' WHEN u.operator THEN 'operator' ELSE coalesce(m.role, '') END AS role
	FROM classification_links l JOIN organizations o ON o.id = l.organization_id JOIN users u ON u.id = l.made_by
		LEFT JOIN memberships m ON m.user_id = l.made_by AND m.organization_id = l.organization_id
	WHERE l.used_at IS NULL AND l.expires_at > now()
		AND EXISTS (SELECT FROM services WHERE id = l.service_id AND ` + serviceAlive + `)`

// ClassificationLinks lists the links of a service that are open, newest first.
func (s *Store) ClassificationLinks(
	ctx context.Context, scope nfse.Scope, serviceID string,
) (links []ClassificationLink, err error) {
	err = s.db.SelectContext(ctx, &links, selectOpenLinks+`
		AND (l.organization_id, l.livemode, l.service_id) = ($1, $2, $3) ORDER BY l.id DESC`,
		scope.OrganizationID, scope.Livemode, serviceID)
	return links, err
}

// ClassificationLink finds a link that works by its text. Any other is the same error.
func (s *Store) ClassificationLink(ctx context.Context, text string) (ClassificationLink, error) {
	return workingLink(ctx, s.db, text, "")
}

// workingLink is an open link whose maker may still do what it lets others do.
func workingLink(ctx context.Context, db sqlx.QueryerContext, text, lock string) (link ClassificationLink, err error) {
	err = sqlx.GetContext(ctx, db, &link, selectOpenLinks+` AND l.hash = $1`+lock, nfse.HashLink(text))
	if err == nil && !link.Role.May(nfse.ChangeCatalogue) {
		err = sql.ErrNoRows
	}
	return link, postgres.NoRow(err, errNoSuchLink)
}

var errNoSuchLink = nfse.NewError(nfse.CodeNotFound, "link", "there is no such link")

// AskToClassify makes a link of which text is the secret, in the name of a user. It ends an earlier one of the same
// service to the same address. Whether it goes to the address only is recorded: else who asked may use it, too.
func (c *Changes) AskToClassify(
	ctx context.Context, scope nfse.Scope, serviceID, email, text string, mailed bool, lasts time.Duration,
) (link ClassificationLink, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		_, err := tx.ExecContext(ctx, `DELETE FROM classification_links WHERE used_at IS NULL
			AND (organization_id, livemode, service_id, email) = ($1, $2, $3, $4)`,
			scope.OrganizationID, scope.Livemode, serviceID, email)
		if err == nil {
			_, err = tx.ExecContext(ctx, `
				INSERT INTO classification_links (id, hash, organization_id, livemode, service_id, email, made_by,
					expires_at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
				nfse.NewID(nfse.PrefixLink), nfse.HashLink(text), scope.OrganizationID, scope.Livemode, serviceID,
				email, c.Actor.ID, lasts.Seconds())
		}
		if err == nil {
			link, err = workingLink(ctx, tx, text, "")
		}
		return audit.Record{Action: audit.ServiceAsk, SubjectID: serviceID,
			After: map[string]any{"link_id": link.ID, "mailed": mailed}}.Of(scope), err
	})
	return link, err
}

// record is what is recorded of a link, which names nobody.
func (l ClassificationLink) record(action audit.Action) audit.Record {
	return audit.Record{Action: action, SubjectID: l.ServiceID, After: map[string]any{"link_id": l.ID}}.Of(l.Scope)
}

// RevokeClassificationLink ends an open link of a service.
func (c *Changes) RevokeClassificationLink(ctx context.Context, scope nfse.Scope, serviceID, id string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		revoked := ClassificationLink{ID: id, Scope: scope, ServiceID: serviceID}
		ended, err := postgres.Affected(tx.ExecContext(ctx, `DELETE FROM classification_links WHERE used_at IS NULL
			AND (organization_id, livemode, service_id, id) = ($1, $2, $3, $4)`,
			scope.OrganizationID, scope.Livemode, serviceID, id))
		if err == nil && ended == 0 {
			err = errNoSuchLink
		}
		return revoked.record(audit.ServiceUnask), err
	})
}

// ClassifyByLink uses a link up and classifies its service. Where something is wrong, or the classification is another
// than that of the version, nothing is used up.
func (c *Changes) ClassifyByLink(
	ctx context.Context, text string, classified nfse.Classification, version string,
) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		link, err := workingLink(ctx, tx, text, ` FOR UPDATE OF l`)
		if err != nil {
			return nil, err
		}
		records, err := classifyServices(ctx, tx, link.Scope, []ServiceClassification{
			{ServiceID: link.ServiceID, Classification: classified, Version: version}})
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE classification_links SET used_at = now() WHERE id = $1`, link.ID)
		}
		return append(records, link.record(audit.ServiceAnswer)), err
	})
}

// ForgetClassificationLinks deletes links that have ended unused, at most limit of them.
func (s *Store) ForgetClassificationLinks(ctx context.Context, limit int) (forgotten int, err error) {
	_, forgotten, err = s.db.Counted(ctx, endedLinks, limit)
	return forgotten, err
}

var endedLinks = postgres.RowLoop{
	Name: `classification links`, ID: `id`,
	Due: `SELECT id AS key FROM classification_links WHERE used_at IS NULL AND expires_at < now() AND %s
		ORDER BY expires_at LIMIT $1`,
	Lock: `FOR UPDATE`,
	Do: `WITH forgotten AS (DELETE FROM classification_links WHERE id = ANY(ARRAY(%s)) RETURNING id)
		SELECT count(*), count(*) FROM forgotten`,
}
