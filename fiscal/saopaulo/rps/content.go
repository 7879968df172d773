package rps

import (
	"errors"
	"fmt"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/taxes"
	"emissor/internal/text"
	"emissor/nfse"
)

// The greatest lengths of texts, in characters. What is longer is cut: the note
// keeps the whole.
const (
	maxName          = 75   // RazaoSocialTomador
	maxStreet        = 50   // Logradouro
	maxAddressNumber = 10   // NumeroEndereco
	maxComplement    = 30   // ComplementoEndereco
	maxDistrict      = 30   // Bairro
	maxDescription   = 2000 // Discriminacao
	maxProperty      = 30   // inscImobFisc
)

// content is what an RPS says: everything is decided, and fits its element.
type content struct {
	signed
	sender         nfse.TaxID
	aliquot        string // AliquotaServicos
	taker          taker
	description    string
	place          string // MunicipioPrestacao, where the ISS is due elsewhere; else empty
	rendered       string // cLocPrestacao; empty: abroad
	renderedAbroad string // cPaisPrestacao
	work           string // CodigoCEI; empty: none
	event          *nfse.CulturalEvent
	classification nfse.Classification
	federal        taxes.Federal // withheld by the taker
}

// taker is the customer. Of an address all that is known is sent.
type taker struct {
	taxID   nfse.TaxID
	foreign *nfse.ForeignParty // in place of the tax id
	name    string
	address address
}

type address struct{ street, number, complement, district, municipality, state, zipCode string }

// dateOf returns the day that an RPS is of (DataEmissao): the note's day of competence.
// The city makes it the day of the service (DataFatoGeradorNFe), and the layout has no
// other; one that the city's own clock has not reached is tried again later (313).
func dateOf(note nfse.Note) (string, error) {
	if _, err := nfse.ParseDay(string(note.Competence)); err != nil {
		return "", errors.New("DataEmissao: not a day of this century")
	}
	return string(note.Competence), nil
}

// contentOf decides what an RPS says. An error names the element that has no right
// value; rules.Check refuses such a declaration before.
func (s Signer) contentOf(declaration fiscal.Declaration) (content, error) {
	note, issuer := declaration.Note, declaration.Issuer
	if err := rules.ValidateProfile(issuer); err != nil {
		return content{}, fmt.Errorf("prestador: %v", err)
	}
	if objection := rules.Check(declaration); objection != nil {
		return content{}, errors.New(reasonOf(objection))
	}
	key, err := KeyOf(issuer, declaration.Number)
	if err != nil {
		return content{}, err
	}
	date, err := dateOf(note)
	if err != nil {
		return content{}, err
	}
	c := content{
		signed: signed{
			key: key, date: date, taxation: rules.Letter(declaration), status: "N",
			withheld:    declaration.ISSWithheldBy() == fiscal.WithheldByTaker,
			amountCents: note.AmountCents, deductionsCents: taxes.DeductedCents(declaration),
			serviceCode: strings.TrimLeft(*note.Service.MunicipalTaxCode, "0"), taker: note.Customer.TaxID,
			intermediary: intermediaryOf(declaration),
		},
		sender: issuer.TaxID, aliquot: fraction(note.Service.ISSRate), taker: takerOf(note),
		description:    description(note.Service.Description),
		classification: *declaration.Classification, federal: taxes.FederalOf(declaration),
		event: rules.EventOf(declaration),
	}
	c.rendered, c.renderedAbroad = s.Place.Of(declaration)
	if work := rules.WorkOf(declaration); work != nil {
		c.work = strings.TrimLeft(work.Registration, "0")
	}
	if foreign := declaration.Details.ForeignTaker; foreign != nil {
		c.signed.taker, c.foreignTaker = "", new(foreignID(*foreign))
		c.taker = foreignTakerOf(*foreign)
	}
	if rules.TaxedOutside(c.taxation) {
		c.place = note.Service.MunicipalityCode
	}
	return c, nil
}

// reasonOf is an objection as an error says it.
func reasonOf(objection *fiscal.Objection) string {
	if objection.Rejection != nil {
		return objection.Rejection.Message
	}
	return objection.Hold.English()
}

// takerOf is the note's customer. The e-mail is not sent: the city would write to it.
func takerOf(note nfse.Note) taker {
	given := note.Customer.Address
	part := func(text *string, most int) string { return fit(nfse.OrEmpty(text), most) }
	return taker{
		taxID: note.Customer.TaxID, name: fit(note.Customer.Name, maxName),
		address: address{
			street: text.Cut(plain(text.StreetLine(given)), maxStreet), number: part(given.Number, maxAddressNumber),
			complement: part(given.Complement, maxComplement), district: part(given.District, maxDistrict),
			municipality: note.Municipality.Code, state: rules.StateOf(note.Municipality.Code),
			zipCode: zipCode(nfse.OrEmpty(given.ZipCode)),
		},
	}
}

// zipCode is a zip code as the number that the layout takes it for: 01001000 is
// 1001000. One with fewer digits is left out.
func zipCode(code string) string {
	if number := strings.TrimLeft(code, "0"); len(number) >= 7 {
		return number
	}
	return ""
}

// description writes a text of several lines: a line break is a bar.
func description(s string) string {
	return text.Cut(plain(strings.ReplaceAll(text.Lines(s), "\n", "|")), maxDescription)
}

// fit makes a text fit for an element of one line and so many characters.
func fit(s string, most int) string { return text.Cut(plain(text.Line(s)), most) }

// plain writes ordinals by letters, as in "no 7": of Latin-1 the city refuses their
// signs (1001).
func plain(s string) string { return ordinals.Replace(s) }

var ordinals = strings.NewReplacer("º", "o", "ª", "a")

// fraction writes a rate as a part of one: 2.9 percent is 0.029. Where the ISS is
// due to the city it knows the rate better, and none is 0.
func fraction(rate *nfse.Rate) string {
	if rate == nil || *rate == 0 {
		return "0"
	}
	return strings.TrimRight(fmt.Sprintf("0.%04d", int(*rate)), "0")
}
