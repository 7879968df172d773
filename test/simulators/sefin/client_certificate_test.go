package sefin_test

import (
	"bytes"
	"crypto/tls"
	"net/http"
	"strings"
	"testing"

	"emissor/test/simulators/sefin"
)

// Who shows no certificate that is let in gets a page of IIS before SEFIN, and of nginx before the ADN. As described it
// is told why, in JSON.
func TestClientCertificate(t *testing.T) {
	t.Run("Pages", func(t *testing.T) { clientCertificate(t, false) })
	t.Run("AsDescribed", func(t *testing.T) { clientCertificate(t, true) })
	t.Run("QueriesAreForTheParties", queriesOfStrangers)
}

func clientCertificate(t *testing.T, described bool) {
	simulator := start(t, sefin.Options{AsDescribed: described})
	c := newClient(t, simulator, sefin.Subject{TaxID: issuer})
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
			posts := simulator.Posts()
			if codes := posts[len(posts)-1].Codes; len(codes) != 1 || codes[0] != test.code {
				t.Errorf("on record are %q", codes)
			}
			asked, documents := test.client.get("/nfse/"+key), test.client.must("GET", simulator.ADNURL()+
				"/contribuintes/DFe/0", nil)
			if described {
				asks := http.StatusForbidden
				if name == "none" {
					asks = http.StatusUnauthorized
				}
				for status, of := range map[int]reply{http.StatusForbidden: answer, asks: asked} {
					if of.status != status || of.codes() != test.code {
						t.Errorf("%d %s, want %s", of.status, of.text, test.code)
					}
				}
				return
			}
			for _, of := range []reply{answer, asked} {
				if of.status != http.StatusForbidden || !of.isPage("403 - Forbidden: Access is denied.") {
					t.Errorf("SEFIN: %d %s", of.status, of.text)
				}
			}
			status, title := 495, "400 The SSL certificate error"
			if name == "none" {
				status, title = 496, "400 No required SSL certificate was sent"
			}
			if documents.status != status || !documents.isPage(title) {
				t.Errorf("the ADN: %d %s", documents.status, documents.text)
			}
		})
	}
	if n := len(simulator.Ledger()); n != 1 {
		t.Errorf("%d notes were issued", n)
	}
}

// isPage reports whether it is an HTML page with a title, and no JSON.
func (r reply) isPage(title string) bool {
	return r.body == nil && strings.HasPrefix(r.header.Get("Content-Type"), "text/html") &&
		strings.Contains(string(r.text), "<title>"+title+"</title>")
}

func queriesOfStrangers(t *testing.T) {
	simulator, c := startWithIssuer(t)
	key := c.issued(c.dps(1))
	stranger := newClient(t, simulator, sefin.Subject{TaxID: "99008877000196"})
	id := "DPS33045572" + issuer + "00001000000000000001"
	for _, path := range []string{"/nfse/" + key, "/dps/" + id} {
		if answer := stranger.get(path); answer.status != http.StatusForbidden || answer.codes() != "E2403" {
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
}

// What does not exist is a page, to who shows a certificate; so is what is asked by a wrong method.
func TestRoutes_None(t *testing.T) {
	simulator, c := startWithIssuer(t)
	key := c.issued(c.dps(1))
	for name, one := range map[string]struct {
		method, path string
		status       int
		title        string
	}{
		"another route":          {"GET", "/SefinNacional/nfe", 404, "404 - File or directory not found."},
		"an event of no number":  {"GET", "/SefinNacional/nfse/" + key + "/eventos/101101", 404, "404 - File or"},
		"all events":             {"GET", "/SefinNacional/nfse/" + key + "/eventos", 405, "405 - HTTP verb used"},
		"a list of notes":        {"GET", "/SefinNacional/nfse", 405, "405 - HTTP verb used"},
		"a note to be deleted":   {"DELETE", "/SefinNacional/nfse/" + key, 405, "405 - HTTP verb used"},
		"another one of the ADN": {"GET", "/contribuintes/NFSe", 404, "404 - File or directory not found."},
	} {
		answer := c.must(one.method, simulator.Base()+one.path, nil)
		if answer.status != one.status || answer.body != nil || !strings.Contains(string(answer.text), "<title>"+one.title) {
			t.Errorf("%s: %d %s", name, answer.status, answer.text)
		}
	}
	nobody := connect(t, simulator, nil).get("/nfse/" + key + "/eventos")
	if nobody.status != http.StatusForbidden || !nobody.isPage("403 - Forbidden: Access is denied.") {
		t.Errorf("without a certificate: %d %s", nobody.status, nobody.text)
	}
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
