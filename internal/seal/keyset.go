package seal

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
)

// KeyID names a key of a keyset. Every sealed secret begins with that of its key.
type KeyID uint32

// Key is what may be known of a key.
type Key struct {
	ID      KeyID
	Primary bool // it seals; every key opens what it sealed
}

// Keys are the keys of a keyset, the oldest first.
type Keys []Key

// Primary is the key that seals; 0 without a keyset.
func (k Keys) Primary() KeyID {
	for _, key := range k {
		if key.Primary {
			return key.ID
		}
	}
	return 0
}

// Newest is the key that was added last.
func (k Keys) Newest() KeyID { return k[len(k)-1].ID }

// BeforePrimary are the keys older than the one that seals: those that a rotation
// leaves behind.
func (k Keys) BeforePrimary() (older []KeyID) {
	for _, key := range k {
		if key.Primary {
			return older
		}
		older = append(older, key.ID)
	}
	return nil
}

// IDs are the names of the keys.
func (k Keys) IDs() (ids []KeyID) {
	for _, key := range k {
		ids = append(ids, key.ID)
	}
	return ids
}

// Keyset is a keyset that may be changed; File.Change does it where it is kept.
type Keyset struct{ handle *keyset.Handle }

// parse reads a keyset in Tink's JSON form: in clear text, or encrypted by kek.
func parse(content []byte, kek KEK) (*Keyset, error) {
	encrypted := bytes.Contains(content, []byte(`"encryptedKeyset"`))
	reader := keyset.NewJSONReader(bytes.NewReader(content))
	switch {
	case encrypted && kek == nil:
		return nil, errors.New("the keyset is encrypted: EMISSOR_KEYSET_KEK must name the key that opens it")
	case !encrypted && kek != nil:
		return nil, errors.New("the keyset is in clear text, and EMISSOR_KEYSET_KEK names a key that encrypts it: " +
			"`emissor keyset encrypt` does")
	case encrypted:
		handle, err := keyset.Read(reader, kek)
		if err != nil {
			return nil, fmt.Errorf("the key of EMISSOR_KEYSET_KEK does not open the keyset: %w", err)
		}
		return &Keyset{handle}, nil
	}
	handle, err := insecurecleartextkeyset.Read(reader)
	if err != nil {
		return nil, errors.New("the keyset is not a Tink keyset in JSON")
	}
	return &Keyset{handle}, nil
}

// marshal writes what parse reads.
func (k *Keyset) marshal(kek KEK) ([]byte, error) {
	var out bytes.Buffer
	writer := keyset.NewJSONWriter(&out)
	var err error
	if kek == nil {
		err = insecurecleartextkeyset.Write(k.handle, writer)
	} else {
		err = k.handle.Write(writer, kek)
	}
	return append(out.Bytes(), '\n'), err
}

// Keys lists the keys.
func (k *Keyset) Keys() (keys Keys) {
	info := k.handle.KeysetInfo()
	for _, key := range info.GetKeyInfo() {
		keys = append(keys, Key{ID: KeyID(key.GetKeyId()), Primary: key.GetKeyId() == info.GetPrimaryKeyId()})
	}
	return keys
}

// AddKey adds a fresh key, which opens but does not seal yet.
func (k *Keyset) AddKey() (KeyID, error) {
	var id uint32
	err := k.change(func(manager *keyset.Manager) (err error) {
		id, err = manager.Add(aead.AES256GCMKeyTemplate())
		return err
	})
	return KeyID(id), err
}

// MakePrimary makes a key the one that seals.
func (k *Keyset) MakePrimary(id KeyID) error {
	return k.change(func(manager *keyset.Manager) error { return manager.SetPrimary(uint32(id)) })
}

// Remove takes keys away: what they sealed does not open any more.
func (k *Keyset) Remove(ids ...KeyID) error {
	return k.change(func(manager *keyset.Manager) error {
		for _, id := range ids {
			if err := manager.Delete(uint32(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (k *Keyset) change(change func(*keyset.Manager) error) error {
	manager := keyset.NewManagerFromHandle(k.handle)
	if err := change(manager); err != nil {
		return err
	}
	handle, err := manager.Handle()
	if err != nil {
		return err
	}
	k.handle = handle
	return nil
}

// NewKeyset makes a keyset with one fresh key, in Tink's JSON form. Anybody who has it can open every secret.
func NewKeyset() ([]byte, error) { return NewKeysetUnder(nil) }

// NewKeysetUnder makes a keyset that is encrypted by kek; nil leaves it in clear
// text.
func NewKeysetUnder(kek KEK) ([]byte, error) {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, err
	}
	return (&Keyset{handle}).marshal(kek)
}
