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

// ErrLastOwner says that an organization would be left without an owner.
var ErrLastOwner = errors.New("store: the last owner of an organization stays its owner")

const membershipColumns = `organization_id, user_id, role, created_at, updated_at`

// UserMembership is an organization that a user is a member of.
type UserMembership struct {
	nfse.Membership
	Name string `db:"name" json:"name"` // of the organization
}

// MembershipsOf lists what a user is a member of, by the organizations' names.
func (s *Store) MembershipsOf(ctx context.Context, userID string) ([]UserMembership, error) {
	memberships := []UserMembership{}
	err := s.db.SelectContext(ctx, &memberships, `
		SELECT m.organization_id, m.user_id, m.role, m.created_at, m.updated_at, o.name
		FROM memberships m JOIN organizations o ON o.id = m.organization_id
		WHERE m.user_id = $1 ORDER BY o.name, o.id`, userID)
	return memberships, err
}

// Member is a person of an organization.
type Member struct {
	nfse.Membership
	Email      string          `db:"email"`
	SignedInAt *nfse.Timestamp `db:"signed_in_at"`
	Elsewhere  bool            `db:"elsewhere"` // also a member of another organization, or an operator
	Sessions   int             `db:"sessions"`  // that are open
}

// LostAddress reports whether the account lost its address to somebody who proved it.
func (m Member) LostAddress() bool { return nfse.IsLostAddress(m.Email) }

const members = `
	SELECT m.organization_id, m.user_id, m.role, m.created_at, m.updated_at, u.email, u.signed_in_at,
		u.operator OR EXISTS (SELECT FROM memberships other WHERE other.user_id = m.user_id
			AND other.organization_id <> m.organization_id) AS elsewhere,
		(SELECT count(*) FROM sessions WHERE user_id = m.user_id AND ended_at IS NULL
			AND expires_at > now()) AS sessions
	FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`

// Members lists the people of an organization, by their addresses.
func (s *Store) Members(ctx context.Context, organizationID string) ([]Member, error) {
	list := []Member{}
	err := s.db.SelectContext(ctx, &list, members+` ORDER BY u.email`, organizationID)
	return list, err
}

// Member reads one person of an organization.
func (s *Store) Member(ctx context.Context, organizationID, userID string) (member Member, err error) {
	err = s.db.GetContext(ctx, &member, members+` AND m.user_id = $2`, organizationID, userID)
	return member, memberFound(userID, err)
}

func memberFound(userID string, err error) error {
	return postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "user", "the organization has no member %q", userID))
}

// SetRole gives a member another role. The version is the updated_at of the membership
// as the person saw it; when it has changed since, ErrChanged.
func (c *Changes) SetRole(
	ctx context.Context, organizationID, userID string, role nfse.Role, version nfse.Timestamp,
) (membership nfse.Membership, err error) {
	err = c.changeMembership(ctx, audit.MemberSet, organizationID, userID, func(tx *sqlx.Tx, before nfse.Membership,
	) (any, error) {
		if before.UpdatedAt.UnixMilli() != version.UnixMilli() {
			return nil, postgres.ErrChanged
		}
		err := tx.GetContext(ctx, &membership, `
			UPDATE memberships SET role = $3, updated_at = clock_timestamp()
			WHERE organization_id = $1 AND user_id = $2 RETURNING `+membershipColumns, organizationID, userID, role)
		return auditedUser{Role: role}, err
	})
	return membership, err
}

// RemoveMember takes somebody out of an organization. Their account stays.
func (c *Changes) RemoveMember(ctx context.Context, organizationID, userID string) error {
	return c.changeMembership(ctx, audit.MemberRemove, organizationID, userID, func(tx *sqlx.Tx, _ nfse.Membership,
	) (any, error) {
		_, err := tx.ExecContext(ctx, `DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2`,
			organizationID, userID)
		if err == nil { // what they kept for themselves ends with it
			_, err = tx.ExecContext(ctx, `DELETE FROM saved_filters WHERE organization_id = $1 AND user_id = $2`,
				organizationID, userID)
		}
		return nil, err
	})
}

// changeMembership lets change change a membership, and is ErrLastOwner where the
// organization has no owner afterwards. All its owners are locked, so that two changes at
// the same time do not leave it without one.
func (c *Changes) changeMembership(
	ctx context.Context, action audit.Action, organizationID, userID string,
	change func(*sqlx.Tx, nfse.Membership) (after any, err error),
) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		var locked []nfse.Membership
		err = tx.SelectContext(ctx, &locked, `SELECT `+membershipColumns+` FROM memberships
			WHERE organization_id = $1 AND (role = 'owner' OR user_id = $2) ORDER BY user_id FOR UPDATE`,
			organizationID, userID)
		if err != nil {
			return record, err
		}
		var before nfse.Membership
		for _, one := range locked {
			if one.UserID == userID {
				before = one
			}
		}
		if before.UserID == "" {
			return record, memberFound(userID, sql.ErrNoRows)
		}
		after, err := change(tx, before)
		if err != nil {
			return record, err
		}
		if before.Role == nfse.RoleOwner {
			var owned bool
			err = tx.GetContext(ctx, &owned, `SELECT EXISTS (SELECT FROM memberships
				WHERE organization_id = $1 AND role = 'owner')`, organizationID)
			if err == nil && !owned {
				err = ErrLastOwner
			}
		}
		return audit.Record{Action: action, SubjectID: userID, Before: auditedUser{Role: before.Role}, After: after}.
			OfOrganization(organizationID), err
	})
}
