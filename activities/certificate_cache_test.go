package activities

import (
	"fmt"
	"testing"

	"emissor/fiscal"
	"emissor/store"
)

func TestCertificateCache_Size(t *testing.T) {
	c := &CertificateCache{}
	var last *fiscal.Credentials
	for i := range 3 * cacheSize {
		last = &fiscal.Credentials{ID: fmt.Sprint("crt_", i)}
		c.keep(store.Certificate{ID: last.ID, Sealed: []byte(last.ID)}, last)
		c.keep(store.Certificate{ID: last.ID, Sealed: []byte(last.ID)}, last) // by another worker at the same time
		if kept := c.kept(store.Certificate{ID: last.ID, Sealed: []byte(last.ID)}); kept != last {
			t.Fatalf("kept of %v is %v", last, kept)
		}
	}
	if len(c.opened) != cacheSize {
		t.Errorf("%d are kept", len(c.opened))
	}
	if kept := c.kept(store.Certificate{ID: last.ID, Sealed: []byte("sealed again")}); kept != nil {
		t.Errorf("what was sealed again is served as %v", kept)
	}
}
