package access

import (
	"context"
	"database/sql"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
)

// ProveAddress records that somebody else, as a company's sign-on, has verified that the
// address is the user's. For an account with another address it changes nothing.
func (s *Store) ProveAddress(ctx context.Context, userID, email string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE users SET proved_at = now() WHERE id = $1 AND email = $2
		AND proved_at IS NULL`, userID, email)
	return err
}

// prove records that the address of an account is its user's.
func prove(ctx context.Context, tx *sqlx.Tx, userID string) error {
	_, err := tx.ExecContext(ctx, `UPDATE users SET proved_at = now() WHERE id = $1 AND proved_at IS NULL`, userID)
	return err
}

// StartAnew uses up a mailed invitation whose account never proved its address: who made
// that account does not keep the address from its reader. The reader gets a new account,
// whose id is the link's UserID. See newAccountFor.
func (c *Changes) StartAnew(ctx context.Context, text string) (link Link, err error) {
	by := *c
	err = by.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		by.Actor = c.Actor // also when it runs again
		link, err = lockLink(ctx, tx, text)
		if err != nil {
			return nil, err
		}
		if !link.Usable(time.Now()) || !link.Anew {
			return nil, linkFound(sql.ErrNoRows)
		}
		user, lost, err := by.newAccountFor(ctx, tx, link.UserID)
		if err != nil {
			return nil, err
		}
		link.UserID = user.ID
		accepted, err := acceptInvitation(ctx, tx, link)
		return []audit.Record{lost, accepted}, err
	})
	return link, err
}

// newAccountFor gives the address of an account that never proved it, and the invitations
// that were sent to it, to a new account, whose user has proved it. The old account keeps
// its passkeys and memberships and gets LostAddress for an address: so nobody takes over
// what was given to somebody else, no organization loses its owner, and what was done
// before stays on record as the old account's. Links of the old account end, as they may
// have been sent to the address. What follows in these changes is by the new account.
func (c *Changes) newAccountFor(ctx context.Context, tx *sqlx.Tx, oldID string) (
	user nfse.User, lost audit.Record, err error,
) {
	lost = audit.Record{Action: audit.UserDisplace, SubjectID: oldID}
	var email string
	err = tx.GetContext(ctx, &email, `SELECT email FROM users WHERE id = $1`, oldID)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE users SET email = $2 WHERE id = $1`, oldID, nfse.LostAddress(oldID))
	}
	if err == nil {
		err = tx.GetContext(ctx, &user, `INSERT INTO users (id, email, proved_at) VALUES ($1, $2, now())
			RETURNING `+userColumns, nfse.NewID(nfse.PrefixUser), email)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE links SET user_id = $2 WHERE user_id = $1 AND kind = 'invitation'
			AND used_at IS NULL AND expires_at > now()`, oldID, user.ID)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE links SET expires_at = now() WHERE user_id = $1 AND used_at IS NULL
			AND expires_at > now()`, oldID)
	}
	if c.Actor.Kind == nfse.ActorUser && c.Actor.ID == oldID {
		c.Actor.ID = user.ID
	}
	return user, lost, err
}
