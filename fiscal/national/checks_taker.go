package national

import (
	"fmt"
	"regexp"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/nfse"
)

// takerOffence finds what is wrong with the customer, but for the address.
func takerOffence(document fiscal.Document) *offence {
	taker, issuer := document.Note.Customer, document.Issuer.TaxID
	switch {
	case !sound(taker.TaxID) && taker.TaxID.IsCNPJ():
		return &offence{code: "E0188", message: "The customer's CNPJ is not valid."}
	case !sound(taker.TaxID):
		return &offence{code: "E0206", message: "The customer's CPF is not valid."}
	case sameParty(taker.TaxID, issuer):
		return &offence{code: "E0202", message: "The customer is the issuing organization itself."}
	}
	return textOffence(fieldName, safeText(taker.Name), 300)
}

// sameParty compares roots: every establishment of a company is that company.
func sameParty(a, b nfse.TaxID) bool {
	if a.IsCNPJ() && b.IsCNPJ() {
		return a[:8] == b[:8]
	}
	return a == b
}

var zipCodeForm = regexp.MustCompile(`^[0-9]{8}$`)

// addressOffence finds what is missing of an address that a rule requires, and
// what of it cannot be sent.
func addressOffence(document fiscal.Document) *offence {
	address := document.Note.Customer.Address
	if missing := missingAddressField(address); missing != "" {
		switch {
		case document.Note.ISSWithheld:
			return &offence{"E0237", missing, "The customer withholds the ISS, and the address lacks " + missing + "."}
		case dueWhereTakerIs(*document.Note.Service.NationalTaxCode):
			return &offence{"E0234", missing, "The ISS is due to the customer's city, and the address lacks " + missing + "."}
		}
		return nil // an address that is not whole is left out
	}
	for _, part := range []struct {
		field, text string
		most        int
	}{
		{fieldStreet, streetLine(address), 255},
		{fieldNumber, safeText(*address.Number), 60},
		{fieldDistrict, safeText(*address.District), 60},
	} {
		if found := textOffence(part.field, part.text, part.most); found != nil {
			return found
		}
	}
	if address.Complement != nil && safeText(*address.Complement) != "" { // else it is left out
		if found := textOffence(fieldComplement, safeText(*address.Complement), 156); found != nil {
			return found
		}
	}
	switch {
	case !municipalityForm.MatchString(document.Note.Municipality.Code):
		return &offence{code: "E0238", message: "The customer's municipality is not a 7-digit code."}
	case !zipCodeForm.MatchString(*address.ZipCode):
		return &offence{code: "E0240", message: "The customer's zip code does not have 8 digits."}
	}
	return nil
}

// dueWhereTakerIs reports whether the ISS of a service is due to the customer's
// city (table MUN.INCID_INFO.SERV.).
func dueWhereTakerIs(code string) bool { return code == "170501" }

// missingAddressField names the first part that a whole address needs and this
// one lacks.
func missingAddressField(address nfse.Address) string {
	for _, part := range []struct {
		field string
		value *string
	}{
		{fieldStreet, address.Street}, {fieldNumber, address.Number}, {fieldDistrict, address.District}, {fieldZipCode, address.ZipCode},
	} {
		if part.value == nil {
			return part.field
		}
	}
	return ""
}

// textOffence finds a text, already made safe, that its element cannot carry.
func textOffence(field, text string, most int) *offence {
	length := utf8.RuneCountInString(text)
	switch {
	case length == 0:
		return &offence{"text_not_printable", field, field + " has no character that a fiscal document can carry."}
	case length > most:
		return &offence{"text_too_long", field, fmt.Sprintf("%s has %d characters, and a fiscal document carries at most %d.", field, length, most)}
	}
	return nil
}
