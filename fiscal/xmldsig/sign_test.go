package xmldsig_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"encoding/base64"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/xmldsig"
	"emissor/test/reference"
)

var profiles = []xmldsig.Profile{{}, {SHA1: true}, {Exclusive: true}, {Exclusive: true, SHA1: true}}

// naming is the profile of a city whose server wants a certificate named.
var naming = xmldsig.Profile{SHA1: true, NamesCertificate: true}

const signedText = `<infDPS Id="DPS1"><a>R&amp;D &lt;x&gt; "'</a><b></b><c>` + "duas\nlinhas \u00e9\u00ff" +
	`</c></infDPS>`

func (s signer) tls() tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{s.certificate.Raw, s.root.Raw}, PrivateKey: s.key, Leaf: s.certificate}
}

// signed is a document around an element and its signature.
func (s signer) signed(t *testing.T, profile xmldsig.Profile) (document []byte, digest string) {
	t.Helper()
	signature, digest, err := xmldsig.Sign(profile,
		xmldsig.Element{Namespace: nfse, ID: "DPS1", Text: []byte(signedText)}, s.tls())
	if err != nil {
		t.Fatal(err)
	}
	return []byte(`<?xml version="1.0" encoding="UTF-8"?><DPS xmlns="` + nfse + `" versao="1.01">` + signedText +
		string(signature) + `</DPS>`), digest
}

func TestSign_Verifies(t *testing.T) {
	s := newSigner(t)
	for _, profile := range append(slices.Clone(profiles), naming) {
		document, digest := s.signed(t, profile)
		signature, err := xmldsig.Verify(document, pool(s.root), at)
		if err != nil || signature.ID != "DPS1" || signature.Digest != digest ||
			!signature.Certificate.Equal(s.certificate) {
			t.Errorf("%s: %v, %s, digest %s, want %s", profile, err, signature.ID, signature.Digest, digest)
		}
		if bytes.Count(document, []byte("<X509Certificate>")) != 1 {
			t.Errorf("%s: not only the leaf is in the signature", profile)
		}
		named := bytes.Contains(document, []byte("<X509SubjectName>CN=")) &&
			bytes.Contains(document, []byte("<X509SerialNumber>"+s.certificate.SerialNumber.String()+"<"))
		if named != profile.NamesCertificate {
			t.Errorf("%s: names its certificate: %t", profile, named)
		}
		for _, other := range []string{"<a>R&amp;D", "duas\n", "\u00ff"} {
			changed := bytes.Replace(document, []byte(other), []byte("<a>"), 1)
			if _, err := xmldsig.Verify(changed, nil, at); err == nil {
				t.Errorf("%s: verifies without %q", profile, other)
			}
		}
	}
}

// The element of a sample is signed, whose digests another program computed.
func TestSign_AsTheSample(t *testing.T) {
	for _, profile := range profiles {
		short := strings.NewReplacer("inclusive", "inc", "exclusive", "exc").Replace(profile.String())
		sample, err := os.ReadFile(reference.National(t, "samples", "dps-cpf-signed-"+short+".xml"))
		if err != nil {
			t.Fatal(err)
		}
		start, end := bytes.Index(sample, []byte("<infDPS ")), bytes.Index(sample, []byte("<Signature "))
		_, want, _ := bytes.Cut(sample, []byte("<DigestValue>"))
		want, _, _ = bytes.Cut(want, []byte("<"))
		element := xmldsig.Element{Namespace: nfse, ID: "DPS330455721122233300018100001000000000000042",
			Text: sample[start:end]}
		signature, digest, err := xmldsig.Sign(profile, element, newSigner(t).tls())
		if err != nil || digest != string(want) {
			t.Errorf("%s: digest %s, %v, want %s", profile, digest, err, want)
		}
		info := func(document []byte) string {
			_, after, _ := bytes.Cut(document, []byte("<SignedInfo>"))
			before, _, _ := bytes.Cut(after, []byte("</SignedInfo>"))
			return string(before)
		}
		if info(signature) != info(sample) {
			t.Errorf("%s: SignedInfo is\n%s\nwant\n%s", profile, info(signature), info(sample))
		}
	}
}

// wholeText is a document as canonical XML has it: one of its elements leaves the
// namespace of the root.
const wholeText = `<Pedido xmlns="http://www.prefeitura.sp.gov.br/nfe"><RPS xmlns="" Versao="2">R&amp;D &lt;x&gt; "'` +
	"duas\nlinhas \u00e9\u00ff" + `<b></b></RPS></Pedido>`

func (s signer) signedWhole(t *testing.T, profile xmldsig.Profile) (document []byte, digest string) {
	t.Helper()
	document, digest, err := xmldsig.SignDocument(profile, []byte(wholeText), s.tls())
	if err != nil {
		t.Fatal(err)
	}
	return document, digest
}

// TestSign_XMLSec1Verifies has xmlsec1 verify every profile, of an element and of a
// whole document.
func TestSign_XMLSec1Verifies(t *testing.T) {
	if _, err := exec.LookPath("xmlsec1"); err != nil {
		t.Fatal("needs xmlsec1 (Debian: xmlsec1), which dev/setup.sh tests installs")
	}
	s, directory := newSigner(t), t.TempDir()
	roots := filepath.Join(directory, "root.pem")
	if err := os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.root.Raw}),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, profile := range append(slices.Clone(profiles), naming) {
		document, _ := s.signed(t, profile)
		whole, _ := s.signedWhole(t, profile)
		change := func(document []byte) []byte { return bytes.Replace(document, []byte("duas"), []byte("tres"), 1) }
		for name, content := range map[string][]byte{
			"good.xml": document, "changed.xml": change(document),
			"good-whole.xml": whole, "changed-whole.xml": change(whole),
		} {
			file := filepath.Join(directory, name)
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("xmlsec1", "--verify", "--id-attr:Id", "infDPS", "--verification-gmt-time",
				at.Format("2006-01-02 15:04:05"),
				"--trusted-pem", roots, file).CombinedOutput()
			verifies := err == nil && strings.HasPrefix(string(out), "OK\n")
			if verifies != strings.HasPrefix(name, "good") {
				t.Errorf("%s %s: %v\n%s", profile, name, err, out)
			}
		}
	}
}

func TestSignDocument(t *testing.T) {
	s := newSigner(t)
	for _, profile := range profiles {
		document, digest := s.signedWhole(t, profile)
		before, after, cut := bytes.Cut(document, []byte("<Signature "))
		if string(before) != strings.TrimSuffix(wholeText, "</Pedido>") || !cut ||
			!bytes.HasSuffix(after, []byte("</Signature></Pedido>")) ||
			!bytes.Contains(after, []byte(`<Reference URI="">`)) ||
			!bytes.Contains(after, []byte("<DigestValue>"+digest+"<")) {
			t.Errorf("%s: %s", profile, document)
		}
	}
	for _, text := range []string{"", "x", "<", "<?xml version=\"1.0\"?><a></a>", "<a></a> ", "<a/>"} {
		if _, _, err := xmldsig.SignDocument(xmldsig.Profile{}, []byte(text), s.tls()); err == nil {
			t.Errorf("%q was signed", text)
		}
	}
}

func TestSignText(t *testing.T) {
	s := newSigner(t)
	for _, profile := range profiles {
		signature, err := xmldsig.SignText(profile, "31000000", s.tls())
		if err != nil {
			t.Fatal(err)
		}
		value, err := base64.StdEncoding.DecodeString(signature)
		if err != nil {
			t.Fatal(err)
		}
		hash := crypto.SHA256
		if profile.SHA1 {
			hash = crypto.SHA1
		}
		hashed := hash.New()
		hashed.Write([]byte("31000000"))
		if err := rsa.VerifyPKCS1v15(&s.key.PublicKey, hash, hashed.Sum(nil), value); err != nil {
			t.Errorf("%s: %v", profile, err)
		}
	}
	if _, err := xmldsig.SignText(xmldsig.Profile{}, "x", tls.Certificate{}); err == nil {
		t.Error("nothing signed")
	}
}

func TestSign_Refused(t *testing.T) {
	s := newSigner(t)
	good := xmldsig.Element{Namespace: nfse, ID: "DPS1", Text: []byte(signedText)}
	for name, text := range map[string]string{
		"nothing": "", "no element": "DPS1", "no Id": "<infDPS><a></a></infDPS>", "another Id": `<infDPS Id="DPS2">` +
			`</infDPS>`,
		"a namespace already": `<infDPS xmlns="x" Id="DPS1"></infDPS>`,
		"another attribute":   `<infDPS Id="DPS1" a="b"></infDPS>`,
	} {
		element := good
		element.Text = []byte(text)
		if _, _, err := xmldsig.Sign(xmldsig.Profile{}, element, s.tls()); err == nil {
			t.Errorf("%s was signed", name)
		}
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, certificate := range map[string]tls.Certificate{
		"nothing": {}, "no key": {Certificate: [][]byte{s.certificate.Raw}}, "no certificate": {PrivateKey: s.key},
		"key of a curve": {Certificate: [][]byte{s.certificate.Raw}, PrivateKey: crypto.Signer(curve)},
	} {
		if _, _, err := xmldsig.Sign(xmldsig.Profile{}, good, certificate); err == nil {
			t.Errorf("%s signed", name)
		}
	}
}

func TestProfile_Words(t *testing.T) {
	if word := (xmldsig.Profile{}).String(); word != "inclusive-sha256" {
		t.Errorf("the default is %s", word)
	}
	seen := map[string]bool{}
	for _, profile := range profiles {
		read, err := xmldsig.ParseProfile(profile.String())
		if err != nil || read != profile || seen[profile.String()] {
			t.Errorf("%s is read %+v, %v", profile, read, err)
		}
		seen[profile.String()] = true
	}
	for _, word := range []string{"", "sha256", "INCLUSIVE-SHA256", "inclusive-sha512"} {
		if _, err := xmldsig.ParseProfile(word); err == nil || !strings.Contains(err.Error(), "exclusive-sha1") {
			t.Errorf("%q: %v", word, err)
		}
	}
}
