package dps

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// dps is what a DPS says: everything is decided, and fits its element.
type dps struct {
	id          string
	moment      time.Time // dhEmi, in Brasília
	competence  nfse.Day  // dCompet
	software    string    // verAplic
	issuer      nfse.FiscalProfile
	number      int64
	taker       taker
	service     service
	amountCents int64
	withheld    bool
	aliquot     taxation.Aliquot
	ibscbs      *nfse.Classification // nil: the group is not sent
}

// taker is the customer (toma).
type taker struct {
	taxID   nfse.TaxID
	name    string
	address *address // nil when it is not whole
}

type address struct {
	municipality, zipCode, street, number, complement, district string
}

type service struct {
	place         string // cLocPrestacao
	taxCode       string // cTribNac
	description   string
	correlationID string // cIntContrib
}

// dps decides what a DPS says. An error names the element that has no right
// value.
func (s Signer) dps(declaration fiscal.Declaration, moment time.Time) (dps, error) {
	note, issuer := declaration.Note, declaration.Issuer
	id, err := dpsID(issuer.MunicipalityCode, issuer.TaxID, issuer.Series, declaration.Number)
	if err != nil {
		return dps{}, err
	}
	d := dps{
		id: id, moment: moment, competence: note.Competence, issuer: issuer, number: declaration.Number,
		amountCents: note.AmountCents, withheld: note.ISSWithheld, aliquot: taxation.AliquotOf(declaration),
	}
	if err := rules.ValidateProfile(issuer); err != nil {
		return dps{}, fmt.Errorf("prest: %v", err)
	}
	if d.software, err = s.softwareName(); err != nil {
		return dps{}, err
	}
	if d.taker, err = takerOf(note); err != nil {
		return dps{}, fmt.Errorf("toma: %w", err)
	}
	if d.service, err = serviceOf(note); err != nil {
		return dps{}, fmt.Errorf("serv: %w", err)
	}
	if s.IBSCBS.Sent(declaration, note.Competence) {
		if d.ibscbs, err = ibscbsOf(*declaration.Classification); err != nil {
			return dps{}, fmt.Errorf("IBSCBS: %w", err)
		}
	}
	switch {
	case d.amountCents < 1 || d.amountCents > nfse.MaxAmountCents:
		return dps{}, errors.New("vServ: out of range")
	case d.aliquot.Missing:
		return dps{}, errors.New("pAliq: the service has no ISS rate")
	case d.aliquot.Sent && (d.aliquot.Rate < 0 || d.aliquot.Rate > nfse.MaxRate):
		return dps{}, errors.New("pAliq: out of range")
	case d.withheld && d.taker.address == nil:
		return dps{}, errors.New("toma: the ISS is withheld, and the address is not whole")
	}
	return d, nil
}

// takerOf is the note's customer. An address that is not whole is left out.
func takerOf(note nfse.Note) (taker, error) {
	customer := note.Customer
	if !schema.ValidTaxID(customer.TaxID) {
		return taker{}, errors.New("the tax id is not a valid CPF or CNPJ")
	}
	t := taker{taxID: customer.TaxID, name: schema.Line(customer.Name)}
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
		return taker{}, errors.New("cMun: not a code of 7 digits")
	case !schema.ValidZipCode(a.zipCode):
		return taker{}, errors.New("CEP: not 8 digits")
	case utf8.RuneCountInString(a.complement) > schema.MaxComplement:
		return taker{}, fmt.Errorf("xCpl: longer than %d characters", schema.MaxComplement)
	}
	return t, errors.Join(fits("xLgr", a.street, schema.MaxStreet), fits("nro", a.number, schema.MaxAddressNumber),
		fits("xBairro", a.district, schema.MaxDistrict))
}

// serviceOf is the note's service.
func serviceOf(note nfse.Note) (service, error) {
	correlationID, err := correlationIDOf(note.ID)
	if err != nil {
		return service{}, fmt.Errorf("cIntContrib: %w", err)
	}
	s := service{
		place: note.Service.MunicipalityCode, description: schema.Lines(note.Service.Description),
		correlationID: correlationID,
	}
	switch {
	case !schema.ValidMunicipality(s.place):
		return service{}, errors.New("cLocPrestacao: not a code of 7 digits")
	case note.Service.NationalTaxCode == nil || !taxation.KnownServiceCode(*note.Service.NationalTaxCode):
		return service{}, errors.New("cTribNac: not a national tax code")
	}
	s.taxCode = *note.Service.NationalTaxCode
	return s, fits("xDescServ", s.description, schema.MaxDescription)
}

// softwareName is verAplic, at most 20 characters.
func (s Signer) softwareName() (string, error) {
	name := schema.Line(s.Software)
	if name == "" {
		name = "emissor"
	}
	return name, fits("verAplic", name, 20)
}

// fits refuses a text that is empty or too long for its element.
func fits(element, text string, most int) error {
	if length := utf8.RuneCountInString(text); length < 1 || length > most {
		return fmt.Errorf("%s: not 1 to %d characters", element, most)
	}
	return nil
}
