package certificate

import (
	"crypto/x509"
	"encoding/asn1"
	"strings"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// The otherNames of the subject alternative names in which ICP-Brasil names the
// holder (DOC-ICP-04, item 7.1.2.3). Package x509 does not read them.
var (
	oidAlternativeNames = asn1.ObjectIdentifier{2, 5, 29, 17}
	oidCNPJ             = asn1.ObjectIdentifier{2, 16, 76, 1, 3, 3} // of a company
	oidPerson           = asn1.ObjectIdentifier{2, 16, 76, 1, 3, 1} // date of birth (8), CPF (11) and more
)

// The CPF in the text about a person.
const cpfStart, cpfEnd = 8, 19

// TaxID returns the CNPJ of the company that the certificate names, or the CPF of
// the person. It is in an ICP-Brasil otherName; where a certificate has none,
// behind the colon of the common name, as in "EMPRESA EXEMPLO:12345678000195". Its
// errors are *nfse.Error.
func (b *Bundle) TaxID() (nfse.TaxID, error) {
	names, err := otherNames(b.Leaf)
	if err != nil {
		return "", err
	}
	if text, found := names[oidCNPJ.String()]; found {
		return holder(text, "CNPJ (otherName 2.16.76.1.3.3)")
	}
	if text, found := names[oidPerson.String()]; found {
		if len(text) < cpfEnd {
			return "", invalid(fact.CertificatePersonTooShort.Fact())
		}
		return holder(text[cpfStart:cpfEnd], "CPF (otherName 2.16.76.1.3.1)")
	}
	if at := strings.LastIndex(b.Leaf.Subject.CommonName, ":"); at >= 0 {
		return holder(b.Leaf.Subject.CommonName[at+1:], "common name")
	}
	return "", invalid(fact.CertificateOfNobody.Fact())
}

func holder(text, where string) (nfse.TaxID, error) {
	id, err := nfse.ParseTaxID(strings.TrimSpace(text))
	if err != nil {
		return "", invalid(fact.CertificateTaxIDWrong.With("part", where, "why", fact.OfError(err)))
	}
	return id, nil
}

// otherNames reads the texts of a certificate's otherNames by their OID, the
// first of each.
func otherNames(certificate *x509.Certificate) (map[string]string, error) {
	names := map[string]string{}
	for _, extension := range certificate.Extensions {
		if !extension.Id.Equal(oidAlternativeNames) {
			continue
		}
		var general []asn1.RawValue
		if rest, err := asn1.Unmarshal(extension.Value, &general); err != nil || len(rest) > 0 {
			return nil, errAlternativeNames
		}
		for _, name := range general {
			if name.Class != asn1.ClassContextSpecific || name.Tag != 0 {
				continue
			}
			oid, text, ok := otherName(name.Bytes)
			if !ok {
				return nil, errAlternativeNames
			}
			if _, found := names[oid]; !found {
				names[oid] = text
			}
		}
	}
	return names, nil
}

var errAlternativeNames = invalid(fact.CertificateAlternativeNames.Fact())

// otherName reads the OID and the text of one otherName (RFC 5280, 4.2.1.6). The
// text is an octet string or one of the string types: certificates have both.
func otherName(content []byte) (oid, text string, ok bool) {
	var id asn1.ObjectIdentifier
	content, err := asn1.Unmarshal(content, &id)
	if err != nil {
		return "", "", false
	}
	var tagged, value asn1.RawValue
	rest, err := asn1.Unmarshal(content, &tagged)
	if err != nil || len(rest) > 0 || tagged.Class != asn1.ClassContextSpecific || tagged.Tag != 0 {
		return "", "", false
	}
	if rest, err := asn1.Unmarshal(tagged.Bytes, &value); err != nil || len(rest) > 0 {
		return "", "", false
	}
	return id.String(), string(value.Bytes), true
}
