package access

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

const userColumns = `id, email, operator, created_at, signed_in_at`

// User reads an account that was not removed.
func (s *Store) User(ctx context.Context, id string) (nfse.User, error) {
	return s.user(ctx, `id = $1`, id)
}

// UserByEmail finds the account of an e-mail address.
func (s *Store) UserByEmail(ctx context.Context, email string) (nfse.User, error) {
	return s.user(ctx, `email = $1`, email)
}

func (s *Store) user(ctx context.Context, condition, value string) (user nfse.User, err error) {
	err = s.db.GetContext(ctx, &user, `SELECT `+userColumns+` FROM users WHERE removed_at IS NULL AND `+condition,
		value)
	return user, postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "user", "there is no user %q", value))
}

// ListedUser is an account as an operator's list shows it.
type ListedUser struct {
	nfse.User
	Memberships string `db:"memberships" json:"memberships"` // organization and role of each
	Passkeys    int    `db:"passkeys" json:"passkeys"`
}

// Users lists every account that was not removed, oldest first.
func (s *Store) Users(ctx context.Context) ([]ListedUser, error) {
	users := []ListedUser{}
	err := s.db.SelectContext(ctx, &users, `
		SELECT `+userColumns+`,
			coalesce((SELECT string_agg(organization_id || ' ' || role, ', ' ORDER BY organization_id)
				FROM memberships WHERE user_id = users.id), '') AS memberships,
			(SELECT count(*) FROM passkeys WHERE user_id = users.id) AS passkeys
		FROM users WHERE removed_at IS NULL ORDER BY id`)
	return users, err
}

// auditedUser is what the audit log records of an account, without its address.
type auditedUser struct {
	Operator bool      `json:"operator,omitempty"`
	Role     nfse.Role `json:"role,omitempty"`
}

// RemoveUser ends an account: its memberships, passkeys, sessions and links.
func (c *Changes) RemoveUser(ctx context.Context, id string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		var user nfse.User
		err := tx.GetContext(ctx, &user, `UPDATE users SET removed_at = now() WHERE id = $1 AND removed_at IS NULL
			RETURNING `+userColumns, id)
		if errors.Is(err, sql.ErrNoRows) {
			err = nfse.NewError(nfse.CodeNotFound, "user", "there is no user %q", id)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM memberships WHERE user_id = $1`, id)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE links SET expires_at = now() WHERE user_id = $1 AND used_at IS NULL
				AND expires_at > now()`, id)
		}
		if err == nil {
			err = lockOut(ctx, tx, id)
		}
		return audit.Record{Action: audit.UserRemove, SubjectID: id, Before: auditedUser{Operator: user.Operator}}, err
	})
}

// lockOut removes an account's passkeys and identities, and ends its sessions.
func lockOut(ctx context.Context, tx *sqlx.Tx, userID string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM passkeys WHERE user_id = $1`, userID)
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM identities WHERE user_id = $1`, userID)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL`,
			userID)
	}
	return err
}

// SignedIn records that a user has signed in, and how.
func (c *Changes) SignedIn(ctx context.Context, userID, how string) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		_, err := tx.ExecContext(ctx, `UPDATE users SET signed_in_at = now() WHERE id = $1`, userID)
		if err != nil {
			return nil, err
		}
		return comings(ctx, tx, audit.UserSignIn, userID, how)
	})
}

// SignedOut records that a user has ended their session.
func (c *Changes) SignedOut(ctx context.Context, userID string) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		return comings(ctx, tx, audit.UserSignOut, userID, "")
	})
}

// Refused records a failed sign-in of a user, and by what means.
func (c *Changes) Refused(ctx context.Context, userID, how string) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		return comings(ctx, tx, audit.UserRefused, userID, how)
	})
}

// comings are the entries of a user's signing in or out, one for every organization of the
// user; for a user of none one of the whole installation.
func comings(ctx context.Context, tx *sqlx.Tx, action audit.Action, userID, how string) ([]audit.Record, error) {
	record := audit.Record{Action: action, SubjectID: userID}
	if how != "" {
		record.After = map[string]string{"by": how}
	}
	var organizations []string
	err := tx.SelectContext(ctx, &organizations, `SELECT organization_id FROM memberships WHERE user_id = $1
		ORDER BY organization_id`, userID)
	if len(organizations) == 0 {
		return []audit.Record{record}, err
	}
	records := make([]audit.Record, len(organizations))
	for i, id := range organizations {
		records[i] = record.OfOrganization(id)
	}
	return records, err
}
