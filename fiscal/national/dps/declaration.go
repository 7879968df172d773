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
	"emissor/fiscal/taxes"
	"emissor/nfse"
)

// dps is what a DPS says: everything is decided, and fits its element.
type dps struct {
	id           string
	moment       time.Time // dhEmi, in Brasília
	competence   nfse.Day  // dCompet
	software     string    // verAplic
	issuer       nfse.FiscalProfile
	number       int64
	replaced     *nfse.Replaced // nil: it replaces none
	taker        party
	intermediary *party // interm; nil: there is none
	service      service
	amountCents  int64

	unconditionalDiscount, conditionalDiscount int64
	deduction                                  nfse.Deduction

	taxed         taxation.ISSTaxation
	iss           nfse.ISSTreatment
	resultCountry string // cPaisResult; empty: it is not sent
	withholder    fiscal.Withholder
	aliquot       taxation.Aliquot
	federal       taxes.Federal
	ibscbs        *nfse.Classification // nil: the group is not sent
}

type service struct {
	place         taxation.Place
	taxCode       string // cTribNac
	municipalCode string // cTribMun; empty: it is not sent
	description   string
	nbs           string // empty: it is not sent
	correlationID string // cIntContrib

	abroad *nfse.Abroad // nil: nothing of it is abroad
	work   *nfse.Work
	event  *nfse.CulturalEvent
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
		replaced: declaration.Details.Replaces, amountCents: note.AmountCents,
		unconditionalDiscount: declaration.Details.UnconditionalDiscountCents,
		conditionalDiscount:   declaration.Details.ConditionalDiscountCents,
		deduction:             declaration.Deduction(),
		taxed:                 taxation.ISSOf(declaration), iss: declaration.ISS(),
		withholder: declaration.ISSWithheldBy(), aliquot: taxation.AliquotOf(declaration),
		federal: taxes.FederalOf(declaration),
	}
	if err := rules.ValidateProfile(issuer); err != nil {
		return dps{}, fmt.Errorf("prest: %v", err)
	}
	if d.software, err = s.softwareName(); err != nil {
		return dps{}, err
	}
	if d.taker, err = takerOf(declaration); err != nil {
		return dps{}, fmt.Errorf("toma: %w", err)
	}
	if declaration.AutoFixes.Has(fiscal.OmitAddress) {
		d.taker.address = nil
	}
	if d.service, err = serviceOf(declaration); err != nil {
		return dps{}, fmt.Errorf("serv: %w", err)
	}
	if s.MunicipalCodes {
		d.service.municipalCode = declaration.MunicipalCode()
	}
	if s.IBSCBS.Sent(declaration, note.Competence) {
		if d.ibscbs, err = ibscbsOf(*declaration.Classification); err != nil {
			return dps{}, fmt.Errorf("IBSCBS: %w", err)
		}
		d.service.nbs = d.ibscbs.NBS // E0322
	}
	if given := declaration.Details.Intermediary; given != nil {
		d.intermediary = new(partyOf(given.Party))
	}
	if taxation.ExportOfDeclaration(declaration).ResultCountry {
		d.resultCountry = declaration.Abroad().ResultCountry
	}
	switch {
	case d.amountCents < 1 || d.amountCents > nfse.MaxAmountCents:
		return dps{}, errors.New("vServ: out of range")
	case d.aliquot.Missing:
		return dps{}, errors.New("pAliq: there is no ISS rate")
	case d.aliquot.Sent && (d.aliquot.Rate < 0 || d.aliquot.Rate > nfse.MaxRate):
		return dps{}, errors.New("pAliq: out of range")
	case d.withholder == fiscal.WithheldByTaker && d.taker.address == nil:
		return dps{}, errors.New("toma: the ISS is withheld, and the address is not whole")
	}
	return d, rules.GroupsDefect(declaration)
}

// serviceOf is the note's service, with where it is rendered, and for which work or event.
func serviceOf(declaration fiscal.Declaration) (service, error) {
	note := declaration.Note
	correlationID, err := correlationIDOf(note.ID)
	if err != nil {
		return service{}, fmt.Errorf("cIntContrib: %w", err)
	}
	s := service{
		place: taxation.PlaceOf(declaration), description: schema.Lines(note.Service.Description),
		correlationID: correlationID,
		work:          taxation.WorkOf(declaration), event: taxation.EventOf(declaration),
	}
	switch {
	case !s.place.Abroad() && !schema.ValidMunicipality(s.place.Municipality):
		return service{}, errors.New("cLocPrestacao: not a code of 7 digits")
	case note.Service.NationalTaxCode == nil || !taxation.KnownServiceCode(*note.Service.NationalTaxCode):
		return service{}, errors.New("cTribNac: not a national tax code")
	}
	s.taxCode = *note.Service.NationalTaxCode
	if taxation.ExportOfDeclaration(declaration).ForeignTrade {
		if declaration.Classification == nil || !nineDigits.MatchString(declaration.Classification.NBS) {
			return service{}, errors.New("cNBS: not 9 digits")
		}
		s.abroad, s.nbs = new(declaration.Abroad()), declaration.Classification.NBS // E0318, E0330
	}
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
