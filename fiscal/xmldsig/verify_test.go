package xmldsig_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/xmldsig"
	"emissor/test/reference"
)

const (
	nfse         = "http://www.sped.fazenda.gov.br/nfse"
	inclusive    = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	exclusive    = "http://www.w3.org/2001/10/xml-exc-c14n#"
	withComments = "WithComments"
)

var at = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// signer is a key with a certificate that a root signed.
type signer struct {
	key         *rsa.PrivateKey
	certificate *x509.Certificate
	root        *x509.Certificate
}

func newSigner(t testing.TB) signer {
	t.Helper()
	rootKey, key := newKey(t), newKey(t)
	root := newCertificate(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "root"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	}, nil, &rootKey.PublicKey, rootKey)
	return signer{key, newCertificate(t, &x509.Certificate{Subject: pkix.Name{CommonName: "signer"}}, root,
		&key.PublicKey, rootKey), root}
}

func newKey(t testing.TB) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newCertificate(t testing.TB, template, parent *x509.Certificate, key *rsa.PublicKey,
	by *rsa.PrivateKey) *x509.Certificate {
	t.Helper()
	template.SerialNumber = big.NewInt(1)
	template.NotBefore, template.NotAfter = at.AddDate(0, -1, 0), at.AddDate(0, 1, 0)
	if parent == nil {
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key, by)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

func pool(certificates ...*x509.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	for _, certificate := range certificates {
		pool.AddCert(certificate)
	}
	return pool
}

// sign makes a document of one element, with the signature beside it. The
// element is canonical but for a namespace that an embedded document declares
// again.
func (s signer) sign(t testing.TB, root, inner, canonicalization string, hash crypto.Hash) string {
	t.Helper()
	signature, digest := "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "http://www.w3.org/2001/04/xmlenc#sha256"
	if hash == crypto.SHA1 {
		signature, digest = "http://www.w3.org/2000/09/xmldsig#rsa-sha1", "http://www.w3.org/2000/09/xmldsig#sha1"
	}
	_, id, _ := strings.Cut(inner, `Id="`)
	id, _, _ = strings.Cut(id, `"`)
	declaration := ` xmlns="` + nfse + `"`
	canonical := strings.Replace(strings.ReplaceAll(inner, declaration, ""), " Id=", declaration+" Id=", 1)
	info := fmt.Sprintf(`<CanonicalizationMethod Algorithm="%[1]s"></CanonicalizationMethod>`+
		`<SignatureMethod Algorithm="%[2]s"></SignatureMethod>`+
		`<Reference URI="#%[3]s"><Transforms>`+
		`<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></Transform>`+
		`<Transform Algorithm="%[1]s"></Transform></Transforms><DigestMethod Algorithm="%[4]s"></DigestMethod>`+
		`<DigestValue>%[5]s</DigestValue></Reference></SignedInfo>`,
		canonicalization, signature, id, digest, base64.StdEncoding.EncodeToString(sum(hash, canonical)))
	value, err := rsa.SignPKCS1v15(nil, s.key, hash,
		sum(hash, `<SignedInfo xmlns="http://www.w3.org/2000/09/xmldsig#">`+info))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`<%[1]s xmlns="%[2]s" versao="1.01">`+
		`%[3]s<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>%[4]s`+
		`<SignatureValue>%[5]s</SignatureValue><KeyInfo><X509Data><X509Certificate>%[6]s</X509Certificate>`+
		`</X509Data></KeyInfo></Signature></%[1]s>`,
		root, nfse, inner, info,
		base64.StdEncoding.EncodeToString(value), base64.StdEncoding.EncodeToString(s.certificate.Raw))
}

func sum(hash crypto.Hash, text string) []byte {
	if hash == crypto.SHA1 {
		digest := sha1.Sum([]byte(text))
		return digest[:]
	}
	digest := sha256.Sum256([]byte(text))
	return digest[:]
}

// issued is a signed NFS-e with a signed DPS in it.
func issued(t testing.TB, s signer) string {
	t.Helper()
	dps := newSigner(t).sign(t, "DPS", `<infDPS Id="DPS1"><nDPS>1</nDPS></infDPS>`, inclusive, crypto.SHA1)
	return s.sign(t, "NFSe", `<infNFSe Id="NFS1"><nNFSe>7</nNFSe>`+dps+`</infNFSe>`, exclusive+withComments,
		crypto.SHA256)
}

func TestVerify_Reference(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(reference.National(t, "samples"), "*signed*.xml"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d signed samples, %v", len(files), err)
	}
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		signature, err := xmldsig.Verify(document, nil, at)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
			continue
		}
		if !strings.Contains(string(document), "<DigestValue>"+signature.Digest+"</DigestValue>") ||
			!strings.Contains(string(document), `URI="#`+signature.ID+`"`) {
			t.Errorf("%s: %+v", filepath.Base(file), signature)
		}
		if _, err := xmldsig.Verify(document, pool(signature.Certificate), at); err != nil {
			t.Errorf("%s, its own certificate as root: %v", filepath.Base(file), err)
		}
		if _, err := xmldsig.Verify(document, pool(newSigner(t).root), at); err == nil {
			t.Errorf("%s verifies with another root", filepath.Base(file))
		}
		changed := strings.Replace(string(document), "3304557", "3304558", 1)
		if changed == string(document) {
			t.Fatalf("%s cannot be changed", filepath.Base(file))
		}
		if _, err := xmldsig.Verify([]byte(changed), nil, at); err == nil {
			t.Errorf("%s verifies after a change", filepath.Base(file))
		}
	}
}

func TestVerify_EmbeddedDocument(t *testing.T) {
	authority := newSigner(t)
	signature, err := xmldsig.Verify([]byte(issued(t, authority)), pool(authority.root), at)
	if err != nil {
		t.Fatal(err)
	}
	if signature.ID != "NFS1" || !signature.Certificate.Equal(authority.certificate) {
		t.Errorf("%s, %s", signature.ID, signature.Certificate.Subject)
	}
}

func TestVerify_Algorithms(t *testing.T) {
	s := newSigner(t)
	inner := `<infDPS Id="DPS1"><xNome>A &amp; B</xNome><xDescServ>"ação"</xDescServ></infDPS>`
	for _, canonicalization := range []string{inclusive, inclusive + "#" + withComments, exclusive, exclusive +
		withComments} {
		for _, hash := range []crypto.Hash{crypto.SHA1, crypto.SHA256} {
			if _, err := xmldsig.Verify([]byte(s.sign(t, "DPS", inner, canonicalization, hash)), pool(s.root),
				at); err != nil {
				t.Errorf("%s, %s: %v", canonicalization, hash, err)
			}
		}
	}
	for _, canonicalization := range []string{"http://www.w3.org/2006/12/xml-c14n11",
		"http://www.w3.org/TR/1999/REC-xslt-19991116", ""} {
		if _, err := xmldsig.Verify([]byte(s.sign(t, "DPS", inner, canonicalization, crypto.SHA256)), pool(s.root),
			at); err == nil {
			t.Errorf("%q verifies", canonicalization)
		}
	}
}

func TestVerify_WrittenOtherwise(t *testing.T) {
	s := newSigner(t)
	document := s.sign(t, "DPS", `<infDPS Id="DPS1"><xNome>A &amp; B</xNome><im></im></infDPS>`, exclusive,
		crypto.SHA256)
	for _, change := range [][2]string{
		{`<im></im>`, `<im/>`},
		{`A &amp; B`, `A &#38; B`},
		{`<infDPS Id="DPS1">`, `<infDPS   Id='DPS1' >`},
		{`<infDPS Id=`, `<infDPS xmlns="` + nfse + `" Id=`},
		{`<DPS `, `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<DPS xmlns:unused="urn:u" `},
		{`</DPS>`, "</DPS>\n<!-- end -->\n"},
	} {
		if _, err := xmldsig.Verify([]byte(replaced(t, document, change[0], change[1])), pool(s.root), at); err != nil {
			t.Errorf("%s: %v", change[1], err)
		}
	}
}

func replaced(t testing.TB, document, old, by string) string {
	t.Helper()
	changed := strings.Replace(document, old, by, 1)
	if changed == document {
		t.Fatalf("%s is not in the document", old)
	}
	return changed
}

// Each change must be refused for its own reason, and not because another test
// of it would fail anyway.
func TestVerify_Refused(t *testing.T) {
	authority, stranger := newSigner(t), newSigner(t)
	good := issued(t, authority)
	forged := `<infNFSe Id="NFS2"><nNFSe>8</nNFSe></infNFSe>`
	_, original, _ := strings.Cut(good, `versao="1.01">`)
	original = original[:strings.LastIndex(original, `<Signature `)]
	outer := good[strings.LastIndex(good, "<Signature "):strings.LastIndex(good, "</NFSe>")]
	cases := map[string]struct{ document, why string }{
		"a changed value": {replaced(t, good, "<nNFSe>7<", "<nNFSe>8<"),
			"changed after it was signed"},
		"a changed embedded document": {replaced(t, good, "<nDPS>1<", "<nDPS>2<"), "changed after it was signed"},
		"another namespace": {replaced(t, good, "<infNFSe Id", `<infNFSe xmlns="urn:x" Id`),
			"changed after it was signed"},
		"an added attribute": {replaced(t, good, "<nNFSe>", `<nNFSe a="b">`),
			"changed after it was signed"},
		"a comment where comments count": {replaced(t, good, "<nNFSe>7", "<nNFSe>7<!-- -->"),
			"changed after it was signed"},
		"another digest": {replaced(t, good, lastDigest(good),
			base64.StdEncoding.EncodeToString(make([]byte, 32))), "changed after it was signed"},
		"a stranger's signature": {issued(t, stranger), "the certificate of root is missing"},
		"a stranger's certificate": {replaced(t, good, base64.StdEncoding.EncodeToString(authority.certificate.Raw),
			base64.StdEncoding.EncodeToString(stranger.certificate.Raw)), "not made with the key"},
		"no signature": {`<NFSe xmlns="` + nfse + `">` + original + `</NFSe>`, "not signed"},
		"only that of the embedded one": {`<NFSe xmlns="` + nfse + `">` + forged + original + `</NFSe>`,
			"not signed"},
		"the signed element moved behind": {`<NFSe xmlns="` + nfse + `">` + forged + original + outer + `</NFSe>`,
			"another element"},
		"the signed element moved inside": {`<NFSe xmlns="` + nfse + `">` +
			strings.Replace(forged, "</infNFSe>", original+"</infNFSe>", 1) + outer + `</NFSe>`, "another element"},
		"the signed element in signature": {`<NFSe xmlns="` + nfse + `">` + forged + strings.Replace(outer,
			"</KeyInfo>", "</KeyInfo><Object>"+original+"</Object>", 1) + `</NFSe>`, "another element"},
		"an Id twice": {`<NFSe xmlns="` + nfse + `">` +
			strings.Replace(forged, "NFS2", "NFS1", 1) + original + outer + `</NFSe>`, "occurs twice"},
		"an Id twice, in another case": {replaced(t, good, "<nNFSe>", `<nNFSe ID="NFS1">`), "occurs twice"},
		"two signatures":               {replaced(t, good, outer, outer+outer), "several signatures"},
		"a signature before what it signs": {`<NFSe xmlns="` + nfse + `">` + outer + original + `</NFSe>`,
			"signs nothing"},
		"a signature of nothing":    {`<NFSe xmlns="` + nfse + `">` + outer + `</NFSe>`, "signs nothing"},
		"a reference to everything": {replaced(t, good, `URI="#NFS1"`, `URI=""`), "another element"},
		"no Id":                     {replaced(t, good, ` Id="NFS1"`, ""), "another element"},
		"an Id in a namespace": {replaced(t, good, ` Id="NFS1"`, ` xmlns:x="urn:x" x:Id="NFS1"`),
			"another element"},
		"two references": {replaced(t, good, "</Reference></SignedInfo><SignatureValue>"+lastValue(good),
			"</Reference><Reference></Reference></SignedInfo><SignatureValue>"+lastValue(good)), "several Reference"},
		"a comment in the signature": {replaced(t, good, lastDigest(good),
			lastDigest(good)[:4]+"<!-- -->"+lastDigest(good)[4:]), "comment"},
		"HMAC": {replaced(t, good, "2001/04/xmldsig-more#rsa-sha256",
			"2001/04/xmldsig-more#hmac-sha256"), "SignatureMethod"},
		"a document type":         {`<!DOCTYPE NFSe [<!ENTITY a "b">]>` + good, "document type"},
		"an instruction":          {replaced(t, good, "<nNFSe>", "<?x y?><nNFSe>"), "processing instruction"},
		"an attribute of xml":     {replaced(t, good, "<NFSe ", `<NFSe xml:base="x" `), "xml itself"},
		"an attribute twice":      {replaced(t, good, ` Id="NFS1"`, ` Id="NFS1" a="1" a="2"`), "well-formed"},
		"a second root":           {good + "<NFSe></NFSe>", "well-formed"},
		"text behind":             {good + "x", "well-formed"},
		"an end too early":        {good[:len(good)-1], "well-formed"},
		"another encoding":        {`<?xml version="1.0" encoding="ISO-8859-1"?>` + good, "well-formed"},
		"bytes that are no UTF-8": {replaced(t, good, "<nNFSe>7", "<nNFSe>7\xff"), "well-formed"},
		"nothing":                 {"", "well-formed"},
		"too deep":                {strings.Repeat("<a>", 100) + strings.Repeat("</a>", 100), "too deep"},
		"too large":               {"<a>" + strings.Repeat(" ", 9<<20) + "</a>", "larger than"},
	}
	for name, c := range cases {
		if signature, err := xmldsig.Verify([]byte(c.document), pool(authority.root), at); err == nil {
			t.Errorf("%s: verifies %s", name, signature.ID)
		} else if !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := xmldsig.Verify([]byte(good), pool(authority.root), at.AddDate(1, 0, 0)); err == nil ||
		!strings.Contains(err.Error(), "not valid at the time") {
		t.Errorf("after the certificate's end: %v", err)
	}
	if _, err := xmldsig.Verify([]byte(issued(t, stranger)), nil, at); err != nil {
		t.Errorf("without roots it matters who signed: %v", err)
	}
}

// A key that takes minutes to verify with is not used.
func TestVerify_HugeKey(t *testing.T) {
	s := newSigner(t)
	huge := &rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), 1<<16), E: 65537}
	huge.N.Add(huge.N, big.NewInt(1))
	s.certificate = newCertificate(t, &x509.Certificate{Subject: pkix.Name{CommonName: "signer"}}, nil, huge, s.key)
	if _, err := xmldsig.Verify([]byte(issued(t, s)), nil, at); err == nil ||
		!strings.Contains(err.Error(), "8192 bits") {
		t.Error(err)
	}
}

func lastDigest(document string) string { return last(document, "<DigestValue>") }
func lastValue(document string) string  { return last(document, "<SignatureValue>") }

func last(document, tag string) string {
	text := document[strings.LastIndex(document, tag)+len(tag):]
	text, _, _ = strings.Cut(text, "<")
	return text
}

func FuzzVerify(f *testing.F) {
	authority := newSigner(f)
	f.Add([]byte(issued(f, authority)))
	f.Add([]byte(`<NFSe><infNFSe Id="a"/><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/></NFSe>`))
	stranger := pool(newSigner(f).root)
	f.Fuzz(func(t *testing.T, document []byte) {
		if _, err := xmldsig.Verify(document, stranger, at); err == nil {
			t.Error("what a stranger never signed verifies")
		}
	})
}
