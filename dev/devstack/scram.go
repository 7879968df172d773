package main

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
)

// scramVerifier is a password as PostgreSQL stores it (RFC 5803), derived in 1000 rounds instead
// of 4096, the fewest that lib/pq takes. Rounds protect passwords that can be guessed, and each
// connection pays for them; this one is 128 random bits.
func scramVerifier(password string) (string, error) {
	const rounds = 1000
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // it never fails
	salted, err := pbkdf2.Key(sha256.New, password, salt, rounds, sha256.Size)
	if err != nil {
		return "", err
	}
	stored := sha256.Sum256(keyedHash(salted, "Client Key"))
	text := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", rounds, text(salt), text(stored[:]),
		text(keyedHash(salted, "Server Key"))), nil
}

func keyedHash(key []byte, text string) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(text))
	return hash.Sum(nil)
}
