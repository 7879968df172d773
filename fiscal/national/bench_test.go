package national

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"strings"
	"testing"
)

// BenchmarkBareRSASignature is what a signature cannot cost less than.
func BenchmarkBareRSASignature(b *testing.B) {
	key := testCredentials(b).Certificate.PrivateKey.(*rsa.PrivateKey)
	input := []byte(strings.Repeat("x", 1024))
	for b.Loop() {
		digest := sha256.Sum256(input)
		if _, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuildAndSignDPS builds and signs a DPS; the aim is at most 1.2 times
// the bare signature.
func BenchmarkBuildAndSignDPS(b *testing.B) {
	credentials, document := testCredentials(b), numbered()
	document.Note.Service.Description = strings.Repeat("Consultoria em gest\u00e3o \u2013 m\u00eas de novembro & outros\n", 5)
	for b.Loop() {
		if _, err := renderDPS(Options{}, document, credentials, checkedAt); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuildDPS is the building alone.
func BenchmarkBuildDPS(b *testing.B) {
	document := numbered()
	for b.Loop() {
		content, err := newDPS(Options{}, document, checkedAt)
		if err != nil {
			b.Fatal(err)
		}
		var w writer
		layout101.dps(&w, content)
	}
}
