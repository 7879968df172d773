package seal_test

import (
	"path/filepath"
	"testing"

	"emissor/internal/seal"
)

// hangingKMS is a KMS that has the key of a keyset, and may hang.
type hangingKMS struct {
	key   *seal.Sealer
	asked chan struct{} // is sent to when it is asked; nil: it does not hang
	leave chan struct{}
}

func (k *hangingKMS) Encrypt(text, _ []byte) ([]byte, error) { return k.key.Seal(text, "kek") }

func (k *hangingKMS) Decrypt(text, _ []byte) ([]byte, error) {
	if k.asked != nil {
		k.asked <- struct{}{}
		<-k.leave
	}
	return k.key.Unseal(text, "kek")
}

// While a KMS hangs that is asked for a changed keyset, the one from before seals and
// opens.
func TestReload_HangingKMS(t *testing.T) {
	keyset, err := seal.NewKeyset()
	must(t, err)
	key, err := seal.New(keyset)
	must(t, err)
	kms := &hangingKMS{key: key}
	file := seal.File{Path: filepath.Join(t.TempDir(), "keyset.json"), KEK: kms}
	must(t, file.Create())
	sealer, err := seal.Open(seal.Source{File: file.Path, KEK: kms})
	must(t, err)
	must(t, file.Change(func(keyset *seal.Keyset) error {
		_, err := keyset.AddKey()
		return err
	}))

	kms.asked, kms.leave = make(chan struct{}), make(chan struct{})
	reloaded := make(chan error)
	go func() { reloaded <- sealer.Reload() }()
	<-kms.asked
	sealed, err := sealer.Seal([]byte("x"), "a")
	must(t, err)
	if _, err := sealer.Unseal(sealed, "a"); err != nil || len(sealer.Keys()) != 1 {
		t.Errorf("meanwhile: %v, %d keys", err, len(sealer.Keys()))
	}
	close(kms.leave)
	must(t, <-reloaded)
	if len(sealer.Keys()) != 2 {
		t.Errorf("afterwards: %d keys", len(sealer.Keys()))
	}
}
