// Package seal keeps secrets at rest: authenticated encryption under a keyset
// that only the processes that need it are given, and that is never in the
// database. Package api does not import it.
//
// A secret is sealed for an owner, the names of the record that it belongs to,
// and opens for the same owner only:
//
//	sealer, err := seal.Open(seal.Source{File: keysetFile})
//	sealed, err := sealer.Seal([]byte(secret), organizationID, endpointID)
//	secret, err := sealer.Unseal(sealed, organizationID, endpointID)
//
// The keyset is one of Tink (AES256-GCM), in a File that may itself be encrypted by
// the key of a KMS. Its keys are rotated while processes run: a Sealer reads its
// file again, and what an older key sealed opens as long as the key is there.
package seal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/tink"

	"emissor/nfse/fact"
)

// ErrNoKeyset means that a secret is needed and no keyset was given.
var ErrNoKeyset = fact.Failure(fact.KeysetMissing.Fact())

// KEK is a key that encrypts the keyset itself, and that no process holds: package
// kms has those of key management services.
type KEK = tink.AEAD

// Source says where a keyset comes from: a file, or else a text.
type Source struct {
	File, Text string
	KEK        KEK // encrypts the keyset; nil: it is in clear text
}

// Sealer seals and opens secrets. The zero Sealer has no keyset.
type Sealer struct {
	source Source

	reloading sync.Mutex // held while the source is read, which may ask a KMS
	mu        sync.RWMutex
	aead      tink.AEAD
	keys      Keys

	content []byte // of the source when it was read last; guarded by reloading
}

// New reads a keyset in Tink's JSON form.
func New(keysetJSON []byte) (*Sealer, error) { return Open(Source{Text: string(keysetJSON)}) }

// Open reads a keyset. From an empty source the Sealer has none, and sealing and
// opening fail with ErrNoKeyset.
func Open(source Source) (*Sealer, error) {
	s := &Sealer{source: source}
	if source.File == "" && source.Text == "" {
		return s, nil
	}
	return s, s.Reload()
}

// Reload reads the keyset again. When that fails the one from before stays in use.
// Sealing and opening go on meanwhile.
func (s *Sealer) Reload() error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	content := []byte(s.source.Text)
	if s.source.File != "" {
		var err error
		if content, err = os.ReadFile(s.source.File); err != nil {
			return fmt.Errorf("read the keyset: %w", err)
		}
	}
	if len(content) == 0 && s.source.File == "" || bytes.Equal(content, s.content) && s.content != nil {
		return nil // nothing to read, or to ask a KMS about again
	}
	read, err := parse(content, s.source.KEK)
	if err != nil {
		return err
	}
	primitive, err := aead.New(read.handle)
	if err != nil {
		return errors.New("the keyset is not one for authenticated encryption (AEAD)")
	}
	s.content = content
	s.mu.Lock()
	defer s.mu.Unlock()
	s.aead, s.keys = primitive, read.Keys()
	return nil
}

// Keys are the keys that this Sealer holds; none without a keyset.
func (s *Sealer) Keys() Keys {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.keys
}

func (s *Sealer) primitive() tink.AEAD {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.aead
}

// Seal encrypts a secret for one owner: it opens only where the same owner is
// named, so a sealed secret that is copied to another row does not open there.
func (s *Sealer) Seal(secret []byte, owner ...string) ([]byte, error) {
	primitive := s.primitive()
	if primitive == nil {
		return nil, ErrNoKeyset
	}
	return primitive.Encrypt(secret, associated(owner))
}

// Unseal opens what Seal made for the same owner. A key that is not known may be
// one that was added since the keyset was read.
func (s *Sealer) Unseal(sealed []byte, owner ...string) ([]byte, error) {
	primitive := s.primitive()
	if primitive == nil {
		return nil, ErrNoKeyset
	}
	secret, err := primitive.Decrypt(sealed, associated(owner))
	if err != nil && !s.holds(sealed) && s.Reload() == nil {
		secret, err = s.primitive().Decrypt(sealed, associated(owner))
	}
	if err != nil {
		return nil, fact.Failure(fact.SecretDoesNotOpen.Fact())
	}
	return secret, nil
}

func (s *Sealer) holds(sealed []byte) bool {
	id, ok := KeyOf(sealed)
	return ok && slices.Contains(s.Keys().IDs(), id)
}

// KeyOf names the key that sealed a secret. ok is false for what Seal did not make.
func KeyOf(sealed []byte) (id KeyID, ok bool) {
	if len(sealed) < 5 || sealed[0] != 1 {
		return 0, false
	}
	return KeyID(binary.BigEndian.Uint32(sealed[1:5])), true
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
