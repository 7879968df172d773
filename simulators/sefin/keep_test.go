package sefin_test

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/simulators/sefin"
)

func TestWhatIsKeptInADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "authority")
	first := start(t, sefin.Options{Dir: dir})
	c := newClient(t, first, sefin.Subject{Document: issuer})
	key := c.issued(c.dps(1))
	cancelled := c.issued(c.dps(2))
	c.cancel(cancelled, c.request(cancelled, "101101"))
	roots, nfse := first.RootsPEM(), first.NFSe(key)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	// A process that was killed in the middle of a line.
	path := filepath.Join(dir, "ledger.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(whole, []byte(`{"note":{"access_key":"3`)...), 0o600); err != nil {
		t.Fatal(err)
	}

	second := start(t, sefin.Options{Dir: dir})
	if !bytes.Equal(second.RootsPEM(), roots) {
		t.Error("the roots changed")
	}
	if onDisk, err := os.ReadFile(filepath.Join(dir, sefin.RootsFile)); err != nil || !bytes.Equal(onDisk, roots) {
		t.Errorf("the file of roots: %v", err)
	}
	again := connect(t, second, c.certificate)
	again.certificate = c.certificate
	if answer := again.get("/nfse/" + key); answer.status != http.StatusOK || !bytes.Equal(second.NFSe(key), nfse) {
		t.Errorf("asked after a restart: %d %s", answer.status, answer.text)
	}
	if answer := again.issue(again.dps(1)); answer.codes() != "E0014" {
		t.Errorf("the same number after a restart: %s", answer.text)
	}
	again.issued(again.dps(3))
	entries := second.Ledger()
	if len(entries) != 3 || entries[0].Cancelled || !entries[1].Cancelled || entries[2].NFSeNumber != 3 {
		t.Errorf("the ledger after a restart: %+v", entries)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(after, whole) || bytes.Count(after, []byte("\n")) != 4 {
		t.Errorf("the file of the ledger: %d lines, %v", bytes.Count(after, []byte("\n")), err)
	}

	if err := os.WriteFile(filepath.Join(dir, "server.pem"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sefin.Start(sefin.Options{Dir: dir}); err == nil {
		t.Error("a broken key was accepted")
	}
}

func TestPFX(t *testing.T) {
	authority := start(t, sefin.Options{})
	for name, subject := range map[string]sefin.Subject{
		"modern": {Document: "12ABC34501DE35", Name: "Acme"},
		"legacy": {Document: person, Name: "Maria", Legacy: true},
	} {
		t.Run(name, func(t *testing.T) {
			pfx, err := authority.NewPFX(subject, "segredo")
			if err != nil {
				t.Fatal(err)
			}
			if _, _, _, err := pkcs12.DecodeChain(pfx, "errado"); err == nil {
				t.Error("any password opens it")
			}
			_, leaf, chain, err := pkcs12.DecodeChain(pfx, "segredo")
			if err != nil {
				t.Fatal(err)
			}
			intermediates := x509.NewCertPool()
			for _, above := range chain {
				intermediates.AddCert(above)
			}
			if _, err := leaf.Verify(x509.VerifyOptions{
				Roots: authority.Roots(), Intermediates: intermediates, CurrentTime: morning,
				KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
			}); err != nil {
				t.Error(err)
			}
			// The otherName, as text in DER.
			if !bytes.Contains(leaf.Raw, []byte(subject.Document)) {
				t.Error("the document is not in the certificate")
			}
		})
	}
	if _, err := authority.NewPFX(sefin.Subject{Document: "11222333000182"}, ""); err == nil {
		t.Error("a certificate for a wrong CNPJ was given")
	}
}

// Who believes SignerRoots believes what signed an NFS-e, and no A1 certificate's
// issuer is needed for it.
func TestSignersRoots(t *testing.T) {
	authority, c := shop(t)
	nfse := string(authority.NFSe(c.issued(c.dps(1))))
	encoded := nfse[strings.LastIndex(nfse, "<X509Certificate>")+len("<X509Certificate>") : strings.LastIndex(nfse, "</X509Certificate>")]
	der, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	options := x509.VerifyOptions{Roots: authority.SignerRoots(), CurrentTime: morning, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}
	if _, err := signer.Verify(options); err != nil {
		t.Error(err)
	}
	if _, err := c.certificate.Leaf.Verify(options); err == nil {
		t.Error("an A1 certificate is believed without the authority that gave it")
	}
}
