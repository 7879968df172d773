package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader is the header of every delivery.
const SignatureHeader = "service-signature"

// NewSecret makes the secret of an endpoint.
func NewSecret() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	return "whsec_" + base64.RawURLEncoding.EncodeToString(random[:])
}

// Sign makes the value of the signature header: the moment of this attempt (t, in Unix
// seconds) and, for each secret, the HMAC-SHA256 (v1, in hexadecimal) of moment, a dot
// and body. There are two secrets while one is being rotated.
func Sign(secrets []string, at time.Time, body []byte) string {
	moment := strconv.FormatInt(at.Unix(), 10)
	parts := []string{"t=" + moment}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(moment + "."))
		mac.Write(body)
		parts = append(parts, "v1="+hex.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(parts, ",")
}

// SecretOfKey is the secret of a command that listens with this API key: the same each time, so that a receiver that is
// being written is configured once. Who does not have the key cannot make it.
func SecretOfKey(key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte("webhook secret of a command that listens"))
	return "whsec_" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
