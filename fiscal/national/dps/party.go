package dps

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/schema"
	"emissor/nfse"
)

// party is a taker, an intermediary or a supplier (toma, interm, fornec), with texts that fit.
type party struct {
	taxID   nfse.TaxID // empty: of no Brazilian tax id
	nif     string     // without a tax id; empty: noNIF says why
	noNIF   int
	name    string
	address *address // nil when it is not whole
}

// address is of a party, a work or an event: in a municipality, or in another country.
type address struct {
	municipality, zipCode string             // in Brazil
	country               string             // abroad, of a party
	foreign               *nfse.ForeignPlace // abroad

	street, number, complement, district string
}

// takerOf is the note's customer, or the one abroad. An address that is not whole is left out.
func takerOf(declaration fiscal.Declaration) (party, error) {
	if foreign := declaration.Details.ForeignTaker; foreign != nil {
		return foreignPartyOf(*foreign), nil
	}
	note := declaration.Note
	customer := note.Customer
	if !schema.ValidTaxID(customer.TaxID) {
		return party{}, errors.New("the tax id is not a valid CPF or CNPJ")
	}
	t := party{taxID: customer.TaxID, name: schema.Line(customer.Name)}
	if err := fits("xNome", t.name, schema.MaxName); err != nil || rules.MissingAddressField(customer.Address) != "" {
		return t, err
	}
	a := address{
		municipality: note.Municipality.Code, zipCode: *customer.Address.ZipCode,
		street: schema.StreetLine(customer.Address), number: schema.Line(*customer.Address.Number),
		district: schema.Line(*customer.Address.District),
	}
	if customer.Address.Complement != nil {
		a.complement = schema.Line(*customer.Address.Complement)
	}
	t.address = &a
	switch {
	case !schema.ValidMunicipality(a.municipality):
		return party{}, errors.New("cMun: not a code of 7 digits")
	case !schema.ValidZipCode(a.zipCode):
		return party{}, errors.New("CEP: not 8 digits")
	case utf8.RuneCountInString(a.complement) > schema.MaxComplement:
		return party{}, fmt.Errorf("xCpl: longer than %d characters", schema.MaxComplement)
	}
	return t, errors.Join(fits("xLgr", a.street, schema.MaxStreet), fits("nro", a.number, schema.MaxAddressNumber),
		fits("xBairro", a.district, schema.MaxDistrict))
}

// partyOf is an intermediary or a supplier.
func partyOf(given nfse.Party) party {
	if given.Foreign != nil {
		return foreignPartyOf(*given.Foreign)
	}
	p := party{taxID: given.TaxID, name: schema.Line(given.Name)}
	if given.Address != nil {
		a := addressOf(given.Address.PropertyAddress, nil)
		a.municipality = given.Address.MunicipalityCode
		p.address = &a
	}
	return p
}

func foreignPartyOf(given nfse.ForeignParty) party {
	street := nfse.PropertyAddress{
		Street: given.Street, Number: given.Number, Complement: &given.Complement, District: given.District,
	}
	a := addressOf(street, &given.ForeignPlace)
	a.country = given.Country
	return party{nif: given.NIF, noNIF: given.NoNIF, name: schema.Line(given.Name), address: &a}
}

// addressOf is an address in Brazil, or with a foreign place one abroad.
func addressOf(given nfse.PropertyAddress, foreign *nfse.ForeignPlace) address {
	a := address{
		zipCode: given.ZipCode, street: schema.Line(given.Street), number: schema.Line(given.Number),
		district: schema.Line(given.District),
	}
	if given.Complement != nil {
		a.complement = schema.Line(*given.Complement)
	}
	if foreign != nil {
		a.foreign = &nfse.ForeignPlace{
			PostalCode: schema.Line(foreign.PostalCode), City: schema.Line(foreign.City),
			Region: schema.Line(foreign.Region),
		}
	}
	return a
}
