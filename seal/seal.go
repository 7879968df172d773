// Package seal keeps secrets at rest: authenticated encryption under a keyset
// that only the processes that need it are given, and that is never in the
// database. Package api does not import it.
//
// A secret is sealed for an owner, the names of the record that it belongs to,
// and opens for the same owner only:
//
//	sealer, err := seal.Open(keysetFile, "")
//	sealed, err := sealer.Seal([]byte(secret), organizationID, endpointID)
//	secret, err := sealer.Unseal(sealed, organizationID, endpointID)
//
// The keyset is one of Tink (AES256-GCM); NewKeyset makes it.
package seal

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// ErrNoKeyset means that a secret is needed and no keyset was given.
var ErrNoKeyset = errors.New("no keyset is configured: set EMISSOR_KEYSET_FILE or EMISSOR_KEYSET")

// Sealer seals and opens secrets. The zero Sealer has no keyset.
type Sealer struct{ aead tink.AEAD }

// New reads a keyset in Tink's JSON form.
func New(keysetJSON []byte) (*Sealer, error) {
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(keysetJSON)))
	if err != nil {
		return nil, errors.New("the keyset is not a Tink keyset in JSON")
	}
	primitive, err := aead.New(handle)
	if err != nil {
		return nil, errors.New("the keyset is not one for authenticated encryption (AEAD)")
	}
	return &Sealer{aead: primitive}, nil
}

// Open reads the keyset from a file, or else from the given text. With neither
// the Sealer has no keyset, and sealing and opening fail with ErrNoKeyset.
func Open(file, text string) (*Sealer, error) {
	if file == "" && text == "" {
		return &Sealer{}, nil
	}
	content := []byte(text)
	if file != "" {
		var err error
		if content, err = os.ReadFile(file); err != nil {
			return nil, fmt.Errorf("read the keyset: %w", err)
		}
	}
	return New(content)
}

// NewKeyset makes a keyset with one fresh key, in Tink's JSON form. Whoever has
// it can open every secret.
func NewKeyset() ([]byte, error) {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&out)); err != nil {
		return nil, err
	}
	return append(out.Bytes(), '\n'), nil
}

// Seal encrypts a secret for one owner: it opens only where the same owner is
// named, so a sealed secret that is copied to another row does not open there.
func (s *Sealer) Seal(secret []byte, owner ...string) ([]byte, error) {
	if s.aead == nil {
		return nil, ErrNoKeyset
	}
	return s.aead.Encrypt(secret, associated(owner))
}

// Unseal opens what Seal made for the same owner.
func (s *Sealer) Unseal(sealed []byte, owner ...string) ([]byte, error) {
	if s.aead == nil {
		return nil, ErrNoKeyset
	}
	secret, err := s.aead.Decrypt(sealed, associated(owner))
	if err != nil {
		return nil, errors.New("a secret does not open: it was sealed under another keyset, or for another owner")
	}
	return secret, nil
}

// UnsealAll opens those of the secrets that are set.
func (s *Sealer) UnsealAll(sealed [][]byte, owner ...string) (secrets []string, err error) {
	for _, one := range sealed {
		if one == nil {
			continue
		}
		secret, err := s.Unseal(one, owner...)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, string(secret))
	}
	return secrets, nil
}

// associated returns the associated data of an owner: different bytes for
// different names.
func associated(owner []string) []byte {
	var out []byte
	for _, name := range owner {
		out = fmt.Appendf(out, "%d:%s;", len(name), name)
	}
	return out
}
