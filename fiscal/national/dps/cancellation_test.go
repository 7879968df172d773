package dps

import (
	"strings"
	"testing"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/schema"
	"emissor/nfse"
)

const accessKey = "33045572211222333000181000000000001226111234567894"

func plainCancellation() fiscal.CancellationRequest {
	return fiscal.CancellationRequest{
		AccessKey: accessKey, Issuer: nfse.FiscalProfile{TaxID: "11222333000181"},
		ReasonCode: "1", ReasonText: "Erro na emiss\u00e3o da nota",
	}
}

func TestSignCancellation(t *testing.T) {
	signer := Signer{Software: "emissor-1.0"}
	message, err := signer.SignCancellation(plainCancellation(), nationaltest.Credentials(t), nationaltest.At)
	if err != nil {
		t.Fatal(err)
	}
	start := `<?xml version="1.0" encoding="UTF-8"?>` +
		`<pedRegEvento xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01">` +
		`<infPedReg Id="PRE` + accessKey + `101101"><tpAmb>2</tpAmb><verAplic>emissor-1.0</verAplic>` +
		`<dhEvento>2026-11-21T08:59:00-03:00</dhEvento><CNPJAutor>11222333000181</CNPJAutor>` +
		`<chNFSe>` + accessKey + `</chNFSe>` +
		`<e101101><xDesc>Cancelamento de NFS-e</xDesc><cMotivo>1</cMotivo>` +
		"<xMotivo>Erro na emiss\u00e3o da nota</xMotivo></e101101></infPedReg><Signature "
	xml := string(message.XML)
	if !strings.HasPrefix(xml, start) || !strings.HasSuffix(xml, "</Signature></pedRegEvento>") {
		t.Errorf("\n%s\nwant\n%s", xml, start)
	}
	if message.ID != "PRE"+accessKey+"101101" || len(message.ID) != 59 || message.Layout != "1.01" ||
		message.CertificateID != "crt_test" || !strings.Contains(xml, message.Digest) {
		t.Errorf("%+v", message)
	}
}

// The request of an analysis has the words of the schema, with their accents.
func TestSignCancellation_Analysis(t *testing.T) {
	request := plainCancellation()
	request.Analysis = true
	message, err := Signer{Software: "emissor-1.0"}.SignCancellation(request, nationaltest.Credentials(t),
		nationaltest.At)
	if err != nil {
		t.Fatal(err)
	}
	says := "<e101103><xDesc>Solicita\u00e7\u00e3o de An\u00e1lise Fiscal para Cancelamento de NFS-e</xDesc>" +
		"<cMotivo>1</cMotivo><xMotivo>Erro na emiss\u00e3o da nota</xMotivo></e101103></infPedReg>"
	if message.ID != "PRE"+accessKey+"101103" || !strings.Contains(string(message.XML), says) {
		t.Errorf("%s\n%s", message.ID, message.XML)
	}
}

func TestReasonLine(t *testing.T) {
	for text, want := range map[string]string{
		"Nota em duplicidade":                 "Nota em duplicidade",
		"123456789012345":                     "123456789012345",
		"\u201cNota\u201d errada\u2026\u2026": "\"Nota\" errada......",
		"a              b":                    "Servi\u00e7o n\u00e3o prestado: a b", // of 16 characters 3 are left
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
		if utf8.RuneCountInString(words) < minReason || schema.Line(words) != words {
			t.Errorf("the words of reason %s do not fit", code)
		}
	}
}

func TestSignCancellation_RefusesWhatCannotBe(t *testing.T) {
	for want, change := range map[string]func(*fiscal.CancellationRequest){
		"chNFSe":  func(c *fiscal.CancellationRequest) { c.AccessKey = c.AccessKey[:49] },
		"author":  func(c *fiscal.CancellationRequest) { c.Issuer.TaxID = "" },
		"cMotivo": func(c *fiscal.CancellationRequest) { c.ReasonCode = "3" },
	} {
		request := plainCancellation()
		change(&request)
		_, err := Signer{}.SignCancellation(request, nationaltest.Credentials(t), nationaltest.At)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	signer := Signer{Software: strings.Repeat("x", 21)}
	_, err := signer.SignCancellation(plainCancellation(), nationaltest.Credentials(t), nationaltest.At)
	if err == nil {
		t.Error("the software's name is too long")
	}
}
