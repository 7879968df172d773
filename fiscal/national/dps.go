package national

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
)

const namespace = "http://www.sped.fazenda.gov.br/nfse"

// dps is what a declaration of services rendered (DPS) says: everything decided,
// fitting and safe, before a layout gives it its form.
type dps struct {
	id          string
	moment      time.Time // dhEmi, in Brasília; its date is dCompet
	software    string    // verAplic
	issuer      nfse.FiscalProfile
	number      int64
	taker       taker
	service     service
	amountCents int64
	withheld    bool
	aliquot     aliquot
}

type taker struct {
	document nfse.TaxID
	name     string
	address  *address // nil when it is not whole
}

type address struct {
	municipality, zipCode, street, number, complement, district string
}

type service struct {
	place        string // cLocPrestacao
	nationalCode string // cTribNac
	description  string
	internalCode string // cIntContrib
}

// renderDPS builds and signs the DPS of a document. It makes no document of
// data that cannot be right: check refuses them before.
func renderDPS(options Options, document fiscal.Document, credentials *fiscal.Credentials, at time.Time) (fiscal.Rendering, error) {
	moment, err := issueMoment(at, document.Renderings)
	if err != nil {
		return fiscal.Rendering{}, fmt.Errorf("DPS: %w", err)
	}
	form := options.Layouts.layoutOn(moment)
	if document.Layout != "" {
		if form, err = layoutNamed(document.Layout); err != nil {
			return fiscal.Rendering{}, fmt.Errorf("DPS: %w", err)
		}
	}
	content, err := newDPS(options, document, moment)
	if err != nil {
		return fiscal.Rendering{}, fmt.Errorf("DPS: %w", err)
	}
	var w writer
	form.dps(&w, content)
	return sign(options.Signature, form, "DPS", content.id, w.text, credentials)
}

// sign puts a written element and its signature under their root.
func sign(profile xmldsig.Profile, form *layout, root, id string, element []byte, credentials *fiscal.Credentials) (fiscal.Rendering, error) {
	signature, digest, err := xmldsig.Sign(profile, xmldsig.Element{Namespace: namespace, ID: id, Text: element}, credentials.Certificate)
	if err != nil {
		return fiscal.Rendering{}, err
	}
	start := `<?xml version="1.0" encoding="UTF-8"?><` + root + ` xmlns="` + namespace + `" versao="` + form.version + `">`
	document := make([]byte, 0, len(start)+len(element)+len(signature)+len(root)+3)
	document = append(document, start...)
	document = append(document, element...)
	document = append(document, signature...)
	document = append(document, "</"+root+">"...)
	return fiscal.Rendering{ID: id, Layout: form.name, Digest: digest, XML: document}, nil
}

// newDPS decides what a DPS says. An error names the element that has no right
// value.
func newDPS(options Options, document fiscal.Document, moment time.Time) (dps, error) {
	note, issuer := document.Note, document.Issuer
	id, err := idOfDPS(issuer.MunicipalityCode, issuer.TaxID, issuer.Series, document.Number)
	if err != nil {
		return dps{}, err
	}
	d := dps{
		id: id, moment: moment, issuer: issuer, number: document.Number,
		amountCents: note.AmountCents, withheld: note.ISSWithheld, aliquot: decideAliquot(document),
	}
	if fault := faultOf(issuer); fault != nil {
		return dps{}, fmt.Errorf("prest: %s %s", fault.field, fault.words)
	}
	if d.software, err = softwareName(options.Software); err != nil {
		return dps{}, err
	}
	if d.taker, err = takerOf(note); err != nil {
		return dps{}, fmt.Errorf("toma: %w", err)
	}
	if d.service, err = serviceOf(note); err != nil {
		return dps{}, fmt.Errorf("serv: %w", err)
	}
	switch {
	case d.amountCents < 1 || d.amountCents > nfse.MaxAmountCents:
		return dps{}, errors.New("vServ: out of range")
	case d.aliquot.missing:
		return dps{}, errors.New("pAliq: the service has no ISS rate")
	case d.aliquot.send && (d.aliquot.rate < 0 || d.aliquot.rate > nfse.MaxRate):
		return dps{}, errors.New("pAliq: out of range")
	case d.withheld && d.taker.address == nil:
		return dps{}, errors.New("toma: the ISS is withheld, and the address is not whole")
	}
	return d, nil
}

// takerOf is the note's customer. Of an address that is not whole nothing is
// said.
func takerOf(note nfse.Note) (taker, error) {
	customer := note.Customer
	if !sound(customer.TaxID) {
		return taker{}, errors.New("the document is not a valid CPF or CNPJ")
	}
	t := taker{document: customer.TaxID, name: safeText(customer.Name)}
	if err := fits("xNome", t.name, 300); err != nil || missingAddressField(customer.Address) != "" {
		return t, err
	}
	a := address{
		municipality: note.Municipality.Code, zipCode: *customer.Address.ZipCode,
		street: streetLine(customer.Address), number: safeText(*customer.Address.Number), district: safeText(*customer.Address.District),
	}
	if customer.Address.Complement != nil {
		a.complement = safeText(*customer.Address.Complement)
	}
	t.address = &a
	switch {
	case !municipalityForm.MatchString(a.municipality):
		return taker{}, errors.New("cMun: not a code of 7 digits")
	case !zipCodeForm.MatchString(a.zipCode):
		return taker{}, errors.New("CEP: not 8 digits")
	case utf8.RuneCountInString(a.complement) > 156:
		return taker{}, errors.New("xCpl: longer than 156 characters")
	}
	return t, errors.Join(fits("xLgr", a.street, 255), fits("nro", a.number, 60), fits("xBairro", a.district, 60))
}

// serviceOf is the note's service.
func serviceOf(note nfse.Note) (service, error) {
	code, err := internalCode(note.ID)
	if err != nil {
		return service{}, fmt.Errorf("cIntContrib: %w", err)
	}
	s := service{place: note.Service.MunicipalityCode, description: safeDescription(note.Service.Description), internalCode: code}
	switch {
	case !municipalityForm.MatchString(s.place):
		return service{}, errors.New("cLocPrestacao: not a code of 7 digits")
	case note.Service.NationalTaxCode == nil || !knownNationalCode(*note.Service.NationalTaxCode):
		return service{}, errors.New("cTribNac: not a national tax code")
	}
	s.nationalCode = *note.Service.NationalTaxCode
	return s, fits("xDescServ", s.description, 2000)
}

// softwareName is verAplic, at most 20 characters.
func softwareName(configured string) (string, error) {
	name := safeText(configured)
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
