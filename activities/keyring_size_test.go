package activities

import (
	"fmt"
	"testing"

	"emissor/fiscal"
	"emissor/store"
)

func TestAKeyringKeepsOnlySoManyOpen(t *testing.T) {
	k := &Keyring{}
	var last *fiscal.Credentials
	for i := range 3 * keyringSize {
		last = &fiscal.Credentials{ID: fmt.Sprint("crt_", i)}
		k.keep(store.Certificate{ID: last.ID, Sealed: []byte(last.ID)}, last)
		k.keep(store.Certificate{ID: last.ID, Sealed: []byte(last.ID)}, last) // by another worker at the same time
		if kept := k.kept(store.Certificate{ID: last.ID, Sealed: []byte(last.ID)}); kept != last {
			t.Fatalf("kept of %v is %v", last, kept)
		}
	}
	if len(k.opened) != keyringSize {
		t.Errorf("%d are kept", len(k.opened))
	}
	if kept := k.kept(store.Certificate{ID: last.ID, Sealed: []byte("sealed again")}); kept != nil {
		t.Errorf("what was sealed again is served as %v", kept)
	}
}
