package sefin

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"math/big"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/nfse/fact"
)

// seal is the authority's key for documents.
type seal struct {
	key         *rsa.PrivateKey
	certificate []byte
	roots       *x509.CertPool
}

// newSeal makes a key whose certificate is good around the moment of issue of
// the documents here.
func newSeal(t testing.TB, years int) seal {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026+years, 11, 21, 12, 0, 0, 0, time.UTC)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority of a test"},
		NotBefore: at.AddDate(0, -1, 0), NotAfter: at.AddDate(0, 1, 0), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	return seal{key, der, roots}
}

// sign signs the first element of a document as SEFIN does, in place of the
// signature that it has, if any.
func (s seal) sign(t testing.TB, document, element, id string) string {
	t.Helper()
	head, rest, _ := strings.Cut(document, "<"+element+" ")
	end := strings.LastIndex(rest, "</"+element+">") + len("</"+element+">")
	inner, root := "<"+element+" "+rest[:end], rest[strings.LastIndex(rest, "</"):]
	declaration := ` xmlns="` + schema.Namespace + `"`
	canonical := strings.Replace(strings.ReplaceAll(inner, declaration, ""), " Id=", declaration+" Id=", 1)
	digest := sha256.Sum256([]byte(canonical))
	const method = "http://www.w3.org/2001/10/xml-exc-c14n#WithComments"
	info := `<CanonicalizationMethod Algorithm="` + method + `"></CanonicalizationMethod>` +
		`<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"></SignatureMethod>` +
		`<Reference URI="#` + id + `"><Transforms>` +
		`<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></Transform>` +
		`<Transform Algorithm="` + method + `"></Transform></Transforms>` +
		`<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></DigestMethod>` +
		`<DigestValue>` + base64.StdEncoding.EncodeToString(digest[:]) + `</DigestValue></Reference></SignedInfo>`
	signed := sha256.Sum256([]byte(`<SignedInfo xmlns="http://www.w3.org/2000/09/xmldsig#">` + info))
	value, err := rsa.SignPKCS1v15(nil, s.key, crypto.SHA256, signed[:])
	if err != nil {
		t.Fatal(err)
	}
	return head + inner + `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>` + info +
		`<SignatureValue>` + base64.StdEncoding.EncodeToString(value) + `</SignatureValue>` +
		`<KeyInfo><X509Data><X509Certificate>` + base64.StdEncoding.EncodeToString(s.certificate) +
		`</X509Certificate></X509Data></KeyInfo></Signature>` + root
}

func TestSignatureProblem_Document(t *testing.T) {
	authority, stranger, expired := newSeal(t, 0), newSeal(t, 0), newSeal(t, -2)
	signedBy := func(s seal) string { return s.sign(t, nfseOf(accessKey, dpsID), "infNFSe", "NFS"+accessKey) }
	good := signedBy(authority)
	for name, c := range map[string]struct {
		document, problem string
		roots             *x509.CertPool
	}{
		"signed":     {good, "", authority.roots},
		"not signed": {nfseOf(accessKey, dpsID), "does not verify: it has no", authority.roots},
		"changed": {strings.Replace(good, "<cStat>100<", "<cStat>102<", 1), "changed after it was signed",
			authority.roots},
		"by a stranger":    {signedBy(stranger), "not of a configured root", authority.roots},
		"with an old cert": {signedBy(expired), "not valid at the time", expired.roots},
	} {
		reply := answered(201, issuedWith(`"nfseXmlGZipB64":"`+packed(c.document)+`"`))
		for _, require := range []bool{false, true} {
			client := newClient(t)
			client.options.SignerRoots, client.options.RequireSignature = c.roots, require
			client.options.DocumentSigners = mustSigners(t, "CN=authority of a test")
			answer := interpretSent(reply, client.subjectOf(issuing))
			document, warning, alarm := answer.Document, fact.Fact{}, answer.Document.SignatureProblem
			if !require && alarm.Is(fact.SignatureNotTrusted) {
				warning, alarm = alarm, warning
			}
			if answer.Outcome != accepted || string(document.XML) != c.document || !answer.Reason.Equal(warning) ||
				document.SignatureProblem.None() != (c.problem == "") ||
				!strings.Contains(document.SignatureProblem.English(), c.problem) ||
				!answer.NeedsPerson.Equal(map[bool]fact.Fact{true: document.SignatureProblem}[require]) ||
				!answer.Alarm.Equal(alarm) || (answer.Body == nil) != alarm.None() {
				t.Errorf("%s: %+v, %+v", name, answer, document)
			}
		}
		// Without roots, nothing is looked at.
		if answer := sent(t, reply); !answer.Alarm.None() || !answer.Document.SignatureProblem.None() {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestSignatureProblem_Event(t *testing.T) {
	authority := newSeal(t, 0)
	client := newClient(t)
	client.options.SignerRoots, client.options.EventSigners = authority.roots, mustSigners(t, "CN=authority of a test")
	signed := authority.sign(t, eventOf(accessKey, "101101"), "infEvento", "EVT"+accessKey+"101101001")
	for event, alarm := range map[string]bool{
		signed:                       false,
		eventOf(accessKey, "101101"): true,
		strings.Replace(signed, "<nSeqEvento>001", "<nSeqEvento>002", 1): true,
	} {
		reply := answered(201, `{"eventoXmlGZipB64":"`+packed(event)+`"}`)
		answer := interpretSent(reply, client.subjectOf(cancelling))
		expectEvent(t, "event", answer, accepted, alarm)
		if string(answer.EventXML) != event {
			t.Errorf("%s", answer.EventXML)
		}
	}
}

func mustSigners(t testing.TB, words string) Signers {
	t.Helper()
	signers, err := ParseSigners(words)
	if err != nil {
		t.Fatal(err)
	}
	return signers
}

// A certificate of the same root as the authority's, as every taxpayer has one, is
// not the authority's.
func TestSignatureProblem_AnotherSigner(t *testing.T) {
	authority := newSeal(t, 0)
	document := authority.sign(t, nfseOf(accessKey, dpsID), "infNFSe", "NFS"+accessKey)
	registered := authority.sign(t, eventOf(accessKey, "101101"), "infEvento", "EVT"+accessKey+"101101001")
	for words, passes := range map[string]bool{
		"CN=authority of a test":                   true,
		"11222333000181; CN=authority of a test;":  true,
		"O=Fisco,C=BR;CN=another of a test":        false,
		"CN=authority":                             false,
		"CN=Authority of a test":                   false,
		"11222333000181":                           false,
		"CN=authority of a test,O=Fisco,C=BR":      false,
		"CN=authority of a test+O=Fisco":           false,
		"C=BR;CN=authority of a test ;O=authority": true,
	} {
		for _, require := range []bool{false, true} {
			client := newClient(t)
			client.options.SignerRoots, client.options.RequireSignature = authority.roots, require
			client.options.DocumentSigners = mustSigners(t, words)
			client.options.EventSigners = mustSigners(t, words)
			issued := interpretSent(answered(201, issuedWith(xmlMember(document))), client.subjectOf(issuing))
			cancelled := interpretSent(answered(201, `{"eventoXmlGZipB64":"`+packed(registered)+`"}`),
				client.subjectOf(cancelling))
			for kind, answer := range map[string]fiscal.Answer{"document": issued, "event": cancelled} {
				warned, alarmed := answer.Reason.Is(fact.SignatureOfNoSigner), answer.Alarm.Is(fact.SignatureOfNoSigner)
				if answer.Outcome != accepted || answer.NeedsPerson.None() == (require && !passes) ||
					alarmed != (require && !passes) || warned != (!require && !passes) {
					t.Errorf("%s, %q: %+v", kind, words, answer)
				}
			}
		}
	}
	// Each kind has a list of its own.
	client := newClient(t)
	client.options.SignerRoots = authority.roots
	client.options.DocumentSigners = mustSigners(t, "CN=authority of a test")
	client.options.EventSigners = mustSigners(t, "CN=city of a test")
	if answer := interpretSent(answered(201, `{"eventoXmlGZipB64":"`+packed(registered)+`"}`),
		client.subjectOf(cancelling)); !answer.Reason.Is(fact.SignatureOfNoSigner) {
		t.Error("a signer of documents passes for one of events")
	}
}

// The CNPJ is that which the certificate names, wherever it does.
func TestSigners_TaxID(t *testing.T) {
	named := &x509.Certificate{Subject: pkix.Name{CommonName: "MINISTERIO:11222333000181"}}
	for words, included := range map[string]bool{
		"11.222.333/0001-81": true, "11444777000161": false, "CN=MINISTERIO:11222333000181": true, "": false,
	} {
		if by := mustSigners(t, words).of(named); len(by) > 0 != included {
			t.Errorf("%q", words)
		}
	}
	for _, words := range []string{"11222333000182", "52998224725", "SEFIN", "CN=a;b", "*.nfse.example", "1.2"} {
		if signers, err := ParseSigners(words); err == nil {
			t.Errorf("%q is read as %+v", words, signers)
		}
	}
	if _, err := New(Options{SignerRoots: x509.NewCertPool()}); err == nil ||
		!strings.HasPrefix(err.Error(), "DocumentSigners: ") {
		t.Errorf("a root alone: %v", err)
	}
	for words, needs := range map[string]bool{"www.nfse.example": false, "www.nfse.example;CN=a": true} {
		signers := mustSigners(t, words)
		if _, err := New(Options{DocumentSigners: signers}); signers.NeedRoots() != needs || (err != nil) != needs {
			t.Errorf("%q without roots: %v", words, err)
		}
	}
}
