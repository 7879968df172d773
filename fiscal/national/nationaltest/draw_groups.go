package nationaltest

import (
	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// drawGroups draws what a note has beyond the API, each group where the others let it be.
func drawGroups(t *rapid.T, d *fiscal.Declaration) {
	d.Taxation.Service = &nfse.ServiceTaxation{}
	drawAbroad(t, d)
	drawSites(t, d)
	drawISS(t, d)
	drawForeignTrade(t, d)
	drawReplacement(t, d)
}

// sometimes is true of one draw in so many.
func sometimes(t *rapid.T, label string, of int) bool {
	return rapid.IntRange(1, of).Draw(t, label) == 1
}

// drawAbroad draws parties and places abroad, and whether the service is exported.
func drawAbroad(t *rapid.T, d *fiscal.Declaration) {
	if sometimes(t, "taker abroad", 4) {
		d.Details.ForeignTaker = new(drawForeignParty(t))
	}
	if sometimes(t, "intermediary", 3) {
		drawIntermediary(t, d)
	}
	code, untaxable := *d.Note.Service.NationalTaxCode, d.Issuer.SpecialRegime != 0
	abroad := nfse.Abroad{}
	hasProperty := d.Classification != nil && d.Classification.Property != nil
	if !hasProperty && sometimes(t, "place abroad", 4) {
		abroad.Country = drawCountry(t)
	}
	export := !untaxable && !taxation.NeverTaxed(code) && rapid.Bool().Draw(t, "export")
	for _, export := range []bool{export, !export && !untaxable && !taxation.NeverTaxed(code), false} {
		abroad.Export = export
		d.Taxation.Service.Abroad = &abroad
		if taxation.ExportOfDeclaration(*d).Refused == "" {
			break
		}
	}
	if taxation.ExportOfDeclaration(*d).Refused != "" {
		abroad.Country = "" // taxed by a special regime where it is rendered
	}
}

// drawSites draws the work or the event that a service needs, from the form or from settings.
func drawSites(t *rapid.T, d *fiscal.Declaration) {
	code := *d.Note.Service.NationalTaxCode
	abroad := d.Abroad().Country != ""
	inForm := taxation.NeverTaxed(code) || rapid.Bool().Draw(t, "in the form")
	if taxation.NeedsWorks(code) || taxation.NeverTaxed(code) && sometimes(t, "work", 3) {
		work := drawWork(t, abroad)
		if d.Taxation.Work = &work; inForm {
			d.Taxation.Work, d.Details.Work = nil, &work
		}
		if c := d.Classification; c != nil && c.Property != nil {
			c.CIndOp, c.Property = "030101", nil // E0931
		}
	}
	if taxation.NeedsEvent(code) || taxation.NeverTaxed(code) && sometimes(t, "event", 3) {
		event := drawEvent(t, abroad)
		if d.Taxation.Event = &event; inForm {
			d.Taxation.Event, d.Details.Event = nil, &event
		}
		if work := d.Details.Work; work != nil {
			event.MunicipalityCode = work.MunicipalityCode
		}
	}
}

func drawWork(t *rapid.T, abroad bool) nfse.Work {
	work := nfse.Work{MunicipalityCode: DrawMunicipality(t, "city of the work")}
	if rapid.Bool().Draw(t, "has a number by the city") {
		work.PropertyNumber = rapid.StringMatching(`[0-9]{1,30}`).Draw(t, "number by the city")
	}
	if rapid.Bool().Draw(t, "has a technical document") {
		work.TechnicalDocument = DrawText(t, "technical document", schema.MaxTechnicalDocument, schema.Line)
		work.TechnicalDocument = schema.Line(work.TechnicalDocument)
	}
	kind := rapid.IntRange(0, 2).Draw(t, "work by")
	switch {
	case abroad || kind == 0:
		work.Address, work.Foreign = drawSite(t, abroad)
	case kind == 1:
		work.CIB = rapid.StringMatching(`[0-9A-Z]{8}`).Draw(t, "CIB of the work")
	default:
		work.Registration = rapid.StringMatching(`[0-9]{1,30}`).Draw(t, "CNO")
	}
	return work
}

func drawEvent(t *rapid.T, abroad bool) nfse.CulturalEvent {
	event := nfse.CulturalEvent{
		Name: DrawText(t, "event", schema.MaxEventName, schema.Line), From: "2026-11-20",
		Through:          rapid.SampledFrom([]nfse.Day{"2026-11-20", "2028-02-29"}).Draw(t, "through"),
		MunicipalityCode: DrawMunicipality(t, "city of the event"),
	}
	if abroad || rapid.Bool().Draw(t, "event by address") {
		event.Address, event.Foreign = drawSite(t, abroad)
	} else {
		event.Identification = rapid.StringMatching(`[0-9A-Z]{1,30}`).Draw(t, "identification of the event")
	}
	return event
}

// drawSite draws where a work or an event is.
func drawSite(t *rapid.T, abroad bool) (*nfse.PropertyAddress, *nfse.ForeignPlace) {
	address := *drawAddress(t)
	if !abroad {
		return &address, nil
	}
	address.ZipCode = ""
	return &address, new(drawForeignPlace(t))
}

// drawISS draws how the ISS is due.
func drawISS(t *rapid.T, d *fiscal.Declaration) {
	code, issuer := *d.Note.Service.NationalTaxCode, d.Issuer
	if taxation.NeverTaxed(code) {
		return
	}
	export := d.Abroad().Export
	iss := nfse.ISSTreatment{}
	switch rapid.IntRange(0, 9).Draw(t, "treatment of the ISS") {
	case 0, 1:
		if !export && issuer.SpecialRegime == 0 {
			iss = nfse.ISSTreatment{Kind: nfse.ISSImmune, Immunity: rapid.IntRange(1, 5).Draw(t, "immunity")}
		}
	case 2:
		if !export && issuer.SpecialRegime == 0 {
			iss = nfse.ISSTreatment{Kind: nfse.ISSNotTaxed}
		}
	case 3, 4:
		if !export {
			iss = nfse.ISSTreatment{
				Kind: nfse.ISSSuspended, Suspension: rapid.IntRange(1, 2).Draw(t, "suspension"),
				Process: rapid.StringMatching(`[0-9]{30}`).Draw(t, "process"),
			}
		}
	case 5, 6, 7:
		within := taxation.PaysWithinSimples(issuer) && !taxation.MayBenefitInSimples(code)
		if !export && issuer.SpecialRegime == 0 && issuer.Simples != nfse.SimplesMEI && !within &&
			!taxation.ProfileSaysInactive(*d) {
			iss = drawBenefit(t, d.Note.AmountCents)
		}
	}
	if iss.Kind == "" {
		return
	}
	if d.Taxation.Service.ISS = &iss; rapid.Bool().Draw(t, "treatment in the form") {
		d.Taxation.Service.ISS, d.Details.ISS = nil, &iss
	}
}

func drawBenefit(t *rapid.T, price int64) nfse.ISSTreatment {
	iss := nfse.ISSTreatment{
		Kind: nfse.ISSBenefit, Benefit: rapid.StringMatching(`[0-9]{14}`).Draw(t, "benefit"),
	}
	switch rapid.IntRange(0, 2).Draw(t, "benefit by") {
	case 0:
		iss.BenefitPercent = nfse.Percent(rapid.IntRange(1, 60_00).Draw(t, "percent of the benefit"))
	case 1:
		iss.BenefitCents = rapid.Int64Range(0, price/2).Draw(t, "cents of the benefit")
	}
	return iss
}

// drawForeignTrade draws the group comExt and the NBS code, where these are needed.
func drawForeignTrade(t *rapid.T, d *fiscal.Declaration) {
	export := taxation.ExportOfDeclaration(*d)
	abroad := d.Taxation.Service.Abroad
	if !export.ForeignTrade {
		return
	}
	if d.Classification == nil {
		d.Classification = DrawClassification(t, *d.Note.Service.NationalTaxCode)
		if d.Classification.Property != nil {
			d.Classification.CIndOp, d.Classification.Property = "030101", nil
		}
	}
	if export.ResultCountry {
		abroad.ResultCountry = drawCountry(t)
	}
	abroad.Mode = rapid.IntRange(1, 2).Draw(t, "mode")
	abroad.Relationship = rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 6, 9}).Draw(t, "relationship")
	if rapid.Bool().Draw(t, "in a currency") {
		abroad.Currency = rapid.StringMatching(`[0-9]{3}`).Draw(t, "currency")
		abroad.AmountCents = rapid.Int64Range(1, nfse.MaxAmountCents).Draw(t, "amount in it")
	}
	abroad.ProviderMechanism = rapid.SampledFrom([]string{"", "01", "08"}).Draw(t, "mechanism of the provider")
	abroad.TakerMechanism = rapid.SampledFrom([]string{"", "01", "26"}).Draw(t, "mechanism of the taker")
	switch abroad.Goods = rapid.IntRange(0, 3).Draw(t, "goods"); abroad.Goods {
	case taxation.GoodsImported:
		abroad.ImportDeclaration = rapid.StringMatching(`[0-9]{1,12}`).Draw(t, "import declaration")
	case taxation.GoodsExported:
		abroad.ExportRecord = rapid.StringMatching(`[0-9]{1,12}`).Draw(t, "export record")
	}
	abroad.ToMinistry = rapid.Bool().Draw(t, "to the ministry")
	abroad.NoForeignCurrency = rapid.Bool().Draw(t, "no foreign currency comes in")
	if rapid.Bool().Draw(t, "abroad in the form") {
		d.Details.Abroad, d.Taxation.Service.Abroad = abroad, nil
	}
}

// drawReplacement draws that the note replaces another one.
func drawReplacement(t *rapid.T, d *fiscal.Declaration) {
	registration, err := schema.Registration(d.Issuer.TaxID)
	if err != nil {
		t.Fatal(err)
	}
	key := d.Issuer.MunicipalityCode + "2" + registration +
		rapid.StringMatching(`[0-9]{26}`).Draw(t, "rest of the replaced key")
	key += string(schema.CheckDigit(key))
	if !schema.SchemaTakesKey(key) || !sometimes(t, "replaces", 3) {
		return
	}
	replaced := &nfse.Replaced{
		AccessKey:  key,
		ReasonCode: rapid.SampledFrom([]string{"01", "02", "03", "04", "05", "99"}).Draw(t, "why it replaces"),
		Original: nfse.ReplacedNote{
			Competence: d.Note.Competence, NationalTaxCode: *d.Note.Service.NationalTaxCode,
			MunicipalityCode: taxation.PlaceOf(*d).Municipality, Country: taxation.PlaceOf(*d).Country,
			TaxID: d.Note.Customer.TaxID, AmountCents: d.Note.AmountCents,
		},
	}
	if foreign := d.Details.ForeignTaker; foreign != nil {
		replaced.Original.TaxID, replaced.Original.NIF = "", foreign.NIF
	}
	if replaced.ReasonCode == "99" || rapid.Bool().Draw(t, "has a reason") {
		replaced.ReasonText = "Corrigida: " + DrawText(t, "words of the replacement", 220, schema.Line)
		replaced.ReasonText += " do servico"
	}
	d.Details.Replaces = replaced
}

// OnDay sets the day of competence of a declaration, and of the note that it replaces.
func OnDay(d *fiscal.Declaration, day nfse.Day) {
	d.Note.Competence = day
	if replaced := d.Details.Replaces; replaced != nil {
		replaced.Original.Competence = day
	}
}
