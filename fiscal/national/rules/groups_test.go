package rules

import (
	"strings"
	"testing"

	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/schema"
	"emissor/nfse"
	"emissor/nfse/fact"
)

type groupBreach struct {
	name, code string
	change     func(d *declaration)
}

const someKey = "33045572211222333000181000000000004226111234567892"

func work() *nfse.Work { return &nfse.Work{Registration: "900012345678", MunicipalityCode: "3304557"} }

func event() *nfse.CulturalEvent {
	return &nfse.CulturalEvent{
		Name: "Festival", From: "2026-11-20", Through: "2026-11-22", Identification: "1", MunicipalityCode: "3304557",
	}
}

func siteAddress() *nfse.PropertyAddress {
	return &nfse.PropertyAddress{ZipCode: "20040002", Street: "Rua", Number: "10", District: "Centro"}
}

func abroadPlace() *nfse.ForeignPlace {
	return &nfse.ForeignPlace{PostalCode: "94105", City: "San Francisco", Region: "CA"}
}

func foreigner() *nfse.ForeignParty {
	return &nfse.ForeignParty{
		NIF: "98-7654321", Name: "Acme Inc", Country: "US", ForeignPlace: *abroadPlace(),
		Street: "Market Street", Number: "1", District: "SoMa",
	}
}

// exported makes the plain service one for a taker abroad, done here with its result there.
func exported(d *declaration) {
	d.Details.ForeignTaker = foreigner()
	d.Details.Abroad = &nfse.Abroad{Export: true, ResultCountry: "US", Mode: 1}
	if d.Classification == nil {
		d.Classification = nationaltest.Classification()
	}
}

func foreign(change func(*nfse.ForeignParty)) func(d *declaration) {
	return func(d *declaration) {
		exported(d)
		change(d.Details.ForeignTaker)
	}
}

func brought(change func(*nfse.Intermediary)) func(d *declaration) {
	return func(d *declaration) {
		d.Details.Intermediary = &nfse.Intermediary{Party: nfse.Party{
			TaxID: "12345678000195", Name: "Plataforma SA",
			Address: &nfse.PartyAddress{PropertyAddress: *siteAddress(), MunicipalityCode: "3304557"},
		}}
		change(d.Details.Intermediary)
	}
}

func broughtFromAbroad(change func(*nfse.ForeignParty)) func(d *declaration) {
	return func(d *declaration) {
		exported(d)
		d.Details.Intermediary = &nfse.Intermediary{Party: nfse.Party{Foreign: foreigner()}}
		change(d.Details.Intermediary.Foreign)
	}
}

func withWork(code string, change func(*declaration, *nfse.Work)) func(d *declaration) {
	return func(d *declaration) {
		d.Note.Service.NationalTaxCode, d.Details.Work = &code, work()
		change(d, d.Details.Work)
	}
}

// workAbroad is of a work of the register that is abroad: of its address the country is not a part.
func workAbroad(d *declaration) {
	withWork("070202", func(_ *declaration, w *nfse.Work) {
		w.Registration, w.Address, w.Foreign, w.MunicipalityCode = "", siteAddress(), abroadPlace(), ""
		w.Address.ZipCode = ""
	})(d)
}

func withEvent(change func(*declaration, *nfse.CulturalEvent)) func(d *declaration) {
	return func(d *declaration) {
		d.Note.Service.NationalTaxCode, d.Details.Event = new("120701"), event()
		change(d, d.Details.Event)
	}
}

// inAmerica has a service rendered abroad.
func inAmerica(d *declaration) {
	exported(d)
	d.Details.Abroad.Country, d.Details.Abroad.ResultCountry = "US", ""
}

func deducting(deduction nfse.Deduction) func(d *declaration) {
	return func(d *declaration) { d.Details.Deduction = &deduction }
}

func deducted(change func(*nfse.DeductionDocument)) func(d *declaration) {
	return func(d *declaration) {
		document := nfse.DeductionDocument{
			Other: "1", Kind: 2, Issued: "2026-11-03", DeductibleCents: 5000, UsedCents: 1000,
			Supplier: &nfse.Party{TaxID: "12345678000195", Name: "Fornecedor",
				Address: &nfse.PartyAddress{PropertyAddress: *siteAddress(), MunicipalityCode: "3304557"}},
		}
		change(&document)
		d.Details.Deduction = &nfse.Deduction{Documents: []nfse.DeductionDocument{document}}
	}
}

func suppliedFromAbroad(change func(*nfse.ForeignParty)) func(d *declaration) {
	return deducted(func(document *nfse.DeductionDocument) {
		document.Supplier = &nfse.Party{Foreign: foreigner()}
		change(document.Supplier.Foreign)
	})
}

func treated(iss nfse.ISSTreatment) func(d *declaration) {
	return func(d *declaration) { d.Taxation.Service = &nfse.ServiceTaxation{ISS: &iss} }
}

func benefiting(change func(d *declaration, iss *nfse.ISSTreatment)) func(d *declaration) {
	return func(d *declaration) {
		iss := &nfse.ISSTreatment{Kind: nfse.ISSBenefit, Benefit: "33045570200001"}
		d.Details.ISS = iss
		change(d, iss)
	}
}

func replacing(change func(d *declaration, r *nfse.Replaced)) func(d *declaration) {
	return func(d *declaration) {
		r := &nfse.Replaced{
			AccessKey: someKey, ReasonCode: "99", ReasonText: "Descricao corrigida", Original: nfse.ReplacedNote{
				Competence: d.Note.Competence, NationalTaxCode: *d.Note.Service.NationalTaxCode,
				MunicipalityCode: "3304557", TaxID: d.Note.Customer.TaxID, AmountCents: d.Note.AmountCents,
			},
		}
		d.Details.Replaces = r
		change(d, r)
	}
}

// then does one change after another.
func then(changes ...func(d *declaration)) func(d *declaration) {
	return func(d *declaration) {
		for _, change := range changes {
			change(d)
		}
	}
}

func immune(d *declaration) { treated(nfse.ISSTreatment{Kind: nfse.ISSImmune, Immunity: 3})(d) }

func special(d *declaration) { d.Issuer.SpecialRegime = 5 }

// groupBreaches break one rule each by a group beyond the API.
var groupBreaches = []groupBreach{
	{"key of a wrong check digit", "E0042", replacing(func(_ *declaration, r *nfse.Replaced) {
		r.AccessKey = someKey[:49] + "1"
	})},
	{"key of another city", "E0042", replacing(func(d *declaration, _ *nfse.Replaced) {
		d.Issuer.MunicipalityCode = "3550308"
	})},
	{"key of a document of the city's system", "E0065", replacing(func(_ *declaration, r *nfse.Replaced) {
		r.AccessKey = "33045571" + someKey[8:]
		r.AccessKey = withCheckDigit(r.AccessKey)
	})},
	{"key that the schema has no place for", detailsInvalid, replacing(func(d *declaration, r *nfse.Replaced) {
		d.Issuer.TaxID = "12ABC345001A64"
		r.AccessKey = withCheckDigit(someKey[:9] + string(d.Issuer.TaxID) + someKey[23:])
	})},
	{"another competence", "E0060", replacing(func(_ *declaration, r *nfse.Replaced) {
		r.Original.Competence = "2026-11-20"
	})},
	{"rendered in another country", "E0060", then(inAmerica, replacing(func(d *declaration, r *nfse.Replaced) {
		r.Original.MunicipalityCode, r.Original.Country = "", "PT"
	}))},
	{"another customer abroad", "E0061", then(exported, func(d *declaration) { nationaltest.Small(d, 2) },
		replacing(func(_ *declaration, r *nfse.Replaced) { r.Original.TaxID, r.Original.NIF = "", "another" }))},
	{"another service", "E0060", replacing(func(_ *declaration, r *nfse.Replaced) {
		r.Original.NationalTaxCode = "010701"
	})},
	{"another place", "E0060", replacing(func(_ *declaration, r *nfse.Replaced) {
		r.Original.MunicipalityCode = "3550308"
	})},
	{"another price within Simples", "E0061", replacing(func(d *declaration, r *nfse.Replaced) {
		nationaltest.Small(d, 1)
		r.Original.AmountCents++
	})},
	{"another customer of an MEI", "E0061", replacing(func(d *declaration, r *nfse.Replaced) {
		nationaltest.Micro(d)
		r.Original.TaxID = "11144477735"
	})},
	{"other reasons without words", "E0078", replacing(func(_ *declaration, r *nfse.Replaced) { r.ReasonText = " " })},
	{"a reason that is none", detailsInvalid, replacing(func(_ *declaration, r *nfse.Replaced) {
		r.ReasonCode = "06"
	})},
	{"words that are too short", detailsInvalid, replacing(func(_ *declaration, r *nfse.Replaced) {
		r.ReasonText = "Corrigida"
	})},

	{"withheld by a taker abroad", "E0204", then(foreign(func(*nfse.ForeignParty) {}), func(d *declaration) {
		d.Details.Abroad.Export, d.Note.ISSWithheld = false, true
	})},
	{"a taker abroad who is nobody", "E0223", foreign(func(p *nfse.ForeignParty) { p.NIF = "" })},
	{"a taker abroad with both", "E0223", foreign(func(p *nfse.ForeignParty) { p.NoNIF = 1 })},
	{"a taker abroad without name", "E0233", foreign(func(p *nfse.ForeignParty) { p.Name = "" })},
	{"a taker abroad without address", "E0242", foreign(func(p *nfse.ForeignParty) { p.City = "" })},
	{"a taker abroad in Brazil", "E0246", foreign(func(p *nfse.ForeignParty) { p.Country = "BR" })},
	{"a NIF that is too long", detailsInvalid, foreign(func(p *nfse.ForeignParty) { p.NIF = strings.Repeat("1", 41) })},
	{"a postal code that is too long", detailsInvalid, foreign(func(p *nfse.ForeignParty) {
		p.PostalCode = strings.Repeat("1", 12)
	})},

	{"intermediary's CNPJ", "E0248", brought(func(i *nfse.Intermediary) { i.TaxID = "12345678000196" })},
	{"intermediary's CPF", "E0266", brought(func(i *nfse.Intermediary) { i.TaxID = "52998224724" })},
	{"an establishment of the issuer's", "E0262", brought(func(i *nfse.Intermediary) { i.TaxID = "11222333000262" })},
	{"withheld by an intermediary abroad", "E0264", then(broughtFromAbroad(func(*nfse.ForeignParty) {}),
		func(d *declaration) { d.Details.Intermediary.WithholdsISS = true })},
	{"withheld without address", "E0293", brought(func(i *nfse.Intermediary) {
		i.WithholdsISS, i.Address = true, nil
	})},
	{"half a city of the intermediary's", "E0294", brought(func(i *nfse.Intermediary) {
		i.Address.MunicipalityCode = "33045"
	})},
	{"half a zip code of the intermediary's", "E0296", brought(func(i *nfse.Intermediary) {
		i.Address.ZipCode = "2004"
	})},
	{"an intermediary abroad who is nobody", "E0281", broughtFromAbroad(func(p *nfse.ForeignParty) { p.NIF = "" })},
	{"an intermediary abroad without name", "E0292", broughtFromAbroad(func(p *nfse.ForeignParty) { p.Name = "" })},
	{"an intermediary abroad without street", "E0298", broughtFromAbroad(func(p *nfse.ForeignParty) { p.Street = "" })},
	{"an intermediary abroad in no country", "E0299", broughtFromAbroad(func(p *nfse.ForeignParty) {
		p.Country = "XX"
	})},

	{"rendered in no country", "E0304", then(inAmerica, func(d *declaration) { d.Details.Abroad.Country = "XX" })},
	{"a number without goods", "E0354", then(exported, func(d *declaration) { d.Details.Abroad.ExportRecord = "1" })},
	{"a currency that is none", detailsInvalid, then(exported, func(d *declaration) {
		d.Details.Abroad.Currency = "USD"
	})},
	{"an export that is taxed here", "E0529", then(exported, func(d *declaration) {
		d.Note.Service.NationalTaxCode = new("171001")
	})},
	{"taxed here though it is an export", "E0530", then(inAmerica, func(d *declaration) {
		d.Note.Service.NationalTaxCode, d.Details.Abroad.Export = new("171001"), false
	})},

	{"a work of another service", "E0372", withWork("010701", func(*declaration, *nfse.Work) {})},
	{"half a zip code of the work", "E0380", withWork("070202", func(_ *declaration, w *nfse.Work) {
		w.Registration, w.Address = "", siteAddress()
		w.Address.ZipCode = "2004"
	})},
	{"a Brazilian address of a work abroad", "E0382", withWork("070202", func(d *declaration, w *nfse.Work) {
		inAmerica(d)
		w.Registration, w.Address = "", siteAddress()
	})},
	{"a registration of a work abroad", "E0384", withWork("070202", func(d *declaration, _ *nfse.Work) {
		inAmerica(d)
	})},
	{"an address abroad of a work here", "E0386", withWork("070202", func(_ *declaration, w *nfse.Work) {
		w.Registration, w.Address, w.Foreign = "", siteAddress(), abroadPlace()
	})},
	{"a work abroad, and a form that says nothing is", "E0386", then(workAbroad, func(d *declaration) {
		d.Details.Abroad = &nfse.Abroad{}
	})},
	{"a work by two things", detailsInvalid, withWork("070202", func(_ *declaration, w *nfse.Work) {
		w.CIB = "1234567A"
	})},
	{"an event of another service", "E0392", withEvent(func(d *declaration, _ *nfse.CulturalEvent) {
		d.Note.Service.NationalTaxCode = new("010701")
	})},
	{"half a zip code of the event", "E0398", withEvent(func(_ *declaration, e *nfse.CulturalEvent) {
		e.Identification, e.Address = "", siteAddress()
		e.Address.ZipCode = ""
	})},
	{"a Brazilian address of an event abroad", "E0400", withEvent(func(d *declaration, e *nfse.CulturalEvent) {
		inAmerica(d)
		e.Identification, e.Address = "", siteAddress()
	})},
	{"an identification of an event abroad", "E0402", withEvent(func(d *declaration, _ *nfse.CulturalEvent) {
		inAmerica(d)
	})},
	{"an address abroad of an event here", "E0404", withEvent(func(_ *declaration, e *nfse.CulturalEvent) {
		e.Identification, e.Address, e.Foreign = "", siteAddress(), abroadPlace()
	})},
	{"an event that ends before it begins", detailsInvalid, withEvent(func(_ *declaration, e *nfse.CulturalEvent) {
		e.Through = "2026-11-19"
	})},

	{"a discount of all", "E0431", func(d *declaration) { d.Details.UnconditionalDiscountCents = d.Note.AmountCents }},
	{"a conditional discount below 0", "E0432", func(d *declaration) { d.Details.ConditionalDiscountCents = -1 }},
	{"a deduction above the price", "E0427", deducting(nfse.Deduction{Cents: 15001})},
	{"discount and deduction above the price", "E0427", then(deducting(nfse.Deduction{Cents: 10000}),
		func(d *declaration) { d.Details.UnconditionalDiscountCents = 10000 })},
	{"both discounts above the price", "E0428", func(d *declaration) {
		d.Details.UnconditionalDiscountCents, d.Details.ConditionalDiscountCents = 10000, 10000
	}},
	{"ISS withheld of what is not left", "E0428", func(d *declaration) {
		nationaltest.Inactive(d)
		nationaltest.Withhold(d, 500)
		d.Details.ConditionalDiscountCents = 14500
	}},
	{"a deduction of an immune service", "E0435", then(immune, deducting(nfse.Deduction{Cents: 1}))},
	{"a deduction of an MEI", "E0436", then(nationaltest.Micro, deducting(nfse.Deduction{Cents: 1}))},
	{"a deduction under a special regime", "E0438", then(special, deducting(nfse.Deduction{Cents: 1}))},
	{"a deduction within Simples", "E0441", then(deducting(nfse.Deduction{Cents: 1}), func(d *declaration) {
		nationaltest.Small(d, 1)
	})},
	{"a deduction within Simples, inactive", "E0442", then(nationaltest.Inactive, deducting(nfse.Deduction{Cents: 1}),
		func(d *declaration) { nationaltest.Small(d, 1) })},
	{"a deduction of more than all", "E0453", deducting(nfse.Deduction{Percent: 100_01})},
	{"a deduction in percent of what is discounted", detailsInvalid, then(deducting(nfse.Deduction{Percent: 10_00}),
		func(d *declaration) { d.Details.UnconditionalDiscountCents = 1 })},
	{"too much deducted in percent", "E0444", deducting(nfse.Deduction{Percent: 60_01})},
	{"too much deducted by amount", "E0447", deducting(nfse.Deduction{Cents: 9001})},
	{"too much by documents", "E0429", deducted(func(document *nfse.DeductionDocument) {
		document.DeductibleCents, document.UsedCents = 9001, 9001
	})},
	{"too much at a rate that is sent", "E0447", then(deducting(nfse.Deduction{Cents: 1}), func(d *declaration) {
		nationaltest.Inactive(d)
		d.Note.Service.ISSRate = new(nfse.Rate(200))
	})},
	{"a wrong key of an NFS-e", "E0455", deducted(func(document *nfse.DeductionDocument) {
		document.Other, document.NFSe = "", someKey[:49]+"0"
	})},
	{"a key of an NFS-e that the schema has no place for", detailsInvalid, deducted(
		func(document *nfse.DeductionDocument) {
			document.Other, document.NFSe = "", withCheckDigit(someKey[:20]+"A"+someKey[21:])
		})},
	{"a wrong key of an NF-e", "E0460", deducted(func(document *nfse.DeductionDocument) {
		document.Other, document.NFe = "", "33261144556677000188550010000000011234567892"
	})},
	{"another kind without words", "E0468", deducted(func(document *nfse.DeductionDocument) { document.Kind = 99 })},
	{"words of a known kind", "E0470", deducted(func(document *nfse.DeductionDocument) { document.Description = "x" })},
	{"a document of tomorrow", "E0472", deducted(func(document *nfse.DeductionDocument) {
		document.Issued = "2026-11-22"
	})},
	{"more than the document has", "E0474", deducted(func(document *nfse.DeductionDocument) {
		document.UsedCents = 5001
	})},
	{"documents above the price", "E0476", deducted(func(document *nfse.DeductionDocument) {
		document.DeductibleCents, document.UsedCents = 15001, 15001
	})},
	{"no supplier", "E0477", deducted(func(document *nfse.DeductionDocument) { document.Supplier = nil })},
	{"a kind that is none", detailsInvalid, deducted(func(document *nfse.DeductionDocument) { document.Kind = 10 })},
	{"supplier's CNPJ", "E0478", deducted(func(document *nfse.DeductionDocument) {
		document.Supplier.TaxID = "12345678000196"
	})},
	{"supplier's CPF", "E0484", deducted(func(document *nfse.DeductionDocument) {
		document.Supplier.TaxID = "52998224724"
	})},
	{"a supplier without address", "E0492", deducted(func(document *nfse.DeductionDocument) {
		document.Supplier.Address = nil
	})},
	{"half a city of the supplier's", "E0494", deducted(func(document *nfse.DeductionDocument) {
		document.Supplier.Address.MunicipalityCode = ""
	})},
	{"half a zip code of the supplier's", "E0496", deducted(func(document *nfse.DeductionDocument) {
		document.Supplier.Address.ZipCode = "1"
	})},
	{"a supplier abroad who is nobody", "E1538", suppliedFromAbroad(func(p *nfse.ForeignParty) { p.NIF = "" })},
	{"a supplier abroad without district", "E0498", suppliedFromAbroad(func(p *nfse.ForeignParty) { p.District = "" })},
	{"a supplier abroad in Brazil", "E0499", suppliedFromAbroad(func(p *nfse.ForeignParty) { p.Country = "BR" })},

	{"a special regime of an immune service", "E0172", then(immune, special)},
	{"an immune service that is never taxed", "E0532", then(immune, func(d *declaration) {
		d.Note.Service.NationalTaxCode = new("990101")
	})},
	{"an immune service that is exported", "E0592", then(exported, immune)},
	{"suspended, and exported", "E0585", then(exported, treated(nfse.ISSTreatment{
		Kind: nfse.ISSSuspended, Suspension: 1, Process: strings.Repeat("0", 30),
	}))},
	{"a process of 20 digits", detailsInvalid, treated(nfse.ISSTreatment{
		Kind: nfse.ISSSuspended, Suspension: 1, Process: strings.Repeat("0", 20),
	})},
	{"withheld of an immune service", "E0580", then(immune, func(d *declaration) { nationaltest.Withhold(d, 0) })},
	{"withheld of what is suspended", detailsInvalid, then(func(d *declaration) { nationaltest.Withhold(d, 0) },
		treated(nfse.ISSTreatment{Kind: nfse.ISSSuspended, Suspension: 1, Process: strings.Repeat("0", 30)}))},
	{"a benefit of an export", "E0533", then(exported, benefiting(func(*declaration, *nfse.ISSTreatment) {}))},
	{"a benefit of an MEI", "E0534", benefiting(func(d *declaration, _ *nfse.ISSTreatment) { nationaltest.Micro(d) })},
	{"a benefit under a special regime", "E0535", benefiting(func(d *declaration, _ *nfse.ISSTreatment) {
		special(d)
	})},
	{"a benefit within Simples", "E0536", benefiting(func(d *declaration, _ *nfse.ISSTreatment) {
		nationaltest.Small(d, 1)
	})},
	{"a benefit of an inactive city", "E0537", benefiting(func(d *declaration, _ *nfse.ISSTreatment) {
		nationaltest.Inactive(d)
	})},
	{"a benefit above the price", "E0574", benefiting(func(_ *declaration, iss *nfse.ISSTreatment) {
		iss.BenefitCents = 15001
	})},
	{"a benefit in percent of what is discounted", detailsInvalid, benefiting(
		func(d *declaration, iss *nfse.ISSTreatment) {
			iss.BenefitPercent, d.Details.UnconditionalDiscountCents = 10_00, 1
		})},
	{"a benefit in percent of what is deducted", detailsInvalid, then(deducting(nfse.Deduction{Cents: 1}),
		benefiting(func(_ *declaration, iss *nfse.ISSTreatment) { iss.BenefitPercent = 10_00 }))},
	{"too much by the benefit", "E0575", benefiting(func(_ *declaration, iss *nfse.ISSTreatment) {
		iss.BenefitCents = 9001
	})},
	{"a benefit of more than all", "E0586", benefiting(func(_ *declaration, iss *nfse.ISSTreatment) {
		iss.BenefitPercent = 100_01
	})},
	{"too much by the percentage of the benefit", "E0587", benefiting(func(_ *declaration, iss *nfse.ISSTreatment) {
		iss.BenefitPercent = 60_01
	})},
	{"a benefit of letters", detailsInvalid, benefiting(func(_ *declaration, iss *nfse.ISSTreatment) {
		iss.Benefit = "3304557020000A"
	})},
}

// missingBreaches would break one rule each by what is missing: their notes are held.
var missingBreaches = []groupBreach{
	{"no work", "E0370", func(d *declaration) { d.Note.Service.NationalTaxCode = new("070202") }},
	{"no event", "E0390", func(d *declaration) { d.Note.Service.NationalTaxCode = new("120701") }},
	{"no NBS", "E0318", then(exported, func(d *declaration) { d.Classification = nil })},
	{"no mode", "E0330", then(exported, func(d *declaration) { d.Details.Abroad.Mode = 0 })},
	{"a mode on which the papers disagree", "E0330", then(exported, func(d *declaration) {
		d.Details.Abroad.Mode = 3
	})},
	{"no amount in the currency", "E0330", then(exported, func(d *declaration) { d.Details.Abroad.Currency = "220" })},
	{"no import declaration", "E0352", then(exported, func(d *declaration) { d.Details.Abroad.Goods = 2 })},
	{"no export record", "E0356", then(exported, func(d *declaration) { d.Details.Abroad.Goods = 3 })},
	{"no country of the result", "E0590", then(exported, func(d *declaration) { d.Details.Abroad.ResultCountry = "" })},
	{"no kind of immunity", "E0593", treated(nfse.ISSTreatment{Kind: nfse.ISSImmune})},
	{"no country of a work abroad", "E0384", workAbroad},
	{"no country of an event abroad", "E0402", withEvent(func(_ *declaration, e *nfse.CulturalEvent) {
		e.Identification, e.Address, e.Foreign, e.MunicipalityCode = "", siteAddress(), abroadPlace(), ""
	})},
	{"no process", "E0585", treated(nfse.ISSTreatment{Kind: nfse.ISSSuspended, Suspension: 1})},
}

func TestCheck_RefusesEachGroupBreach(t *testing.T) {
	for _, breach := range groupBreaches {
		d := nationaltest.Declaration()
		breach.change(&d)
		rejection := Check(d)
		switch {
		case rejection == nil:
			t.Errorf("%s is accepted", breach.name)
		case !inPortuguese(rejection.Wording.Reason):
			t.Errorf("%s: %s", breach.name, rejection.Wording.Reason.Portuguese())
		case rejection.Code != breach.code:
			t.Errorf("%s: %s %s, want %s", breach.name, rejection.Code, rejection.Message, breach.code)
		}
	}
}

// inPortuguese reports whether a reason has a word for the field that it names.
func inPortuguese(reason fact.Fact) bool {
	field, named := reason.Arguments["field"].(string)
	return !named || fact.Word("detail", field, true) != field
}

// What is missing can be given: the note waits, and says what for.
func TestChecker_HoldsWhatIsMissing(t *testing.T) {
	for _, breach := range missingBreaches {
		d := nationaltest.Declaration()
		breach.change(&d)
		objection := checker.Check(d, today)
		if objection == nil || objection.Hold.None() || !objection.Untaxed && !objection.Unclassified ||
			!strings.HasPrefix(objection.Hold.English(), breach.code) || !inPortuguese(objection.Hold) {
			t.Errorf("%s is not held by %s: %+v", breach.name, breach.code, objection)
		}
	}
	d := nationaltest.Declaration()
	d.Note.Service.NationalTaxCode, d.Taxation.Work = new("070202"), work()
	if d.Taxation.Work.MunicipalityCode = ""; !checker.Check(d, today).Hold.Is(fact.WorkLacks) {
		t.Error("a work without its city is not held")
	}
}

// What comes close to a rule of a group without breaking it is accepted.
func TestCheck_AcceptsGroups(t *testing.T) {
	for name, change := range map[string]func(d *declaration){
		"an export":              exported,
		"rendered abroad":        inAmerica,
		"a replacement":          replacing(func(*declaration, *nfse.Replaced) {}),
		"an intermediary":        brought(func(i *nfse.Intermediary) { i.WithholdsISS = true }),
		"a taker abroad, taxed":  then(exported, func(d *declaration) { d.Details.Abroad.Export = false }),
		"immune":                 immune,
		"never taxed":            func(d *declaration) { d.Note.Service.NationalTaxCode = new("990101") },
		"a work of construction": withWork("070202", func(*declaration, *nfse.Work) {}),
		"an event":               withEvent(func(*declaration, *nfse.CulturalEvent) {}),
		"the greatest deduction": deducting(nfse.Deduction{Percent: 60_00}),
		"a document":             deducted(func(*nfse.DeductionDocument) {}),
		"less than 2 percent":    then(deducting(nfse.Deduction{Percent: 90_00}), withWork("070202", nothing)),
		"a benefit that exempts": benefiting(func(*declaration, *nfse.ISSTreatment) {}),
		"a discount of a benefit": benefiting(func(d *declaration, _ *nfse.ISSTreatment) {
			d.Details.UnconditionalDiscountCents = 1
		}),
		"ISS withheld at the city's rate, which may be less than the service's": func(d *declaration) {
			nationaltest.Withhold(d, 5_00)
			d.Details.ConditionalDiscountCents = 145_00
		},
		"the customer's work, of another service": func(d *declaration) { d.Taxation.Work = work() },
		"the form takes back what is set": then(deducting(nfse.Deduction{}), func(d *declaration) {
			d.Taxation.Service = &nfse.ServiceTaxation{Deduction: 99_00, ISS: &nfse.ISSTreatment{Kind: "odd"}}
			d.Details.ISS = &nfse.ISSTreatment{}
		}),
	} {
		d := nationaltest.Declaration()
		change(&d)
		if objection := checker.Check(d, today); objection != nil {
			t.Errorf("%s: %+v %+v", name, objection, objection.Rejection)
		}
	}
}

func nothing(*declaration, *nfse.Work) {}

func withCheckDigit(key string) string { return key[:49] + string(schema.CheckDigit(key[:49])) }
