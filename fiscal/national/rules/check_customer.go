package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// customerViolation finds what is wrong with the customer, but for the address.
func customerViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	if declaration.Details.ForeignTaker != nil {
		return foreignTakerViolation(declaration)
	}
	customer, issuer := declaration.Note.Customer, declaration.Issuer.TaxID
	switch {
	case !schema.ValidTaxID(customer.TaxID) && customer.TaxID.IsCNPJ():
		return rulecatalogue.Breaks("E0188", fact.CustomerCNPJInvalid.Fact())
	case !schema.ValidTaxID(customer.TaxID):
		return rulecatalogue.Breaks("E0206", fact.CustomerCPFInvalid.Fact())
	case customer.TaxID == issuer:
		return rulecatalogue.Breaks("E0202", fact.CustomerIsIssuer.Fact())
	}
	return textViolation(fieldName, schema.Line(customer.Name), schema.MaxName)
}

// addressViolation finds what is missing of an address that a rule requires, and
// what of it cannot be sent. That of a customer abroad is another: see foreignTakerViolation.
func addressViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	note := declaration.Note
	address := note.Customer.Address
	if declaration.Details.ForeignTaker != nil {
		return nil
	}
	if missing := MissingAddressField(address); missing != "" {
		switch {
		case declaration.ISSWithheldBy() == fiscal.WithheldByTaker:
			return rulecatalogue.BreaksBy("E0237", missing, fact.AddressLacksToWithhold.With("field", missing))
		case taxation.DueToCustomersCity(*note.Service.NationalTaxCode):
			return rulecatalogue.BreaksBy("E0234", missing, fact.AddressLacksForISS.With("field", missing))
		}
		return nil // an address that is not whole is left out
	}
	for _, part := range []struct {
		field, text string
		most        int
	}{
		{fieldStreet, schema.StreetLine(address), schema.MaxStreet},
		{fieldNumber, schema.Line(*address.Number), schema.MaxAddressNumber},
		{fieldDistrict, schema.Line(*address.District), schema.MaxDistrict},
	} {
		if found := textViolation(part.field, part.text, part.most); found != nil {
			return found
		}
	}
	if address.Complement != nil && schema.Line(*address.Complement) != "" { // else it is left out
		found := textViolation(fieldComplement, schema.Line(*address.Complement), schema.MaxComplement)
		if found != nil {
			return found
		}
	}
	switch {
	case !schema.ValidMunicipality(note.Municipality.Code):
		return rulecatalogue.Breaks("E0238", fact.CustomerMunicipalityInvalid.Fact())
	case !schema.ValidZipCode(*address.ZipCode):
		return rulecatalogue.Breaks("E0240", fact.CustomerZipCodeInvalid.Fact())
	}
	return nil
}

// MissingAddressField returns the first field of the API that a whole address
// needs and this one lacks; empty when it is whole.
func MissingAddressField(address nfse.Address) string {
	switch {
	case address.Street == nil:
		return fieldStreet
	case address.Number == nil:
		return fieldNumber
	case address.District == nil:
		return fieldDistrict
	case address.ZipCode == nil:
		return fieldZipCode
	}
	return ""
}
