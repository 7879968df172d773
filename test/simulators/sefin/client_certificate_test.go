package sefin_test

import (
	"bytes"
	"crypto/tls"
	"net/http"
	"testing"

	"emissor/test/simulators/sefin"
)

func TestClientCertificate(t *testing.T) {
	simulator, c := startWithIssuer(t)
	key := c.issued(c.dps(1))
	for name, test := range map[string]struct {
		client *client
		code   string
	}{
		"expired": {
			newClient(t, simulator, sefin.Subject{TaxID: issuer, NotBefore: morning.AddDate(-2, 0, 0)}), "E1203",
		},
		"another root": {newClient(t, simulator, sefin.Subject{TaxID: issuer, Foreign: true}), "E1208"},
		"no otherName": {newClient(t, simulator, sefin.Subject{TaxID: issuer, Anonymous: true}), "E1209"},
		"forged":       {connect(t, simulator, forged(c.certificate)), "E1205"},
		"none":         {connect(t, simulator, nil), "E1200"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := test.client.issue(c.dps(2))
			if answer.status != http.StatusForbidden || answer.codes() != test.code {
				t.Errorf("%d %s, want %s", answer.status, answer.text, test.code)
			}
		})
	}
	t.Run("QueriesNeedOne", func(t *testing.T) {
		if answer := connect(t, simulator, nil).get("/nfse/" + key); answer.status != http.StatusUnauthorized {
			t.Errorf("%d %s", answer.status, answer.text)
		}
	})
	t.Run("QueriesAreForTheParties", func(t *testing.T) {
		stranger := newClient(t, simulator, sefin.Subject{TaxID: "99008877000196"})
		id := "DPS33045572" + issuer + "00001000000000000001"
		for _, path := range []string{"/nfse/" + key, "/dps/" + id} {
			if answer := stranger.get(path); answer.status != http.StatusForbidden {
				t.Errorf("a stranger asks for %s: %d %s", path, answer.status, answer.text)
			}
		}
		if answer := stranger.must("HEAD", simulator.URL()+"/dps/"+id, nil); answer.status != http.StatusOK {
			t.Errorf("a stranger asks whether the DPS exists: %d", answer.status)
		}
		customer := newClient(t, simulator, sefin.Subject{TaxID: taker})
		if answer := customer.get("/nfse/" + key); answer.status != http.StatusOK {
			t.Errorf("the taker asks: %d %s", answer.status, answer.text)
		}
	})
}

// forged is a certificate whose issuer's signature was changed.
func forged(certificate *tls.Certificate) *tls.Certificate {
	forged := tls.Certificate{PrivateKey: certificate.PrivateKey}
	for _, der := range certificate.Certificate {
		forged.Certificate = append(forged.Certificate, bytes.Clone(der))
	}
	leaf := forged.Certificate[0]
	leaf[len(leaf)-1] ^= 1
	return &forged
}
