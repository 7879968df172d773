package certificate_test

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"testing"

	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
)

var alternativeNames = asn1.ObjectIdentifier{2, 5, 29, 17}

// naming is a certificate with these alternative names and this common name, as
// a parser has read it.
func naming(names pkix.Extension, commonName string) *certificate.Bundle {
	return &certificate.Bundle{Leaf: &x509.Certificate{Extensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29,
		15}}, names}, Subject: pkix.Name{CommonName: commonName}}}
}

func TestCertificateHolder_OtherName(t *testing.T) {
	responsible := certificatetest.OtherName{OID: asn1.ObjectIdentifier{2, 16, 76, 1, 3, 4},
		Text: "3112198011144477735000000000000000012345678SSPSP"}
	name := certificatetest.OtherName{OID: asn1.ObjectIdentifier{2, 16, 76, 1, 3, 2}, Text: "MARIA DA SILVA"}
	printable := certificatetest.Holder(company)
	printable.Tag = asn1.TagPrintableString
	text := certificatetest.Holder("52998224725")
	text.Tag = asn1.TagUTF8String
	for _, c := range []struct {
		expected   nfse.TaxID
		names      pkix.Extension
		commonName string
	}{
		{company, certificatetest.AlternativeNames(responsible, name, certificatetest.Holder(company)),
			"EMPRESA:99999999000191"},
		{company, certificatetest.AlternativeNames(printable), ""},
		// a company's goes first
		{company, certificatetest.AlternativeNames(certificatetest.Holder("52998224725"), printable), ""},
		{"12ABC34501DE35", certificatetest.AlternativeNames(certificatetest.Holder("12ABC34501DE35")), ""},
		{"12ABC34501DE35", pkix.Extension{}, "EMPRESA EXEMPLO:12abc34501de35"},
		{"52998224725", certificatetest.AlternativeNames(certificatetest.Holder("52998224725")),
			"MARIA DA SILVA:11144477735"},
		{"52998224725", certificatetest.AlternativeNames(text), ""},
		{company, certificatetest.AlternativeNames(responsible, name), "EMPRESA EXEMPLO: FILIAL:11222333000181"},
		{"52998224725", pkix.Extension{}, "MARIA DA SILVA:52998224725"},
	} {
		if id, err := naming(c.names, c.commonName).TaxID(); err != nil || id != c.expected {
			t.Errorf("%q is read as %q: %v", c.commonName, id, err)
		}
	}
}

func TestCertificateHolder_Refused(t *testing.T) {
	bad := func(holder nfse.TaxID, text string) pkix.Extension {
		name := certificatetest.Holder(holder)
		name.Text = text
		return certificatetest.AlternativeNames(name)
	}
	whole := certificatetest.AlternativeNames(certificatetest.Holder(company)).Value
	for _, c := range []struct {
		words      string
		names      pkix.Extension
		commonName string
	}{
		{"names no CNPJ or CPF", pkix.Extension{}, "EMPRESA EXEMPLO"},
		{"common name must be a CPF", pkix.Extension{}, "EMPRESA EXEMPLO:1122233300018"},
		{"wrong check digits", pkix.Extension{}, "EMPRESA EXEMPLO:11222333000182"},
		// What ICP-Brasil's own field says is not made up for by the common name.
		{"must be a CPF", bad(company, ""), "EMPRESA EXEMPLO:11222333000181"},
		{"wrong check digits", bad(company, "11222333000182"), "EMPRESA EXEMPLO:11222333000181"},
		{"too short", bad("52998224725", "31121980529982247"), "MARIA:52998224725"},
		{"repeats one character", bad("52998224725", "3112198000000000000"), "MARIA:52998224725"},
		{"alternative names cannot be read", pkix.Extension{Id: alternativeNames, Value: whole[:len(whole)-1]},
			"EMPRESA:11222333000181"},
		{"alternative names cannot be read",
			pkix.Extension{Id: alternativeNames,
				Value: append(whole[:len(whole):len(whole)], 0)}, "EMPRESA:11222333000181"},
		{"alternative names cannot be read",
			pkix.Extension{Id: alternativeNames, Value: []byte{0x30, 0x02, 0xa0, 0x00}}, "EMPRESA:11222333000181"},
		{"alternative names cannot be read",
			pkix.Extension{Id: alternativeNames,
				Value: []byte{0x30, 0x06, 0xa0, 0x04, 0x06, 0x02, 0x60, 0x4c}}, "EMPRESA:11222333000181"},
	} {
		id, err := naming(c.names, c.commonName).TaxID()
		expectError(t, err, "certificate", c.words)
		if id != "" {
			t.Errorf("%s: and still it names %q", c.words, id)
		}
	}
}

// For any content of the extension, the holder is a tax id or an error, and reading it never panics.
func FuzzAlternativeNames(f *testing.F) {
	for _, id := range []nfse.TaxID{company, "52998224725", "12ABC34501DE35"} {
		f.Add(certificatetest.AlternativeNames(certificatetest.Holder(id)).Value)
	}
	f.Add([]byte{0x30, 0x80})
	f.Add([]byte{0x30, 0x0b, 0xa0, 0x09, 0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, 0x03, 0xa0, 0x00})
	f.Fuzz(func(t *testing.T, value []byte) {
		id, err := naming(pkix.Extension{Id: alternativeNames, Value: value}, "").TaxID()
		if parsed, invalid := nfse.ParseTaxID(string(id)); err == nil && (invalid != nil || parsed != id) {
			t.Errorf("%x is read as %q", value, id)
		}
		var refused *nfse.Error
		if err != nil && !errors.As(err, &refused) {
			t.Errorf("%x is refused with %v", value, err)
		}
	})
}
