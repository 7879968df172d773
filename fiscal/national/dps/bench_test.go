package dps

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"strings"
	"testing"

	"emissor/fiscal/national/nationaltest"
)

// BenchmarkBareRSASignature is what a signature cannot cost less than.
func BenchmarkBareRSASignature(b *testing.B) {
	key := nationaltest.Credentials(b).Certificate.PrivateKey.(*rsa.PrivateKey)
	input := []byte(strings.Repeat("x", 1024))
	for b.Loop() {
		digest := sha256.Sum256(input)
		if _, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSignDeclaration builds and signs a DPS; the aim is at most 1.2 times
// the bare signature.
func BenchmarkSignDeclaration(b *testing.B) {
	credentials, declaration := nationaltest.Credentials(b), nationaltest.Declaration()
	line := "Consultoria em gest\u00e3o \u2013 m\u00eas de novembro & outros\n"
	declaration.Note.Service.Description = strings.Repeat(line, 5)
	for b.Loop() {
		if _, err := (Signer{}).SignDeclaration(declaration, credentials, nationaltest.At); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuildDPS is the building alone.
func BenchmarkBuildDPS(b *testing.B) {
	declaration := nationaltest.Declaration()
	for b.Loop() {
		content, err := Signer{}.dps(declaration, nationaltest.At)
		if err != nil {
			b.Fatal(err)
		}
		var w writer
		layout101.dps(&w, content)
	}
}
