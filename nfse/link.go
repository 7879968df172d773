package nfse

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

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
