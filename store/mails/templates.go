package mails

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// EmailTemplate is how a company's e-mails to customers are worded and marked. The zero value is ours.
type EmailTemplate struct {
	Portuguese string `db:"portuguese"` // with placeholders; empty: ours
	English    string `db:"english"`
	Logo       []byte `db:"logo"` // a PNG; nil: without
}

// Version is a digest of the template, to find that it has changed.
func (e EmailTemplate) Version() string {
	logo := sha256.Sum256(e.Logo)
	encoded, err := nfse.Marshal([]any{e.Portuguese, e.English, e.Logo != nil, logo[:]})
	if err != nil {
		panic(err) // texts can always be encoded
	}
	return digested(encoded)
}

// audited is what the audit log records of the template: that each part is another one.
func (e EmailTemplate) audited() map[string]any {
	digest := func(content []byte) any {
		if len(content) == 0 {
			return nil
		}
		return digested(content)
	}
	return map[string]any{"portuguese": digest([]byte(e.Portuguese)), "english": digest([]byte(e.English)),
		"logo": digest(e.Logo)}
}

// digested is the beginning of a digest.
func digested(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// EmailTemplate reads an organization's template.
func (s *Store) EmailTemplate(ctx context.Context, organizationID string) (EmailTemplate, error) {
	return emailTemplate(ctx, s.db, organizationID)
}

func emailTemplate(ctx context.Context, db sqlx.QueryerContext, organizationID string) (of EmailTemplate, err error) {
	err = sqlx.GetContext(ctx, db, &of, `SELECT portuguese, english, logo FROM email_templates
		WHERE organization_id = $1`, organizationID)
	return of, postgres.NoRow(err, nil)
}

// SetEmailTemplate replaces an organization's template, of which the version was seen: it is ErrChanged
// where somebody has changed it since.
func (c *Changes) SetEmailTemplate(ctx context.Context, organizationID string, to EmailTemplate, seen string) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		// The organization's row is locked, so that two people are one after the other, also at the first time.
		_, err := tx.ExecContext(ctx, `SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, organizationID)
		if err != nil {
			return nil, err
		}
		before, err := emailTemplate(ctx, tx, organizationID)
		switch {
		case err != nil:
			return nil, err
		case before.Version() != seen:
			return nil, postgres.ErrChanged
		case before.Version() == to.Version():
			return nil, nil
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO email_templates (organization_id, portuguese, english, logo)
			VALUES ($1, $2, $3, $4) ON CONFLICT (organization_id)
			DO UPDATE SET portuguese = $2, english = $3, logo = $4, updated_at = now()`,
			organizationID, to.Portuguese, to.English, to.Logo)
		return []audit.Record{audit.Record{Action: audit.EmailTemplate, SubjectID: organizationID,
			Before: before.audited(), After: to.audited()}.OfOrganization(organizationID)}, err
	})
}
