package certificate_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
)

// of is whom an authority takes that goes by the company.
func of(issuer nfse.TaxID) fiscal.Holder { return fiscal.Holder{TaxID: issuer} }

func TestCertificateCheck_Good(t *testing.T) {
	chain := certificatetest.NewChain(t)
	for _, id := range []nfse.TaxID{company, "12ABC34501DE35", "52998224725"} {
		bundle := chain.Issue(t, certificatetest.Template(id))
		for _, at := range []time.Time{bundle.Leaf.NotBefore, time.Now(), bundle.Leaf.NotAfter} {
			if err := bundle.Check(certificate.Checks{Holder: of(id), At: at, Roots: chain.Roots()}); err != nil {
				t.Errorf("at %s: %v", at, err)
			}
		}
		if err := bundle.Check(certificate.Checks{At: time.Now(), UnverifiedChain: true}); err != nil {
			t.Errorf("without issuer and roots: %v", err)
		}
	}
	branch := chain.Issue(t, certificatetest.Template("11222333000262"))
	if err := branch.Check(certificate.Checks{Holder: of(company), At: time.Now(), UnverifiedChain: true}); err != nil {
		t.Errorf("of another branch of the company: %v", err)
	}
	any := certificatetest.Template(company)
	any.ExtKeyUsage = nil
	if err := chain.Issue(t, any).Check(certificate.Checks{At: time.Now(), UnverifiedChain: true}); err != nil {
		t.Errorf("without purposes: %v", err)
	}
	critical := certificatetest.Template(company)
	critical.ExtraExtensions[0] = certificatetest.AlternativeNames(certificatetest.Holder(company))
	critical.ExtraExtensions[0].Critical = true
	if err := chain.Issue(t, critical).Check(certificate.Checks{At: time.Now(), Roots: chain.Roots()}); err != nil {
		t.Errorf("with critical alternative names: %v", err)
	}
}

func TestCertificateCheck_Refused(t *testing.T) {
	chain, other := certificatetest.NewChain(t), certificatetest.NewChain(t)
	good := chain.Issue(t, certificatetest.Template(company))
	now := time.Now()
	changed := func(change func(*x509.Certificate)) *certificate.Bundle {
		template := certificatetest.Template(company)
		change(template)
		return chain.Issue(t, template)
	}
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words  string
		bundle *certificate.Bundle
		checks certificate.Checks
	}{
		{"1024 bits", chain.IssueFor(t, certificatetest.Template(company), short),
			certificate.Checks{At: now, UnverifiedChain: true}},
		{"the key is not the certificate's", &certificate.Bundle{Key: foreign, Leaf: good.Leaf},
			certificate.Checks{At: now, UnverifiedChain: true}},
		{"not valid before", good, certificate.Checks{At: good.Leaf.NotBefore.Add(-time.Second),
			UnverifiedChain: true}},
		{"expired on", good, certificate.Checks{At: good.Leaf.NotAfter.Add(time.Second), UnverifiedChain: true}},
		{"a certification authority's", changed(func(c *x509.Certificate) { c.IsCA = true }),
			certificate.Checks{At: now, UnverifiedChain: true}},
		{"key usage lacks", changed(func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageKeyEncipherment }),
			certificate.Checks{At: now, UnverifiedChain: true}},
		{"key usage lacks", changed(func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageDigitalSignature }),
			certificate.Checks{At: now, UnverifiedChain: true}},
		{"client authentication", changed(func(c *x509.Certificate) {
			c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
		}), certificate.Checks{At: now, UnverifiedChain: true}},
		{"another establishment", good, certificate.Checks{At: now, UnverifiedChain: true,
			Holder: fiscal.Holder{TaxID: "11222333000262", Exact: true}}},
		{"no root certificates", good, certificate.Checks{At: now}},
		{"names another company", good, certificate.Checks{At: now, Holder: of("12ABC34501DE35"),
			UnverifiedChain: true}},
		{"names another company", good, certificate.Checks{At: now, Holder: of("52998224725"), UnverifiedChain: true}},
		{"names no CNPJ", changed(func(c *x509.Certificate) {
			c.ExtraExtensions, c.Subject.CommonName = nil,
				"EMPRESA"
		}), certificate.Checks{At: now, UnverifiedChain: true}},
		{"unknown or missing certification authority", good, certificate.Checks{At: now, Roots: other.Roots()}},
		{"unknown or missing certification authority", &certificate.Bundle{Key: good.Key, Leaf: good.Leaf},
			certificate.Checks{At: now, Roots: chain.Roots()}},
		{"not valid at this time", changed(func(c *x509.Certificate) { c.NotAfter = now.AddDate(20, 0, 0) }),
			certificate.Checks{At: now.AddDate(15, 0, 0), Roots: chain.Roots()}},
	} {
		expectError(t, c.bundle.Check(c.checks), "certificate", c.words)
	}
}
