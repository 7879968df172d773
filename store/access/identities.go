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

// Identity is an account at a company's own sign-on: the provider, and the permanent id
// of a person there.
type Identity struct {
	Issuer  string
	Subject string
}

// UserOfIdentity finds the account that signs in by an identity.
func (s *Store) UserOfIdentity(ctx context.Context, identity Identity) (user nfse.User, err error) {
	err = s.db.GetContext(ctx, &user, `
		SELECT `+userColumns+` FROM users
		WHERE id = (SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2) AND removed_at IS NULL`,
		identity.Issuer, identity.Subject)
	return user, postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "identity", "the identity is linked to no account"))
}

// HasIdentity reports whether a user can sign in by a provider.
func (s *Store) HasIdentity(ctx context.Context, userID, issuer string) (has bool, err error) {
	err = s.db.GetContext(ctx, &has, `SELECT EXISTS (SELECT FROM identities WHERE user_id = $1 AND issuer = $2)`,
		userID, issuer)
	return has, err
}

// LinkIdentity links an identity to an account whose user asks for it, in a session
// that is named by the hash of its cookie. An identity that is linked to another account,
// or a second one of the same provider, is ErrIdentityTaken.
func (c *Changes) LinkIdentity(ctx context.Context, identity Identity, userID, session string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		err := stillOpen(ctx, tx, userID, session)
		if err == nil {
			err = linkIdentity(ctx, tx, identity, userID)
		}
		return identityLinked(identity, userID), err
	})
}

// ErrIdentityTaken says that an identity is linked to another account, or the account
// to another identity of the provider.
var ErrIdentityTaken = errors.New("store: the identity or the account is linked already")

func identityLinked(identity Identity, userID string) audit.Record {
	return audit.Record{Action: audit.IdentityLink, SubjectID: userID,
		After: map[string]string{"issuer": identity.Issuer}}
}

func linkIdentity(ctx context.Context, tx *sqlx.Tx, identity Identity, userID string) error {
	linked, err := postgres.Affected(tx.ExecContext(ctx, `INSERT INTO identities (issuer, subject, user_id)
		VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, identity.Issuer, identity.Subject, userID))
	if err == nil && linked == 0 {
		return ErrIdentityTaken
	}
	return err
}

// UnlinkIdentity removes the identity of a provider from an account. For an account
// without a passkey, which could not sign in any more, it is ErrLastPasskey.
func (c *Changes) UnlinkIdentity(ctx context.Context, userID, issuer string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		record = audit.Record{Action: audit.IdentityUnlink, SubjectID: userID,
			Before: map[string]string{"issuer": issuer}}
		var passkeys int
		err = tx.GetContext(ctx, &passkeys, `SELECT (SELECT count(*) FROM passkeys WHERE user_id = users.id)
			FROM users WHERE id = $1 AND removed_at IS NULL FOR NO KEY UPDATE`, userID)
		if err == nil && passkeys == 0 {
			err = ErrLastPasskey
		}
		if err != nil {
			return record, err
		}
		unlinked, err := postgres.Affected(tx.ExecContext(ctx, `DELETE FROM identities WHERE user_id = $1 AND issuer = $2`,
			userID, issuer))
		if err == nil && unlinked == 0 {
			err = nfse.NewError(nfse.CodeNotFound, "identity", "the account is not linked to %s", issuer)
		}
		return record, err
	})
}

// AcceptByIdentity is for somebody who signs in by a provider for the first time. The account with the address that
// the provider has verified must have an invitation that still works. Where the account has nothing else
// (Link.Enters), the identity is linked to it, and its invitations are accepted. Where it has something and never
// proved the address, a new account takes its place (see newAccountFor), but only if the last argument says that the
// person asks for it: it cannot be undone, and most of these people own the account. If not, it is ErrNotAnew. In all
// other cases it is an error: no account is made without an invitation, and nobody gets what an account has by its
// address.
func (c *Changes) AcceptByIdentity(
	ctx context.Context, identity Identity, email string, anew bool,
) (user nfse.User, err error) {
	by := *c
	err = by.Change(ctx, func(tx *sqlx.Tx) (records []audit.Record, err error) {
		by.Actor = c.Actor // also when it runs again
		err = tx.GetContext(ctx, &user, `SELECT `+userColumns+` FROM users WHERE email = $1 AND removed_at IS NULL
			FOR NO KEY UPDATE`, email)
		if err != nil {
			return nil, uninvited(err)
		}
		var links []Link
		err = tx.SelectContext(ctx, &links, selectLinks+` WHERE l.user_id = $1 AND l.kind = 'invitation'
			AND l.used_at IS NULL AND l.expires_at > now() ORDER BY l.id FOR NO KEY UPDATE OF l`, user.ID)
		if err != nil {
			return nil, err
		}
		var proved bool
		err = tx.GetContext(ctx, &proved, `SELECT proved_at IS NOT NULL FROM users WHERE id = $1`, user.ID)
		switch {
		case err != nil:
			return nil, err
		case len(links) == 0 || proved && !links[0].Enters:
			return nil, uninvited(sql.ErrNoRows)
		case links[0].Enters:
			err = lockOut(ctx, tx, user.ID)
		case !anew:
			return nil, ErrNotAnew
		default:
			var lost audit.Record
			user, lost, err = by.newAccountFor(ctx, tx, user.ID)
			records = append(records, lost)
		}
		if err == nil {
			err = prove(ctx, tx, user.ID)
		}
		if err != nil {
			return nil, err
		}
		if err := linkIdentity(ctx, tx, identity, user.ID); err != nil {
			return nil, err
		}
		records = append(records, identityLinked(identity, user.ID))
		for _, link := range links {
			link.UserID = user.ID
			record, err := acceptInvitation(ctx, tx, link)
			if err != nil {
				return nil, err
			}
			records = append(records, record)
		}
		return records, nil
	})
	return user, err
}

// ErrNotAnew says that the address is of an account that has something and never proved it,
// whose place a new one takes only where that is asked for.
var ErrNotAnew = errors.New("store: the address is of an account that never proved it")

func uninvited(err error) error {
	return postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "email", "there is no open invitation for this address"))
}
