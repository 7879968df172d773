package sefin

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse/fact"
)

// certified is a certificate that another one signs, or that signs itself.
func certified(t testing.TB, by *x509.Certificate, byKey *rsa.PrivateKey, template x509.Certificate,
) (*x509.Certificate, *rsa.PrivateKey) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	if by == nil {
		by, byKey = &template, key
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore, template.NotAfter = time.Now().AddDate(-2, 0, 0), time.Now().AddDate(2, 0, 0)
	der, err := x509.CreateCertificate(rand.Reader, &template, by, &key.PublicKey, byKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate, key
}

// What signs NFS-e is a host's certificate of a public authority, alone in the document: it counts once the
// authority's server has shown by which other it is trusted, under the host's name and no other.
func TestSignatureProblem_Host(t *testing.T) {
	authority := x509.Certificate{Subject: pkix.Name{CommonName: "Public CA"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign}
	root, rootKey := certified(t, nil, nil, authority)
	authority.Subject.CommonName = "Public OV CA"
	between, betweenKey := certified(t, root, rootKey, authority)
	host := func(names ...string) (*x509.Certificate, *rsa.PrivateKey) {
		return certified(t, between, betweenKey, x509.Certificate{Subject: pkix.Name{CommonName: names[0]},
			DNSNames: names, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	}
	signer, signerKey := host("*.nfse.example", "localhost")
	signed := seal{signerKey, signer.Raw, nil}.sign(t, nfseOf(accessKey, dpsID), "infNFSe", "NFS"+accessKey)
	roots := x509.NewCertPool()
	roots.AddCert(root)

	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{
		{Certificate: [][]byte{signer.Raw, between.Raw}, PrivateKey: signerKey}}}
	server.StartTLS()
	defer server.Close()

	problem := func(words string, called bool, configured, system *x509.CertPool) fact.Fact {
		t.Helper()
		client := newClient(t)
		client.options.DocumentSigners = mustSigners(t, words)
		client.options.SignerRoots, client.options.SystemRoots = configured, system
		client.http = mtls.New(mtls.Options{ServerRoots: roots})
		if called {
			address := "https://localhost:" + server.URL[len("https://127.0.0.1:"):]
			reply := client.http.Do(t.Context(), tls.Certificate{Certificate: [][]byte{signer.Raw},
				PrivateKey: signerKey}, false, mtls.Request{Method: http.MethodGet, URL: address, MaxBody: 1 << 10})
			if reply.Status != http.StatusNotFound {
				t.Fatalf("the server was not called: %s", reply.Reason)
			}
		}
		answer := interpretSent(answered(201, issuedWith(xmlMember(signed))), client.subjectOf(issuing))
		if answer.Outcome != fiscal.OutcomeAccepted {
			t.Errorf("%s: it is %s", words, answer.Outcome)
		}
		return answer.Document.SignatureProblem
	}
	untrusted := func(missing string) fact.Fact {
		return fact.SignatureNotTrusted.With("why", fact.SignerRootMissing.With("root", missing))
	}
	others, none := x509.NewCertPool(), fact.Fact{}
	for name, c := range map[string]struct {
		got  fact.Fact
		want fact.Fact
	}{
		"a host of the certificate":         {problem("www.nfse.example", true, nil, roots), fact.Fact{}},
		"before any server was called":      {problem("www.nfse.example", false, nil, roots), untrusted("Public OV CA")},
		"of no system root":                 {problem("www.nfse.example", true, nil, others), untrusted("Public CA")},
		"beside other roots":                {problem("www.nfse.example", true, others, roots), fact.Fact{}},
		"another host":                      {problem("www.nfse.other", true, nil, roots), fact.SignatureOfNoSigner.Fact()},
		"below another level":               {problem("a.b.nfse.example", true, nil, roots), fact.SignatureOfNoSigner.Fact()},
		"by its subject, of a system root":  {problem("CN=*.nfse.example", true, others, roots), untrusted("Public OV CA")},
		"by its subject and as a host":      {problem("CN=*.nfse.example;www.nfse.example", true, others, roots), none},
		"by its subject, of its own issuer": {problem("CN=*.nfse.example", true, poolOf(between), roots), fact.Fact{}},
	} {
		if c.got.Code != c.want.Code || c.got.English() != c.want.English() {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
}

func poolOf(certificate *x509.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	return pool
}
