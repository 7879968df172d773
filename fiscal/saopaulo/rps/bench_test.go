package rps_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1"
	"strings"
	"testing"

	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/saopaulo/rps"
	"emissor/fiscal/saopaulo/saopaulotest"
)

// BenchmarkTwoBareRSASignatures is what the two signatures of an RPS cannot cost
// less than.
func BenchmarkTwoBareRSASignatures(b *testing.B) {
	key := nationaltest.Credentials(b).Certificate.PrivateKey.(*rsa.PrivateKey)
	input := []byte(strings.Repeat("x", 1024))
	for b.Loop() {
		for range 2 {
			digest := sha1.Sum(input)
			if _, err := rsa.SignPKCS1v15(nil, key, crypto.SHA1, digest[:]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkSignDeclaration builds and signs an RPS; the aim is at most 1.3 times the
// two bare signatures.
func BenchmarkSignDeclaration(b *testing.B) {
	credentials, declaration := nationaltest.Credentials(b), saopaulotest.Declaration()
	line := "Consultoria em gest\u00e3o \u2013 m\u00eas de novembro & outros\n"
	declaration.Note.Service.Description = strings.Repeat(line, 5)
	for b.Loop() {
		if _, err := (rps.Signer{}).SignDeclaration(declaration, credentials, saopaulotest.At); err != nil {
			b.Fatal(err)
		}
	}
}
