package national

import (
	"strings"
	"testing"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/nfse"
)

func plainCancellation() fiscal.Cancellation {
	return fiscal.Cancellation{
		AccessKey: accessKey, Issuer: nfse.FiscalProfile{TaxID: "11222333000181"}, ReasonCode: "1", ReasonText: "Erro na emiss\u00e3o da nota",
	}
}

func TestCancellationWord(t *testing.T) {
	rendering, err := renderCancellation(Options{Software: "emissor-1.0"}, plainCancellation(), testCredentials(t), checkedAt)
	if err != nil {
		t.Fatal(err)
	}
	start := `<?xml version="1.0" encoding="UTF-8"?><pedRegEvento xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infPedReg Id="PRE` + accessKey + `101101">` +
		`<tpAmb>2</tpAmb><verAplic>emissor-1.0</verAplic><dhEvento>2026-11-21T08:59:00-03:00</dhEvento><CNPJAutor>11222333000181</CNPJAutor><chNFSe>` + accessKey + `</chNFSe>` +
		"<e101101><xDesc>Cancelamento de NFS-e</xDesc><cMotivo>1</cMotivo><xMotivo>Erro na emiss\u00e3o da nota</xMotivo></e101101></infPedReg><Signature "
	if !strings.HasPrefix(string(rendering.XML), start) || !strings.HasSuffix(string(rendering.XML), "</Signature></pedRegEvento>") {
		t.Errorf("\n%s\nwant\n%s", rendering.XML, start)
	}
	if rendering.ID != "PRE"+accessKey+"101101" || len(rendering.ID) != 59 || rendering.Layout != "1.01" || !strings.Contains(string(rendering.XML), rendering.Digest) {
		t.Errorf("%s, layout %s, digest %s", rendering.ID, rendering.Layout, rendering.Digest)
	}
}

func TestReasonLine(t *testing.T) {
	for text, want := range map[string]string{
		"Nota em duplicidade":                 "Nota em duplicidade",
		"123456789012345":                     "123456789012345",
		"\u201cNota\u201d errada\u2026\u2026": "\"Nota\" errada......",
		"a              b":                    "Servi\u00e7o n\u00e3o prestado: a b", // 16 characters, of which 3 are left
		strings.Repeat("\u2603", 20):          "Servi\u00e7o n\u00e3o prestado",
		strings.Repeat("\u2026", 255):         strings.Repeat(".", 255),
		strings.Repeat("a", 254) + "  b":      strings.Repeat("a", 254),
	} {
		got := reasonLine(reasonWords["2"], text)
		if length := utf8.RuneCountInString(got); got != want || length < minReason || length > maxReason {
			t.Errorf("%q becomes %q (%d), want %q", text, got, length, want)
		}
	}
	for code, words := range reasonWords {
		if utf8.RuneCountInString(words) < minReason || safeText(words) != words {
			t.Errorf("the words of reason %s do not fit", code)
		}
	}
}

func TestImpossibleCancellationIsNotRendered(t *testing.T) {
	for want, change := range map[string]func(*fiscal.Cancellation){
		"chNFSe":  func(c *fiscal.Cancellation) { c.AccessKey = c.AccessKey[:49] },
		"author":  func(c *fiscal.Cancellation) { c.Issuer.TaxID = "" },
		"cMotivo": func(c *fiscal.Cancellation) { c.ReasonCode = "3" },
	} {
		cancellation := plainCancellation()
		change(&cancellation)
		if _, err := renderCancellation(Options{}, cancellation, testCredentials(t), checkedAt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := renderCancellation(Options{Software: strings.Repeat("x", 21)}, plainCancellation(), testCredentials(t), checkedAt); err == nil {
		t.Error("the software's name is too long")
	}
}
