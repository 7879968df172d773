package frame

import (
	"crypto/sha256"

	"emissor/internal/limit"
	"emissor/internal/recent"
)

// Limits are the limits beside that of tries to sign in. Each process counts for itself.
type Limits struct{ ByOwner, ToOne, Refusals, Emails *limit.Limiter[string] }

// MayMakeLink reports whether the user may make another link for somebody, who is an
// address or a member's id.
func (r *Request) MayMakeLink(somebody string) bool {
	now, organization := r.D.Now(), r.Scope.OrganizationID
	return r.D.Limits.ByOwner.Allow(r.User.ID, now) && r.D.Limits.ByOwner.Allow(organization, now) &&
		r.D.Limits.ToOne.Allow(organization+" "+somebody, now)
}

// KnownSessions has the hashes of the cookies of sessions in which somebody was signed in
// within knownFor. It authenticates nobody: the session of every request is looked up. It
// only decides which limits apply.
type KnownSessions = recent.Set[SessionHash]

type SessionHash [sha256.Size]byte
