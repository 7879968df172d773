package access

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// Link is a one-time link. Its text is not on record.
type Link struct {
	ID               string          `db:"id" json:"id"`
	Kind             nfse.LinkKind   `db:"kind" json:"kind"`
	UserID           string          `db:"user_id" json:"user_id"`
	Email            string          `db:"email" json:"email"`
	OrganizationID   *string         `db:"organization_id" json:"organization_id"`
	OrganizationName *string         `db:"organization_name" json:"organization_name"`
	Role             *nfse.Role      `db:"role" json:"role"`
	Operator         bool            `db:"operator" json:"operator"`
	CreatedAt        nfse.Timestamp  `db:"created_at" json:"created_at"`
	ExpiresAt        nfse.Timestamp  `db:"expires_at" json:"expires_at"`
	UsedAt           *nfse.Timestamp `db:"used_at" json:"used_at"`
	MailedAt         *nfse.Timestamp `db:"mailed_at" json:"mailed_at"` // nil: its text was shown to who made it

	// Enters says that the link signs in anybody who has it. An invitation does so only for an account that is no
	// operator's and has no passkey, identity or membership, so that nobody who invites gets what others gave to the
	// account. Open sessions do not prevent it: they end then.
	Enters bool `db:"enters" json:"-"`

	// Anew says that anybody who has the link may get a new account for the address: it is a mailed invitation, and the
	// account never proved its address. See StartAnew.
	Anew bool `db:"anew" json:"-"`
}

// Usable reports whether the link still works.
func (l Link) Usable(now time.Time) bool { return l.UsedAt == nil && now.Before(l.ExpiresAt.Time) }

const selectLinks = `
	SELECT l.id, l.kind, l.user_id, u.email, l.organization_id, o.name AS organization_name, l.role, l.operator,
		l.created_at, l.expires_at, l.used_at, l.mailed_at,
		l.kind <> 'invitation' OR NOT has.something AS enters,
		l.kind = 'invitation' AND has.something AND l.mailed_at IS NOT NULL AND u.proved_at IS NULL AS anew
	FROM links l JOIN users u ON u.id = l.user_id LEFT JOIN organizations o ON o.id = l.organization_id
		CROSS JOIN LATERAL (SELECT u.operator
			OR EXISTS (SELECT FROM passkeys WHERE user_id = u.id)
			OR EXISTS (SELECT FROM identities WHERE user_id = u.id)
			OR EXISTS (SELECT FROM memberships WHERE user_id = u.id) AS something) has`

// Link finds a link by its text, also one that was used or has expired.
func (s *Store) Link(ctx context.Context, text string) (link Link, err error) {
	err = s.db.GetContext(ctx, &link, selectLinks+` WHERE l.hash = $1`, nfse.HashLink(text))
	return link, linkFound(err)
}

func linkFound(err error) error {
	return postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "link", "there is no such link"))
}

// Invitations lists the invitations to an organization that still work, newest
// first.
func (s *Store) Invitations(ctx context.Context, organizationID string) ([]Link, error) {
	links := []Link{}
	err := s.db.SelectContext(ctx, &links, selectLinks+` WHERE l.organization_id = $1 AND l.used_at IS NULL
		AND l.expires_at > now() ORDER BY l.id DESC`, organizationID)
	return links, err
}

// Invitation is an offer to somebody: a role in an organization, or with an empty
// organization to be an operator.
type Invitation struct {
	Email          string
	OrganizationID string
	Role           nfse.Role
}

// Invite makes an invitation of which text is the secret, and an account where the
// address has none. It ends earlier invitations to the same organization. The placeholders
// of accounts that lost their address (nfse.LostAddress) are refused as addresses.
func (c *Changes) Invite(
	ctx context.Context, invitation Invitation, text string, lasts time.Duration,
) (link Link, err error) {
	if nfse.IsLostAddress(invitation.Email) {
		return link, nfse.NewError(nfse.CodeInvalidRequest, "email", "must be an address that mail reaches")
	}
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		_, err = tx.ExecContext(ctx, `INSERT INTO users (id, email) VALUES ($1, $2)
			ON CONFLICT (email) WHERE removed_at IS NULL DO NOTHING`, nfse.NewID(nfse.PrefixUser), invitation.Email)
		if err != nil {
			return record, err
		}
		var user struct {
			nfse.User
			Member bool `db:"member"`
		}
		err = tx.GetContext(ctx, &user, `SELECT `+userColumns+`, CASE WHEN $2 = '' THEN operator ELSE
				EXISTS (SELECT FROM memberships WHERE user_id = users.id AND organization_id = $2) END AS member
			FROM users WHERE email = $1 AND removed_at IS NULL FOR NO KEY UPDATE`,
			invitation.Email, invitation.OrganizationID)
		if err == nil && user.Member {
			err = nfse.NewError(nfse.CodeInvalidRequest, "email", "%s is a member already", invitation.Email)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE links SET expires_at = now() WHERE user_id = $1 AND used_at IS NULL
				AND kind = 'invitation' AND coalesce(organization_id, '') = $2 AND expires_at > now()`,
				user.ID, invitation.OrganizationID)
		}
		if err != nil {
			return record, err
		}
		operator := invitation.OrganizationID == ""
		link, err = addLink(ctx, tx, nfse.LinkInvitation, user.ID, invitation.OrganizationID, invitation.Role, operator,
			text, lasts)
		record = audit.Record{Action: audit.UserInvite, SubjectID: user.ID,
			After: auditedUser{Operator: operator, Role: invitation.Role}}
		if operator {
			return record, err
		}
		return record.OfOrganization(invitation.OrganizationID), err
	})
	return link, err
}

func addLink(
	ctx context.Context, tx *sqlx.Tx, kind nfse.LinkKind, userID, organizationID string, role nfse.Role, operator bool,
	text string, lasts time.Duration,
) (link Link, err error) {
	_, err = tx.ExecContext(ctx, `
		INSERT INTO links (id, kind, hash, user_id, organization_id, role, operator, expires_at)
		VALUES ($1, $2, $3, $4, nullif($5, ''), nullif($6, ''), $7, now() + make_interval(secs => $8))`,
		nfse.NewID(nfse.PrefixLink), kind, nfse.HashLink(text), userID, organizationID, role, operator, lasts.Seconds())
	if err != nil {
		return link, err
	}
	err = tx.GetContext(ctx, &link, selectLinks+` WHERE l.hash = $1`, nfse.HashLink(text))
	return link, err
}

// CreateLink makes a link of which text is the secret, for somebody who has an account: to
// recover it, or to sign in once. A recovery ends the earlier ones. With an organization,
// whose owner asks, it is refused for operators and for members of another organization.
func (c *Changes) CreateLink(
	ctx context.Context, kind nfse.LinkKind, userID, organizationID, text string, lasts time.Duration,
) (link Link, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		record = audit.Record{Action: audit.UserLink, SubjectID: userID, After: map[string]any{"kind": kind}}
		var allowed bool
		err = tx.GetContext(ctx, &allowed, `SELECT $2 = '' OR NOT operator
				AND EXISTS (SELECT FROM memberships WHERE user_id = users.id AND organization_id = $2)
				AND NOT EXISTS (SELECT FROM memberships WHERE user_id = users.id AND organization_id <> $2)
			FROM users WHERE id = $1 AND removed_at IS NULL FOR NO KEY UPDATE`, userID, organizationID)
		if errors.Is(err, sql.ErrNoRows) || err == nil && !allowed {
			return record, nfse.NewError(nfse.CodeNotFound, "user", "there is no user %q to make a link for", userID)
		}
		if err == nil && kind == nfse.LinkRecovery {
			_, err = tx.ExecContext(ctx, `UPDATE links SET expires_at = now() WHERE user_id = $1 AND used_at IS NULL
				AND kind = 'recovery' AND expires_at > now()`, userID)
		}
		if err == nil {
			link, err = addLink(ctx, tx, kind, userID, "", "", false, text, lasts)
		}
		if organizationID != "" {
			record = record.OfOrganization(organizationID)
		}
		return record, err
	})
	return link, err
}

// LinkMailed records, before it is mailed, that a link's text is sent to its address only:
// using it proves that the address is the user's.
func (s *Store) LinkMailed(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE links SET mailed_at = now() WHERE id = $1 AND mailed_at IS NULL`, id)
	return err
}

// lockLink locks a link and its account. The link is read after the account was locked, so
// that Enters takes into account what a concurrent transaction did: of two invitations that
// one account uses at once, one enters.
func lockLink(ctx context.Context, tx *sqlx.Tx, text string) (link Link, err error) {
	err = tx.GetContext(ctx, new(string), `SELECT id FROM users WHERE id = (SELECT user_id FROM links
		WHERE hash = $1) FOR NO KEY UPDATE`, nfse.HashLink(text))
	if err == nil {
		err = tx.GetContext(ctx, &link, selectLinks+` WHERE l.hash = $1 FOR NO KEY UPDATE OF l`,
			nfse.HashLink(text))
	}
	return link, linkFound(err)
}

// UseLink uses a link up. An invitation that does not enter is accepted by the user who is
// signed in. A link that cannot be used is the error of Link for an unknown one, and is not
// used up.
func (c *Changes) UseLink(ctx context.Context, text, signedIn string) (link Link, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		if link, err = lockLink(ctx, tx, text); err != nil {
			return record, err
		}
		if !link.Usable(time.Now()) || !link.Enters && link.UserID != signedIn {
			return record, linkFound(sql.ErrNoRows)
		}
		if link.MailedAt != nil {
			if err := prove(ctx, tx, link.UserID); err != nil {
				return record, err
			}
		}
		if link.Kind == nfse.LinkInvitation {
			if link.Enters {
				err = lockOut(ctx, tx, link.UserID)
			}
			if err != nil {
				return record, err
			}
			return acceptInvitation(ctx, tx, link)
		}
		_, err = tx.ExecContext(ctx, `UPDATE links SET used_at = now() WHERE id = $1`, link.ID)
		record = audit.Record{Action: audit.UserLinkUsed, SubjectID: link.UserID,
			After: map[string]any{"kind": link.Kind}}
		if err == nil && link.Kind == nfse.LinkRecovery {
			err = lockOut(ctx, tx, link.UserID)
		}
		return record, err
	})
	return link, err
}

// acceptInvitation uses an invitation up and gives what it offers. The account's links to
// recover it or to sign in end, as others may have them.
func acceptInvitation(ctx context.Context, tx *sqlx.Tx, link Link) (record audit.Record, err error) {
	record = audit.Record{Action: audit.UserAccept, SubjectID: link.UserID}
	_, err = tx.ExecContext(ctx, `UPDATE links SET used_at = now() WHERE id = $1`, link.ID)
	switch {
	case err != nil:
	case link.Operator:
		record.After = auditedUser{Operator: true}
		_, err = tx.ExecContext(ctx, `UPDATE users SET operator = true WHERE id = $1`, link.UserID)
	case link.OrganizationID != nil:
		record.After = auditedUser{Role: *link.Role}
		record = record.OfOrganization(*link.OrganizationID)
		_, err = tx.ExecContext(ctx, `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)
			ON CONFLICT (organization_id, user_id) DO NOTHING`, *link.OrganizationID, link.UserID, *link.Role)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE links SET expires_at = now() WHERE user_id = $1 AND used_at IS NULL
			AND kind <> 'invitation' AND expires_at > now()`, link.UserID)
	}
	return record, err
}

// RevokeInvitation ends an invitation to an organization that was not used.
func (c *Changes) RevokeInvitation(ctx context.Context, organizationID, id string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		var userID string
		err := tx.GetContext(ctx, &userID, `UPDATE links SET expires_at = now() WHERE organization_id = $1 AND id = $2
			AND used_at IS NULL AND expires_at > now() RETURNING user_id`, organizationID, id)
		return audit.Record{Action: audit.UserUninvite, SubjectID: userID}.OfOrganization(organizationID), linkFound(err)
	})
}

// Uninvite ends the unused invitations of an account to an organization, or with an empty
// one those to operate the installation.
func (c *Changes) Uninvite(ctx context.Context, userID, organizationID string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		record := audit.Record{Action: audit.UserUninvite, SubjectID: userID,
			Before: auditedUser{Operator: organizationID == ""}}
		if organizationID != "" {
			record = record.OfOrganization(organizationID)
		}
		ended, err := postgres.Affected(tx.ExecContext(ctx, `UPDATE links SET expires_at = now() WHERE user_id = $1
			AND kind = 'invitation' AND coalesce(organization_id, '') = $2 AND used_at IS NULL AND expires_at > now()`,
			userID, organizationID))
		if err == nil && ended == 0 {
			err = nfse.NewError(nfse.CodeNotFound, "link", "there is no open invitation like that")
		}
		return record, err
	})
}
