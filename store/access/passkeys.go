package access

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// Passkey is what a user signs in with.
type Passkey struct {
	ID           string          `db:"id"`
	UserID       string          `db:"user_id"`
	CredentialID []byte          `db:"credential_id"`
	Credential   json.RawMessage `db:"credential"` // as the dashboard reads it
	Label        string          `db:"label"`
	CreatedAt    nfse.Timestamp  `db:"created_at"`
	UsedAt       *nfse.Timestamp `db:"used_at"`

	Session string `db:"-"` // the hash of the cookie of the session in which it is made
}

const passkeyColumns = `id, user_id, credential_id, credential, label, created_at, used_at`

// Passkeys lists a user's passkeys, oldest first.
func (s *Store) Passkeys(ctx context.Context, userID string) ([]Passkey, error) {
	passkeys := []Passkey{}
	err := s.db.SelectContext(ctx, &passkeys, `SELECT `+passkeyColumns+` FROM passkeys WHERE user_id = $1 ORDER BY id`,
		userID)
	return passkeys, err
}

// AddPasskey puts a passkey on record. For a session that has ended it is ErrSessionEnded.
func (c *Changes) AddPasskey(ctx context.Context, passkey Passkey) (added Passkey, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		err := stillOpen(ctx, tx, passkey.UserID, passkey.Session)
		if err != nil {
			return audit.Record{}, err
		}
		err = tx.GetContext(ctx, &added, `
			INSERT INTO passkeys (id, user_id, credential_id, credential, label) VALUES ($1, $2, $3, $4, $5)
			RETURNING `+passkeyColumns, nfse.NewID(nfse.PrefixPasskey), passkey.UserID, passkey.CredentialID,
			string(passkey.Credential), passkey.Label)
		return audit.Record{Action: audit.PasskeyAdd, SubjectID: passkey.UserID,
				After: map[string]string{"id": added.ID}},
			err
	})
	return added, err
}

// ErrLastPasskey says that a user would be left without a passkey.
var ErrLastPasskey = errors.New("store: the last passkey of an account stays")

// RemovePasskey takes one of a user's passkeys away; not the last one.
func (c *Changes) RemovePasskey(ctx context.Context, userID, id string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		record := audit.Record{Action: audit.PasskeyRemove, SubjectID: userID, Before: map[string]string{"id": id}}
		var left []string
		err := tx.SelectContext(ctx, &left, `SELECT id FROM passkeys WHERE user_id = $1 ORDER BY id FOR UPDATE`, userID)
		if err != nil {
			return record, err
		}
		removed, err := postgres.Affected(tx.ExecContext(ctx, `DELETE FROM passkeys WHERE user_id = $1 AND id = $2`, userID,
			id))
		switch {
		case err != nil:
		case removed == 0:
			err = nfse.NewError(nfse.CodeNotFound, "passkey", "there is no passkey %q", id)
		case len(left) == 1:
			err = ErrLastPasskey
		}
		return record, err
	})
}

// PasskeyUsed stores a passkey as it is after its use, above all with the authenticator's
// new counter.
func (s *Store) PasskeyUsed(ctx context.Context, credentialID []byte, credential json.RawMessage) error {
	updated, err := postgres.Affected(s.db.ExecContext(ctx, `UPDATE passkeys SET credential = $2, used_at = now()
		WHERE credential_id = $1`, credentialID, string(credential)))
	if err == nil && updated == 0 {
		err = sql.ErrNoRows
	}
	return err
}
