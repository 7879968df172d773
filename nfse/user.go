package nfse

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/mail"
	"strings"
)

// Role is what a user may do in the dashboard.
type Role string

// The roles. All but the operator's are of one organization. What each may do is in
// permission.go.
const (
	RoleViewer     Role = "viewer"     // sees
	RoleEditor     Role = "editor"     // also issues, cancels and changes the catalogue
	RoleAccountant Role = "accountant" // sees and exports everything fiscal, issues nothing
	RoleDeveloper  Role = "developer"  // API keys, webhooks and their logs; no people, no certificates
	RoleOwner      Role = "owner"      // everything
	RoleOperator   Role = "operator"   // of the installation: may all that owners may, in every organization
)

// MemberRoles are the roles that a member of an organization can have.
var MemberRoles = []Role{RoleViewer, RoleEditor, RoleAccountant, RoleDeveloper, RoleOwner}

// User is a person who may sign in to the dashboard.
type User struct {
	ID         string     `db:"id" json:"id"`
	Email      string     `db:"email" json:"email"`
	Operator   bool       `db:"operator" json:"operator"`
	CreatedAt  Timestamp  `db:"created_at" json:"created_at"`
	SignedInAt *Timestamp `db:"signed_in_at" json:"signed_in_at"` // the last time; nil before the first
}

// Membership is a user's role in an organization.
type Membership struct {
	OrganizationID string    `db:"organization_id" json:"organization_id"`
	UserID         string    `db:"user_id" json:"user_id"`
	Role           Role      `db:"role" json:"role"`
	CreatedAt      Timestamp `db:"created_at" json:"created_at"`
	UpdatedAt      Timestamp `db:"updated_at" json:"updated_at"`
}

// ParseEmail reads an e-mail address in the form that identifies accounts: lower case, at
// most 254 characters, without a display name. Only ASCII letters are lowered: a letter that
// looks like another, or that Unicode folds to it, stays a different one.
func ParseEmail(text string) (string, error) {
	text = lowerASCII(strings.TrimSpace(text))
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > 254 {
		return "", NewError(CodeInvalidRequest, "email", "must be an e-mail address, as maria@example.com")
	}
	return text, nil
}

func lowerASCII(text string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			return c + ('a' - 'A')
		}
		return c
	}, text)
}

// lostAddresses is the domain of addresses that accounts have lost: no mail reaches it.
const lostAddresses = "@lost.invalid"

// LostAddress replaces the address of an account after another user has shown that it is
// theirs.
func LostAddress(userID string) string { return userID + lostAddresses }

// IsLostAddress reports whether an account has lost its address.
func IsLostAddress(email string) bool { return strings.HasSuffix(email, lostAddresses) }

// LinkKind is what a one-time link is for.
type LinkKind string

// The kinds of links.
const (
	LinkInvitation LinkKind = "invitation" // to an organization, or to be an operator
	LinkRecovery   LinkKind = "recovery"   // of an account: its passkeys and sessions end
	LinkSignIn     LinkKind = "sign_in"    // signs in once, and changes nothing
)

// NewLinkText makes the secret part of a link: 256 random bits. Only its hash is
// stored.
func NewLinkText() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails: crypto/rand ends the program instead
	return base64.RawURLEncoding.EncodeToString(secret)
}

// HashLink is what is stored of a link.
func HashLink(text string) []byte {
	hash := sha256.Sum256([]byte(text))
	return hash[:]
}
