package icp

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"strings"
)

// The otherName types of ICP-Brasil (DOC-ICP-04) that A1 certificates have.
var (
	subjectAlternativeName = asn1.ObjectIdentifier{2, 5, 29, 17}

	// oidPerson holds birth (8), CPF (11), NIS (11), RG (15) and its issuer.
	oidPerson          = asn1.ObjectIdentifier{2, 16, 76, 1, 3, 1}
	oidResponsibleName = asn1.ObjectIdentifier{2, 16, 76, 1, 3, 2}
	oidCNPJ            = asn1.ObjectIdentifier{2, 16, 76, 1, 3, 3}
	oidResponsible     = asn1.ObjectIdentifier{2, 16, 76, 1, 3, 4} // as oidPerson, of who answers for a company
	oidCEI             = asn1.ObjectIdentifier{2, 16, 76, 1, 3, 7}
)

// named is one otherName.
type named struct {
	kind  asn1.ObjectIdentifier
	value string
}

// alternativeName is the extension of an A1 certificate for a CNPJ or a CPF.
func alternativeName(taxID string) (pkix.Extension, error) {
	// Who answers for a test company was born on a day that is nobody's.
	person := func(cpf string) string {
		return "01011970" + cpf + strings.Repeat("0", 11+15) + "      "
	}
	texts := []named{{oidPerson, person(taxID)}}
	if len(taxID) == 14 {
		texts = []named{
			{oidResponsible, person("00000000191")},
			{oidResponsibleName, "RESPONSAVEL DE TESTE"},
			{oidCNPJ, taxID},
			{oidCEI, strings.Repeat("0", 12)},
		}
	}
	var names []asn1.RawValue
	for _, text := range texts {
		name, err := marshalOtherName(text.kind, text.value)
		if err != nil {
			return pkix.Extension{}, err
		}
		names = append(names, name)
	}
	value, err := asn1.Marshal(names)
	return pkix.Extension{Id: subjectAlternativeName, Value: value}, err
}

func marshalOtherName(kind asn1.ObjectIdentifier, value string) (asn1.RawValue, error) {
	text, err := asn1.Marshal([]byte(value)) // an OCTET STRING
	if err != nil {
		return asn1.RawValue{}, err
	}
	id, err := asn1.Marshal(kind)
	if err != nil {
		return asn1.RawValue{}, err
	}
	explicit, err := asn1.Marshal(asn1.RawValue{
		Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: text,
	})
	if err != nil {
		return asn1.RawValue{}, err
	}
	return asn1.RawValue{
		Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: append(id, explicit...),
	}, nil
}

// TaxID reads the CNPJ or CPF that a certificate was given for; empty when
// it has neither.
func TaxID(certificate *x509.Certificate) string {
	cpf := ""
	for _, extension := range certificate.Extensions {
		if !extension.Id.Equal(subjectAlternativeName) {
			continue
		}
		var names []asn1.RawValue
		if _, err := asn1.Unmarshal(extension.Value, &names); err != nil {
			return ""
		}
		for _, name := range names {
			kind, text := readOtherName(name)
			switch {
			case kind.Equal(oidCNPJ) && len(text) == 14:
				return text
			case kind.Equal(oidPerson) && len(text) >= 19:
				cpf = text[8:19]
			}
		}
	}
	return cpf
}

func readOtherName(name asn1.RawValue) (asn1.ObjectIdentifier, string) {
	if name.Class != asn1.ClassContextSpecific || name.Tag != 0 {
		return nil, ""
	}
	var kind asn1.ObjectIdentifier
	rest, err := asn1.Unmarshal(name.Bytes, &kind)
	if err != nil {
		return nil, ""
	}
	var explicit, text asn1.RawValue
	if _, err := asn1.Unmarshal(rest, &explicit); err != nil {
		return nil, ""
	}
	if _, err := asn1.Unmarshal(explicit.Bytes, &text); err != nil {
		return nil, ""
	}
	return kind, string(text.Bytes)
}

// CompanyOf is what tells one company from another: the first eight characters of
// a CNPJ, or a whole CPF.
func CompanyOf(taxID string) string {
	if len(taxID) == 14 {
		return taxID[:8]
	}
	return taxID
}

// commonName is what ICP-Brasil writes as CN: the name, a colon, the tax id.
func commonName(name, taxID string) string { return strings.ToUpper(name) + ":" + taxID }
