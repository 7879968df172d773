package activities

import (
	"testing"

	"emissor/fiscal"
	"emissor/store/companies"
)

func TestCertificateCache_SealedAgain(t *testing.T) {
	c := NewCertificateCache(nil, nil, nil)
	credentials := &fiscal.Credentials{ID: "crt_1"}
	c.opened.Put(credentials.ID, openedCertificate{[]byte("sealed"), credentials})
	if kept := c.kept(companies.Certificate{ID: credentials.ID, Sealed: []byte("sealed")}); kept != credentials {
		t.Errorf("kept of %v is %v", credentials, kept)
	}
	if kept := c.kept(companies.Certificate{ID: credentials.ID, Sealed: []byte("sealed again")}); kept != nil {
		t.Errorf("what was sealed again is served as %v", kept)
	}
}
