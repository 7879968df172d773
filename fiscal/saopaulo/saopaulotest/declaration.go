package saopaulotest

import (
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/internal/text"
	"emissor/nfse"
)

// At is the moment that most tests are at.
var At = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)

// Declaration returns one that nothing is wrong with: a service taxed in the city,
// for a company there.
func Declaration() fiscal.Declaration {
	return fiscal.Declaration{
		Number: 42,
		Note: nfse.Note{
			ID: "nfse_1", Status: nfse.StatusProcessing, Livemode: true, Reference: "order-1", AmountCents: 150000,
			Competence: nfse.DayOf(At),
			Service: nfse.ServiceSnapshot{
				Name: "Suporte", Description: "Serviço de suporte\nParcela 1", MunicipalityCode: "3550308",
				MunicipalTaxCode: new("2919"), MunicipalTaxation: new("T"), ISSRate: new(nfse.Rate(290)),
			},
			Customer: nfse.CustomerSnapshot{
				TaxID: "99888777000100", Name: "Cliente Exemplo SA", MunicipalityCode: new("3550308"),
				Address: nfse.Address{
					StreetType: new("Rua"), Street: new("das Flores"), Number: new("100"), District: new("Centro"),
					ZipCode: new("01001000"),
				},
			},
			Municipality: nfse.NoteMunicipality{Code: "3550308", Source: nfse.MunicipalityFromZipCode, Verified: true},
		},
		Issuer:         Issuer(),
		Classification: Classification(),
	}
}

// Issuer returns the profile of a company of the city.
func Issuer() nfse.FiscalProfile {
	return nfse.FiscalProfile{
		OrganizationID: "org_1", Authority: "sao-paulo", Production: true, TaxID: "11222333000181",
		MunicipalityCode: "3550308", MunicipalRegistration: new("31000000"), Simples: nfse.SimplesNone, Series: 1,
		InactiveMunicipalities: []string{},
	}
}

// Classification returns one of the service of Declaration.
func Classification() *nfse.Classification {
	return &nfse.Classification{NBS: "115022000", CIndOp: "100301", CST: "000", CClassTrib: "000001",
		IndFinal: new(false)}
}

// DrawDeclaration draws one that nothing is wrong with, of what most likely breaks a
// message: texts of any script and length, extreme amounts, CPF and alphanumeric CNPJ.
func DrawDeclaration(t *rapid.T) fiscal.Declaration {
	issuer := Issuer()
	issuer.TaxID = nationaltest.DrawTaxID(t, "issuer")
	issuer.MunicipalRegistration = new(rapid.StringMatching(`[1-9][0-9]{0,11}|0[1-9][0-9]{7}`).Draw(t, "registration"))
	issuer.Series = rapid.OneOf(rapid.IntRange(1, 99999), rapid.SampledFrom([]int{1, 99999})).Draw(t, "series")
	number := rapid.OneOf(rapid.Int64Range(1, 999_999_999_999), rapid.SampledFrom([]int64{1, 999_999_999_999}))
	amount := rapid.OneOf(rapid.Int64Range(1, nfse.MaxAmountCents),
		rapid.SampledFrom([]int64{1, 9, 10, 99, 100, 101, nfse.MaxAmountCents}))
	d := fiscal.Declaration{
		Issuer: issuer, Number: number.Draw(t, "number"), Signings: rapid.IntRange(0, 6).Draw(t, "signings"),
		Note: nfse.Note{
			ID:     "nfse_" + rapid.StringMatching(`[0-9a-hjkmnp-tv-z]{26}`).Draw(t, "id"),
			Status: nfse.StatusProcessing, Livemode: true, Reference: "order-1", AmountCents: amount.Draw(t, "amount"),
			Service: drawService(t), Customer: drawCustomer(t, issuer.TaxID),
			Competence:   nfse.DayOf(At).Before(rapid.IntRange(0, 9000).Draw(t, "days back")),
			Municipality: nfse.NoteMunicipality{Code: drawMunicipality(t, "taker's municipality")},
		},
		Classification: drawClassification(t),
	}
	if d.Note.Customer.TaxID.IsCNPJ() && d.Classification.TpOper != nil {
		d.Classification.TpEnteGov = rapid.Ptr(rapid.IntRange(1, 4), true).Draw(t, "tpEnteGov")
	}
	d.Note.ISSWithheld = d.Note.Customer.TaxID.IsCNPJ() && rapid.Bool().Draw(t, "withheld")
	if !d.Note.ISSWithheld && rapid.Bool().Draw(t, "other letters") {
		d.Issuer.TaxationInside = rapid.SampledFrom([]string{"", "T", "A", "D", "M", "R", "X"}).Draw(t, "inside")
		d.Issuer.TaxationOutside = rapid.SampledFrom([]string{"", "F", "B", "N", "S", "V"}).Draw(t, "outside letter")
	}
	nationaltest.DrawFederal(t, &d)
	drawGroups(t, &d)
	d.Issuer.OwnContributions = nil // the city's layout has none
	return d
}

// drawMunicipality draws the code of a municipality of some state.
func drawMunicipality(t *rapid.T, label string) string {
	states := []string{"11", "21", "31", "33", "35", "41", "53"}
	return rapid.OneOf(rapid.Just("3550308"), rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom(states).Draw(t, "state") + rapid.StringMatching(`[0-9]{5}`).Draw(t, "rest")
	})).Draw(t, label)
}

func drawService(t *rapid.T) nfse.ServiceSnapshot {
	service := nfse.ServiceSnapshot{
		ID: "srv_1", Name: "Serviço", MunicipalityCode: drawMunicipality(t, "place"),
		MunicipalTaxCode:  new(rapid.StringMatching(`[1-9][0-9]{3,4}|0[1-9][0-9]{3}`).Draw(t, "municipal code")),
		MunicipalTaxation: new("T"),
		Description:       nationaltest.DrawText(t, "description", 5000, text.Lines),
		ISSRate:           rapid.Ptr(rapid.Map(rapid.IntRange(200, 500), rateOf), true).Draw(t, "rate"),
	}
	if service.MunicipalityCode != "3550308" && rapid.Bool().Draw(t, "outside") {
		service.MunicipalTaxation = new("F")
		service.ISSRate = new(rateOf(rapid.IntRange(200, 500).Draw(t, "rate outside")))
	}
	return service
}

func rateOf(hundredths int) nfse.Rate { return nfse.Rate(hundredths) }

func drawCustomer(t *rapid.T, issuer nfse.TaxID) nfse.CustomerSnapshot {
	line := func(label string, most int) *string {
		return new(nationaltest.DrawText(t, label, most, text.Line))
	}
	customer := nfse.CustomerSnapshot{Name: *line("name", 300), Email: new("maria@example.com")}
	another := func(id nfse.TaxID) bool { return id != issuer }
	customer.TaxID = rapid.Custom(func(t *rapid.T) nfse.TaxID { return nationaltest.DrawTaxID(t, "taker") }).
		Filter(another).Draw(t, "another")
	if customer.TaxID.IsCNPJ() || rapid.Bool().Draw(t, "has street") {
		customer.Address.Street = line("street", 200)
		customer.Address.StreetType = rapid.Ptr(rapid.SampledFrom([]string{"Rua", "Avenida"}), true).Draw(t, "type")
	}
	if customer.TaxID.IsCNPJ() || rapid.Bool().Draw(t, "has number and district") {
		customer.Address.Number, customer.Address.District = line("address number", 60), line("district", 60)
	}
	if rapid.Bool().Draw(t, "has complement") {
		customer.Address.Complement = line("complement", 156)
	}
	customer.Address.ZipCode = rapid.Ptr(rapid.StringMatching(`[0-9]{8}`), true).Draw(t, "zip code")
	return customer
}

// The indicators of the operation by which it takes place where the supplier is, and where
// the taker is, as the official table says.
var (
	AtSupplier = []string{"010101", "030101", "050101"}
	AtTaker    = []string{"010106", "100101", "100102", "100201", "100301", "100302", "100401"}
)

// elsewhere reports whether an indicator of the operation is neither of those, nor about an
// event or a property.
func elsewhere(code string) bool {
	return code != "040101" && !strings.HasPrefix(code, "02") && !slices.Contains(AtSupplier, code) &&
		!slices.Contains(AtTaker, code)
}

func drawClassification(t *rapid.T) *nfse.Classification {
	six := rapid.StringMatching(`[0-9]{6}`)
	property := rapid.IntRange(0, 2).Draw(t, "property")
	c := nfse.Classification{
		NBS: rapid.StringMatching(`[0-9]{9}`).Draw(t, "NBS"),
		CIndOp: rapid.OneOf(rapid.SampledFrom(slices.Concat(AtSupplier, AtTaker)), six.Filter(elsewhere)).
			Draw(t, "cIndOp"),
		CST: "000", CClassTrib: six.Draw(t, "cClassTrib"), IndFinal: new(rapid.Bool().Draw(t, "final")),
		TpOper: rapid.Ptr(rapid.SampledFrom([]int{1, 4, 5}), true).Draw(t, "tpOper"),
	}
	if rapid.Bool().Draw(t, "regular") {
		c.RegularTaxation = &nfse.RegularTaxation{CST: "000", CClassTrib: six.Draw(t, "cClassTribReg")}
	}
	if property > 0 {
		c.CIndOp = rapid.SampledFrom([]string{"020101", "020201", "020202", "020301", "020401"}).Draw(t, "of property")
	}
	switch property {
	case 1:
		c.Property = &nfse.Property{CIB: new("1234567A"), Registration: new("IPTU 12")}
	case 2:
		c.Property = &nfse.Property{Address: &nfse.PropertyAddress{
			ZipCode: "01310100", Street: nationaltest.DrawText(t, "property street", 200, text.Line),
			Number: "1", District: "Centro", Complement: new("Sala"),
		}}
	}
	return &c
}
