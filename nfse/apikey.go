package nfse

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"net/netip"
	"strings"
	"time"
)

// Defaults are what a key decides for the notes that it creates. They are set when
// the key is made, and are not part of an issuance.
type Defaults struct {
	EmailCustomer             bool `db:"email_customer" json:"email_customer"`
	RegisterLedger            bool `db:"register_ledger" json:"register_ledger"`
	ConfirmMunicipalOperation bool `db:"confirm_municipal_operation" json:"confirm_municipal_operation"`
}

// APIKey is a key on record. The key text itself is shown once, when it is
// made, and never stored: only its hash is.
type APIKey struct {
	ID    string `db:"id" json:"id"`
	Scope `json:"-"`
	Label string `db:"label" json:"label"`
	Defaults
	AllowedNetworks Networks   `db:"allowed_networks" json:"allowed_networks"` // of its callers; empty is any
	CreatedAt       Timestamp  `db:"created_at" json:"created_at"`
	LastUsedAt      *Timestamp `db:"last_used_at" json:"last_used_at"` // to within some minutes
	ExpiresAt       *Timestamp `db:"expires_at" json:"expires_at"`
	RevokedAt       *Timestamp `db:"revoked_at" json:"revoked_at"`
	LastFour        *string    `db:"last_four" json:"last_four"` // of its text; nil of a key that is older than this
}

// Refusal is why a key is refused to a caller from this address at this moment;
// empty when it is valid. It is for the log: the caller only learns that the key is
// not valid.
func (k APIKey) Refusal(from netip.Addr, at time.Time) string {
	switch {
	case k.RevokedAt != nil:
		return "the key is revoked"
	case k.ExpiresAt != nil && !at.Before(k.ExpiresAt.Time):
		return "the key has expired"
	case len(k.AllowedNetworks) > 0 && !k.AllowedNetworks.Contain(from):
		return "the key is not allowed from this address"
	}
	return ""
}

const (
	keyPrefixLive  = "svc_live_"
	keyPrefixTest  = "svc_test_"
	keyRandom      = 32 // characters, 190 bits
	keyChecksum    = 6  // characters, a CRC32
	base62Alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewAPIKeyText makes the text of a key: the prefix of its environment, 32
// random base62 characters, and 6 of checksum.
func NewAPIKeyText(livemode bool) string {
	prefix := keyPrefixTest
	if livemode {
		prefix = keyPrefixLive
	}
	body := prefix + randomBase62(keyRandom)
	return body + checksum(body)
}

// IsAPIKeyText reports whether s has the form of a key: prefix, length and
// checksum. It costs no look-up, so that a mistyped key never reaches the
// database.
func IsAPIKeyText(s string) bool {
	random, ok := strings.CutPrefix(s, keyPrefixTest)
	if !ok {
		random, ok = strings.CutPrefix(s, keyPrefixLive)
	}
	if !ok || len(random) != keyRandom+keyChecksum {
		return false
	}
	cut := len(s) - keyChecksum
	return checksum(s[:cut]) == s[cut:]
}

// HashAPIKey returns what is stored of a key. The text has 190 random bits, so a
// plain SHA-256 cannot be reversed by trying texts.
func HashAPIKey(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

func randomBase62(n int) string {
	out := make([]byte, 0, n)
	var buffer [64]byte
	for {
		_, _ = rand.Read(buffer[:]) // never fails: crypto/rand ends the program instead
		for _, b := range buffer {
			// 62 does not divide 256: only bytes below 4 x 62 keep every character equally likely.
			if b >= 4*62 {
				continue
			}
			if out = append(out, base62Alphabet[b%62]); len(out) == n {
				return string(out)
			}
		}
	}
}

func checksum(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	var out [keyChecksum]byte
	for i := keyChecksum - 1; i >= 0; i-- {
		out[i] = base62Alphabet[sum%62]
		sum /= 62
	}
	return string(out[:])
}
