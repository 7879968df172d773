package nationaltest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"sync"
	"testing"
	"time"

	"emissor/fiscal"
)

// credentials makes a self-signed certificate, valid at any moment that
// declarations are drawn for and at the present, in which programs verify it.
var credentials = sync.OnceValues(func() (*fiscal.Credentials, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "EMPRESA DE TESTE:11222333000181"},
		NotBefore: time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	certificate := tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
	return &fiscal.Credentials{ID: "crt_test", Certificate: certificate}, nil
})

// Credentials returns the same for every test of a package.
func Credentials(t testing.TB) *fiscal.Credentials {
	t.Helper()
	credentials, err := credentials()
	if err != nil {
		t.Fatal(err)
	}
	return credentials
}
