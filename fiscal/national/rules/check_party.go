package rules

import (
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// partyRules are the rules that the authority has of one kind of party, and our words for it.
type partyRules struct {
	cnpj, cpf      string // check digits
	unidentified   string // neither NIF nor a reason for having none
	name           string // of a party with a NIF
	foreignAddress string // of a party with a NIF
	country        string
	city, zipCode  string // of an address in Brazil

	refused fact.Code
	field   string // of the form
}

var (
	takerRules = partyRules{
		unidentified: "E0223", name: "E0233", foreignAddress: "E0242", country: "E0246",
		refused: fact.ForeignTakerRefused, field: "foreign_taker",
	}
	intermediaryRules = partyRules{
		cnpj: "E0248", cpf: "E0266", unidentified: "E0281", name: "E0292", foreignAddress: "E0298",
		country: "E0299", city: "E0294", zipCode: "E0296",
		refused: fact.IntermediaryRefused, field: "intermediary",
	}
	supplierRules = partyRules{
		cnpj: "E0478", cpf: "E0484", unidentified: "E1538", name: detailsInvalid, foreignAddress: "E0498",
		country: "E0499", city: "E0494", zipCode: "E0496",
		refused: fact.SupplierRefused, field: "supplier",
	}
)

// breaks is the violation of one of the rules.
func (r partyRules) breaks(rule string) *rulecatalogue.Violation {
	return rulecatalogue.Breaks(rule, r.refused.Fact())
}

// foreignViolation finds what is wrong with a party abroad. Its address is always whole: a
// party with a NIF needs it of a company's note, and every one in the groups of our form.
func (r partyRules) foreignViolation(party nfse.ForeignParty) *rulecatalogue.Violation {
	switch {
	case (party.NIF == "") == (party.NoNIF == 0):
		return r.breaks(r.unidentified)
	case party.NIF == "" && party.NoNIF != 1 && party.NoNIF != 2:
		return r.breaks(r.unidentified)
	case party.NIF != "" && !isLine(party.NIF, schema.MaxNIF):
		return detailViolation(r.field + ".nif")
	case schema.Line(party.Name) == "":
		return r.breaks(r.name)
	case !schema.ForeignCountry(party.Country):
		return r.breaks(r.country)
	case party.PostalCode == "" || party.City == "" || party.Region == "" || party.Street == "" ||
		party.Number == "" || party.District == "":
		return r.breaks(r.foreignAddress)
	}
	return firstViolation(
		detailText(r.field+".name", party.Name, schema.MaxName),
		foreignPlaceViolation(r.field, party.ForeignPlace),
		detailText(r.field+".street", party.Street, schema.MaxStreet),
		detailText(r.field+".number", party.Number, schema.MaxAddressNumber),
		optionalText(r.field+".complement", party.Complement, schema.MaxComplement),
		detailText(r.field+".district", party.District, schema.MaxDistrict),
	)
}

// violation finds what is wrong with a party in Brazil or abroad.
func (r partyRules) violation(party nfse.Party) *rulecatalogue.Violation {
	switch {
	case party.Foreign != nil && party.TaxID == "":
		return r.foreignViolation(*party.Foreign)
	case party.Foreign != nil:
		return detailViolation(r.field + ".tax_id")
	case !schema.ValidTaxID(party.TaxID) && party.TaxID.IsCNPJ():
		return r.breaks(r.cnpj)
	case !schema.ValidTaxID(party.TaxID):
		return r.breaks(r.cpf)
	}
	if found := detailText(r.field+".name", party.Name, schema.MaxName); found != nil || party.Address == nil {
		return found
	}
	switch {
	case !schema.ValidMunicipality(party.Address.MunicipalityCode):
		return r.breaks(r.city)
	case !schema.ValidZipCode(party.Address.ZipCode):
		return r.breaks(r.zipCode)
	}
	return streetViolation(r.field, party.Address.PropertyAddress)
}

// foreignTakerViolation finds what is wrong with a taker abroad.
func foreignTakerViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	return takerRules.foreignViolation(*declaration.Details.ForeignTaker)
}

// intermediaryViolation finds what is wrong with the intermediary.
func intermediaryViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	intermediary := declaration.Details.Intermediary
	if intermediary == nil {
		return nil
	}
	switch {
	case intermediary.WithholdsISS && intermediary.Foreign != nil:
		return intermediaryRules.breaks("E0264")
	case sameRoot(intermediary.TaxID, declaration.Issuer.TaxID):
		return intermediaryRules.breaks("E0262")
	case intermediary.WithholdsISS && intermediary.Address == nil:
		return intermediaryRules.breaks("E0293")
	}
	return intermediaryRules.violation(intermediary.Party)
}

// sameRoot reports whether two tax ids are of one company, in whichever of its establishments,
// or of one person.
func sameRoot(one, other nfse.TaxID) bool {
	const root = 8
	if one.IsCNPJ() && other.IsCNPJ() && len(one) > root && len(other) > root {
		return one[:root] == other[:root]
	}
	return one != "" && one == other
}

// streetViolation finds a text of an address that its element cannot carry.
func streetViolation(field string, address nfse.PropertyAddress) *rulecatalogue.Violation {
	return firstViolation(
		detailText(field+".street", address.Street, schema.MaxStreet),
		detailText(field+".number", address.Number, schema.MaxAddressNumber),
		optionalText(field+".complement", nfse.OrEmpty(address.Complement), schema.MaxComplement),
		detailText(field+".district", address.District, schema.MaxDistrict),
	)
}

func foreignPlaceViolation(field string, place nfse.ForeignPlace) *rulecatalogue.Violation {
	return firstViolation(
		detailText(field+".postal_code", place.PostalCode, schema.MaxPostalCode),
		detailText(field+".city", place.City, schema.MaxCity),
		detailText(field+".region", place.Region, schema.MaxRegion),
	)
}

// detailsInvalid is the code of what of the form or of settings no layout carries, and no rule
// of the authority is about.
const detailsInvalid = "details_invalid"

// detailViolation is the violation of a field of the form, or of settings, by its value.
func detailViolation(field string) *rulecatalogue.Violation {
	return rulecatalogue.Breaks(detailsInvalid, fact.DetailRefused.With("field", field))
}

// detailText finds a text of the form that its element cannot carry.
func detailText(field, text string, most int) *rulecatalogue.Violation {
	if length := utf8.RuneCountInString(schema.Line(text)); length < 1 || length > most {
		return detailViolation(field)
	}
	return nil
}

// optionalText is detailText where nothing may be left of the text.
func optionalText(field, text string, most int) *rulecatalogue.Violation {
	if schema.Line(text) == "" {
		return nil
	}
	return detailText(field, text, most)
}

// isLine reports whether a text, as it stands, is one line that fits.
func isLine(text string, most int) bool {
	return text != "" && text == schema.Line(text) && utf8.RuneCountInString(text) <= most
}

func firstViolation(found ...*rulecatalogue.Violation) *rulecatalogue.Violation {
	for _, violation := range found {
		if violation != nil {
			return violation
		}
	}
	return nil
}

// codeOf is the national tax code of a declaration, which serviceViolation has checked.
func codeOf(declaration fiscal.Declaration) string { return *declaration.Note.Service.NationalTaxCode }

// place is where the service of a declaration is rendered.
func place(declaration fiscal.Declaration) taxation.Place { return taxation.PlaceOf(declaration) }
