package sefin_test

import (
	"crypto"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/test/simulators/sefin"
)

func TestSignature(t *testing.T) {
	simulator, c := startWithIssuer(t)
	t.Run("EveryProfile", func(t *testing.T) {
		const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
		number := 0
		for _, canonical := range []string{
			usual.canonical, usual.canonical + "#WithComments", exclusive, exclusive + "WithComments",
		} {
			for _, hash := range []crypto.Hash{crypto.SHA1, crypto.SHA256} {
				number++
				signed := infDPS(t, number)
				c.issued(wrap("DPS", signed, c.signature(signed, profile{canonical, hash})))
			}
		}
	})
	by := func(subject sefin.Subject) string {
		t.Helper()
		return newClient(t, simulator, subject).dps(100)
	}
	signed := infDPS(t, 100)
	twoYearsAgo := morning.AddDate(-2, 0, 0)
	for name, test := range map[string]struct{ document, code string }{
		"unsigned":                 {wrap("DPS", signed, ""), "E0717"},
		"changed afterwards":       {strings.Replace(c.dps(100), "1500.00", "1500.01", 1), "E0714"},
		"the signature of another": {wrap("DPS", signed, c.signature(infDPS(t, 101), usual)), "E0714"},
		"an indented signature":    {strings.Replace(c.dps(100), "<SignedInfo>", "<SignedInfo> ", 1), "E0714"},
		"no enveloped-signature":   {strings.Replace(c.dps(100), "#enveloped-signature", "#base64", 1), "E0714"},
		"expired":                  {by(sefin.Subject{TaxID: issuer, NotBefore: twoYearsAgo}), "E0715"},
		"not yet valid":            {by(sefin.Subject{TaxID: issuer, NotBefore: morning.Add(time.Minute)}), "E0715"},
		"another root":             {by(sefin.Subject{TaxID: issuer, Foreign: true}), "E0715"},
		"no otherName":             {by(sefin.Subject{TaxID: issuer, Anonymous: true}), "E0716"},
		"not for signing":          {by(sefin.Subject{TaxID: issuer, NoSigning: true}), "E0716"},
		"another company":          {by(sefin.Subject{TaxID: taker}), "E0718"},
	} {
		t.Run(name, func(t *testing.T) {
			if answer := c.issue(test.document); answer.codes() != test.code {
				t.Errorf("%s, want %s", answer.text, test.code)
			}
		})
	}
	t.Run("WithoutWhiteSpace", func(t *testing.T) { signaturesWithWhiteSpace(t, c) })
	t.Run("ByABranchOfTheCompany", func(t *testing.T) {
		branch := newClient(t, simulator, sefin.Subject{TaxID: "11222333000262"})
		if answer := c.issue(branch.dps(102)); answer.status != http.StatusCreated {
			t.Error(string(answer.text))
		}
	})
}

// White space in a signature is refused even where it verifies, of a DPS and of an event.
func signaturesWithWhiteSpace(t *testing.T, c *client) {
	key := c.issued(c.dps(200))
	documents := map[string]string{"E0714": c.dps(201), "E1980": c.eventRequest(key, "101101")}
	send := func(code, document string) reply {
		if code == "E0714" {
			return c.issue(document)
		}
		return c.cancel(key, document)
	}
	for name, spaced := range map[string]change{
		"a line break behind SignedInfo":  {"</SignedInfo>", "</SignedInfo>\n"},
		"before SignedInfo":               {"<SignedInfo>", "\r\n<SignedInfo>"},
		"in KeyInfo":                      {"<X509Data>", "\t<X509Data>"},
		"behind KeyInfo":                  {"</KeyInfo>", "</KeyInfo> "},
		"before the certificate":          {"<X509Certificate>", "<X509Certificate>\n"},
		"in the certificate":              {"<X509Certificate>MII", "<X509Certificate>M\nII"},
		"behind the value":                {"</SignatureValue>", "\n</SignatureValue>"},
		"a carriage return in the value":  {"</SignatureValue>", "&#13;</SignatureValue>"},
		"in the digest":                   {"</DigestValue>", " </DigestValue>"},
		"between the elements of a child": {"</Transform>", "</Transform> "},
	} {
		for code, document := range documents {
			if answer := send(code, apply(t, document, []change{spaced})); answer.codes() != code {
				t.Errorf("%s: %d %s, want %s", name, answer.status, answer.text, code)
			}
		}
	}
	signed := infDPS(t, 201) // what verifies, because it was signed with the white space
	indented := func(text string) string { return strings.Replace(text, "<Reference ", "\n<Reference ", 1) }
	if answer := c.issue(wrap("DPS", signed, c.signatureOf(signed, usual, indented))); answer.codes() != "E0714" {
		t.Errorf("signed with it: %d %s", answer.status, answer.text)
	}
	for code, document := range documents { // white space elsewhere is none of the signature's
		closing := map[string]string{"E0714": "</DPS>", "E1980": "</pedRegEvento>"}[code]
		if answer := send(code, strings.Replace(document, closing, "\n"+closing, 1)); answer.status != http.StatusCreated {
			t.Errorf("behind it: %d %s", answer.status, answer.text)
		}
	}
}
