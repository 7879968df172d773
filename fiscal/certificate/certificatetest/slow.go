package certificatetest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math"
	"testing"
)

// SlowPFX is a PFX file, for the empty password, that takes most of an hour to open: the
// count of iterations of its key is within what is encrypted, where it cannot be read
// before the file is opened.
func SlowPFX(t testing.TB) []byte {
	t.Helper()
	type bag struct {
		ID    asn1.ObjectIdentifier
		Value asn1.RawValue
	}
	type key struct {
		Algorithm pkix.AlgorithmIdentifier
		Encrypted []byte
	}
	type content struct {
		Type      asn1.ObjectIdentifier
		Algorithm pkix.AlgorithmIdentifier
		Encrypted []byte `asn1:"tag:0"`
	}
	type encrypted struct {
		Version int
		Content content
	}
	inside := marshal([]bag{{oidShroudedKey, tagged(marshal(
		key{pbes2(math.MaxInt32), make([]byte, aes.BlockSize)}))}})
	sealed, err := pbkdf2.Key(sha256.New, "", salt, 1, 32)
	must(t, err)
	block, err := aes.NewCipher(sealed)
	must(t, err)
	padding := aes.BlockSize - len(inside)%aes.BlockSize
	inside = append(inside, bytes.Repeat([]byte{byte(padding)}, padding)...)
	cipher.NewCBCEncrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(inside, inside)
	safe := marshal([]bag{{oidEncryptedData, tagged(marshal(
		encrypted{0, content{oidData, pbes2(1), inside}}))}})
	return marshal(struct {
		Version int
		Safe    bag
	}{3, bag{oidData, tagged(marshal(safe))}})
}

var (
	oidData          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidEncryptedData = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 6}
	oidShroudedKey   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 2}
	oidPBES2         = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 13}
	oidPBKDF2        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}
	oidHMACSHA256    = asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 9}
	oidAES256CBC     = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 42}

	salt = []byte("saltsalt")
)

// pbes2 encrypts by AES under a key that a count of iterations makes of a password.
func pbes2(iterations int) pkix.AlgorithmIdentifier {
	type derivation struct {
		Salt       []byte
		Iterations int
		Hash       pkix.AlgorithmIdentifier
	}
	algorithm := func(id asn1.ObjectIdentifier, parameters []byte) pkix.AlgorithmIdentifier {
		return pkix.AlgorithmIdentifier{Algorithm: id, Parameters: asn1.RawValue{FullBytes: parameters}}
	}
	return algorithm(oidPBES2, marshal([]pkix.AlgorithmIdentifier{
		algorithm(oidPBKDF2, marshal(derivation{salt, iterations, algorithm(oidHMACSHA256, asn1.NullBytes)})),
		algorithm(oidAES256CBC, marshal(make([]byte, aes.BlockSize))),
	}))
}
