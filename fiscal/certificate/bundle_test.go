package certificate_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
)

const (
	company  nfse.TaxID = "11222333000181"
	password string     = "senhação"
)

func expectError(t *testing.T, err error, field, words string) {
	t.Helper()
	var refused *nfse.Error
	if !errors.As(err, &refused) || refused.Code != nfse.CodeInvalidRequest || refused.Field != field ||
		!strings.Contains(refused.Message, words) {
		t.Errorf("the error is %v, expected one of %s that says %q", err, field, words)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The files of testdata were written by OpenSSL: as it does today, and as it and
// Windows did for years.
func TestReadPFX_EveryEncryption(t *testing.T) {
	for _, name := range []string{"modern.pfx", "legacy-3des.pfx", "legacy-rc2.pfx"} {
		bundle, err := certificate.ReadPFX(readFile(t, name), password)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if id, err := bundle.TaxID(); err != nil || id != company || len(bundle.Chain) != 0 {
			t.Errorf("%s names %q (%v), with %d in the chain", name, id, err, len(bundle.Chain))
		}
	}
	chain := certificatetest.NewChain(t)
	issued := chain.Issue(t, certificatetest.Template(company))
	for name, encoder := range map[string]*pkcs12.Encoder{"RC2": pkcs12.LegacyRC2, "3DES": pkcs12.LegacyDES,
		"2023": pkcs12.Modern2023, "2026": pkcs12.Modern2026} {
		pfx, err := encoder.Encode(issued.Key, issued.Leaf, []*x509.Certificate{chain.Root, chain.Authority}, password)
		if err != nil {
			t.Fatal(err)
		}
		bundle, err := certificate.ReadPFX(pfx, password)
		if err != nil || !bundle.Leaf.Equal(issued.Leaf) || len(bundle.Chain) != 1 ||
			!bundle.Chain[0].Equal(chain.Authority) {
			t.Errorf("%s is read as %+v, %v", name, bundle, err)
		}
	}
}

func TestReadPFX_LeafAnywhere(t *testing.T) {
	chain := certificatetest.NewChain(t)
	issued, stranger := chain.Issue(t, certificatetest.Template(company)), certificatetest.NewChain(t)
	pfx, err := pkcs12.Modern2023.Encode(issued.Key, chain.Root,
		[]*x509.Certificate{stranger.Authority, issued.Leaf, chain.Authority}, password)
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := certificate.ReadPFX(pfx, password)
	if err != nil || !bundle.Leaf.Equal(issued.Leaf) || len(bundle.Chain) != 1 ||
		!bundle.Chain[0].Equal(chain.Authority) {
		t.Errorf("it is read as %+v, %v", bundle, err)
	}

	foreign, err := pkcs12.Modern2023.Encode(issued.Key, chain.Root, []*x509.Certificate{chain.Authority}, password)
	if err != nil {
		t.Fatal(err)
	}
	_, err = certificate.ReadPFX(foreign, password)
	expectError(t, err, "certificate", "no certificate in the file belongs to the file's key")
}

func TestReadPFX_Refused(t *testing.T) {
	pfx := readFile(t, "modern.pfx")
	for _, wrong := range []string{"", "senhacao", "SENHAÇÃO", password + "\n", "senhac\u0327a\u0303o"} {
		_, err := certificate.ReadPFX(pfx, wrong)
		expectError(t, err, "password", "the password is not the file's")
	}
	_, err := certificate.ReadPFX(pfx, "🔑")
	expectError(t, err, "password", "UCS-2")
	_, err = certificate.ReadPFX(readFile(t, "no-key.pfx"), password)
	expectError(t, err, "certificate", "no private key")
	_, err = certificate.ReadPFX(readFile(t, "no-certificate.pfx"), password)
	expectError(t, err, "certificate", "no certificate")
	for _, content := range [][]byte{nil, {0x30}, []byte("-----BEGIN CERTIFICATE-----\n"),
		bytes.Repeat([]byte{0x30, 0x80}, 1000)} {
		_, err := certificate.ReadPFX(content, password)
		expectError(t, err, "certificate", "not a PFX")
	}
}

// A file that was cut is refused, and so is nearly every one in which a byte fell
// over: some bytes mean nothing.
func TestReadPFX_DamagedFile(t *testing.T) {
	pfx := readFile(t, "legacy-rc2.pfx") // whose key derivation is fast
	for length := 0; length < len(pfx); length += 7 {
		_, err := certificate.ReadPFX(pfx[:length], password)
		expectError(t, err, "certificate", "not a PFX")
	}
	read := 0
	iterations := 8 // the last bytes say how often to derive a key: changed, they are only slow
	for at := 0; at < len(pfx)-iterations; at += 5 {
		damaged := bytes.Clone(pfx)
		damaged[at] ^= 0x55
		_, err := certificate.ReadPFX(damaged, password)
		var refused *nfse.Error
		switch {
		case err == nil:
			read++
		case !errors.As(err, &refused):
			t.Errorf("byte %d: %v", at, err)
		}
	}
	if read > 5 {
		t.Errorf("%d damaged files are read", read)
	}
}

func TestReadPFX_KeyNotRSA(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	issued := certificatetest.NewChain(t).IssueFor(t, certificatetest.Template(company), key)
	bundle, err := certificate.ReadPFX(certificatetest.PFX(t, issued, password), password)
	if err != nil {
		t.Fatal(err)
	}
	expectError(t, bundle.Check(certificate.Checks{At: bundle.Leaf.NotBefore, UnverifiedChain: true}), "certificate",
		"not RSA")
}

func TestBundle_MarshalAndParse(t *testing.T) {
	issued := certificatetest.NewChain(t).Issue(t, certificatetest.Template(company))
	content, err := issued.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	credentials, err := certificate.Parse("crt_1", content, certificate.SigningProgram{})
	if err != nil {
		t.Fatal(err)
	}
	read := credentials.Certificate
	if credentials.ID != "crt_1" || !certificatetest.Key().Equal(read.PrivateKey) || !read.Leaf.Equal(issued.Leaf) ||
		len(read.Certificate) != 2 || !bytes.Equal(read.Certificate[0], issued.Leaf.Raw) ||
		!bytes.Equal(read.Certificate[1], issued.Chain[0].Raw) {
		t.Errorf("read back is %v with %d certificates", credentials, len(read.Certificate))
	}

	other, err := certificatetest.NewChain(t).Issue(t, certificatetest.Template(company)).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	secret := string(content[100:140])
	for _, damaged := range [][]byte{nil, content[:len(content)/2], other[:100],
		bytes.Replace(content, []byte("PRIVATE KEY"), []byte("PUBLIC KEY"), 2)} {
		_, err := certificate.Parse("crt_1", damaged, certificate.SigningProgram{})
		if err == nil || !strings.Contains(err.Error(), "crt_1") || strings.Contains(err.Error(), secret) {
			t.Errorf("damaged, it is answered %v", err)
		}
	}
}

func TestBundle_DoesNotPrintItsKey(t *testing.T) {
	bundle := certificatetest.NewChain(t).Issue(t, certificatetest.Template(company))
	secret := certificatetest.Key().D.String()
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if printed := fmt.Sprintf(format, bundle); strings.Contains(printed, secret[:20]) || len(printed) > 100 {
			t.Errorf("%s prints %s", format, printed)
		}
	}
}
