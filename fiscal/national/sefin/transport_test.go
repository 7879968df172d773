package sefin

import (
	"crypto/tls"
	"net/http"
	"sync"
	"testing"

	"emissor/fiscal"
)

func TestTransports_ReusedAndKeptApart(t *testing.T) {
	b := newBench(t)
	var mutex sync.Mutex
	opened := map[string]int{} // connections by certificate
	c := b.serve(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		opened[r.RemoteAddr+" "+r.TLS.PeerCertificates[0].SerialNumber.String()]++
		w.WriteHeader(http.StatusNotFound)
	})
	other := b.access
	other.Credentials = &fiscal.Credentials{ID: b.access.Credentials.ID, Certificate: b.clients.sign(t, "127.0.0.1")}
	for range 5 {
		for _, access := range []fiscal.Access{b.access, other} {
			if answer := c.Find(t.Context(), access, issuing); answer.Outcome != notFound {
				t.Fatalf("%+v", answer)
			}
		}
	}
	if len(opened) != 2 {
		t.Errorf("%d connections for two certificates: %v", len(opened), opened)
	}
}

// A server may name issuers of which the stored chain knows nothing; the
// certificate is offered all the same.
func TestTransport_AlwaysOffersTheCertificate(t *testing.T) {
	b := newBench(t)
	b.server.ClientAuth = tls.RequestClientCert
	b.server.ClientCAs = newCA(t).pool
	c := b.serve(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) != 1 {
			t.Errorf("%d certificates", len(r.TLS.PeerCertificates))
		}
		w.WriteHeader(http.StatusNotFound)
	})
	if answer := c.Find(t.Context(), b.access, issuing); answer.Outcome != notFound {
		t.Errorf("%+v", answer)
	}
}
