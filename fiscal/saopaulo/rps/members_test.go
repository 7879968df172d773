package rps_test

import (
	"reflect"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/saopaulo/rps"
	"emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse"
)

// fate is what becomes of a member of what a note has beyond the API: it is in the message, or the
// note is refused before a number is taken, or its own members are looked at, or it is nothing
// that any document states.
type fate struct {
	set     func(*fiscal.Declaration)
	sent    string // what of the message it gives
	refused string // the code by which it is refused
	group   bool
	unsaid  string // why no document states it
}

func sent(element string, set func(*fiscal.Declaration)) fate { return fate{set: set, sent: element} }

func refused(set func(*fiscal.Declaration)) fate {
	return fate{set: set, refused: "group_not_in_layout"}
}

func withheld(change func(*nfse.Withholding)) func(*fiscal.Declaration) {
	return func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{Withholding: &nfse.Withholding{}}
		change(d.Taxation.Service.Withholding)
	}
}

func worked(change func(*nfse.Work)) func(*fiscal.Declaration) {
	return func(d *fiscal.Declaration) {
		d.Details.Work = &nfse.Work{Registration: "900012345678"}
		change(d.Details.Work)
	}
}

func shown(change func(*nfse.CulturalEvent)) func(*fiscal.Declaration) {
	return func(d *fiscal.Declaration) {
		d.Details.Event = saopaulotest.Event()
		change(d.Details.Event)
	}
}

func abroad(change func(*nfse.ForeignParty)) func(*fiscal.Declaration) {
	return func(d *fiscal.Declaration) {
		d.Details.ForeignTaker = saopaulotest.ForeignTaker()
		change(d.Details.ForeignTaker)
	}
}

// trade is of a service that is exported.
func trade(change func(*nfse.Abroad)) func(*fiscal.Declaration) {
	return func(d *fiscal.Declaration) {
		d.Details.Abroad = &nfse.Abroad{Export: true, Mode: 1}
		change(d.Details.Abroad)
	}
}

func between(change func(*nfse.Intermediary)) func(*fiscal.Declaration) {
	return func(d *fiscal.Declaration) {
		d.Details.Intermediary = saopaulotest.Intermediary()
		change(d.Details.Intermediary)
	}
}

var (
	group       = fate{group: true}
	ofRegister  = fate{unsaid: "it is the register's"}
	ofRegisters = fate{unsaid: "the city and the federal registers know it by the tax id"}
)

// fates has every member by its type and name.
var fates = map[string]fate{
	"Taxation.Service": group, "Taxation.Customer": group, "Taxation.Work": group, "Taxation.Event": group,

	"ServiceTaxation.Withholding":   group,
	"ServiceTaxation.MunicipalCode": fate{unsaid: "it is of cities that take the national declaration"},
	"ServiceTaxation.ISS": refused(func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{ISS: &nfse.ISSTreatment{Kind: nfse.ISSSuspended}}
	}),
	"ServiceTaxation.Deduction": sent("<ValorDeducoes>600.00<", func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{Deduction: 40_00}
	}),
	"ServiceTaxation.Abroad": sent("<cPaisPrestacao>US<", func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{Abroad: &nfse.Abroad{Country: "US"}}
	}),
	"ServiceTaxation.WorkID": sent("<CodigoCEI>900012345678<", func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{WorkID: "work_1"}
		d.Taxation.Work = &nfse.Work{ID: "work_1", Registration: "900012345678"}
	}),
	"ServiceTaxation.EventID": sent("<xNomeEvt>Festival<", func(d *fiscal.Declaration) {
		d.Taxation.Service, d.Taxation.Event = &nfse.ServiceTaxation{EventID: "cultural_1"}, saopaulotest.Event()
	}),

	"CustomerTaxation.Withholds": sent("<ValorIR>0<", func(d *fiscal.Declaration) {
		withheld(func(w *nfse.Withholding) { w.IRRF = 1_50 })(d)
		d.Taxation.Customer = &nfse.CustomerTaxation{Withholds: nfse.WithholdsNothing}
	}),
	"CustomerTaxation.Withholding": sent("<ValorIR>18.00<", func(d *fiscal.Declaration) {
		d.Taxation.Customer = &nfse.CustomerTaxation{
			Withholds: nfse.WithholdsItsOwn, Withholding: &nfse.Withholding{IRRF: 1_20},
		}
	}),
	"CustomerTaxation.Simples": sent("<ValorCSLL>0<", func(d *fiscal.Declaration) {
		withheld(func(w *nfse.Withholding) { w.CSLL = 1_00 })(d)
		d.Taxation.Customer = &nfse.CustomerTaxation{Simples: true}
	}),
	"CustomerTaxation.WorkID": sent("<CodigoCEI>900012345678<", func(d *fiscal.Declaration) {
		d.Note.Service.NationalTaxCode = new("070201")
		d.Taxation.Customer = &nfse.CustomerTaxation{WorkID: "work_1"}
		d.Taxation.Work = &nfse.Work{ID: "work_1", Registration: "900012345678"}
	}),

	"Withholding.IRRF":   sent("<ValorIR>22.50<", withheld(func(w *nfse.Withholding) { w.IRRF = 1_50 })),
	"Withholding.PIS":    sent("<ValorPIS>15.00<", withheld(func(w *nfse.Withholding) { w.PIS = 1_00 })),
	"Withholding.COFINS": sent("<ValorCOFINS>45.00<", withheld(func(w *nfse.Withholding) { w.COFINS = 3_00 })),
	"Withholding.CSLL":   sent("<ValorCSLL>15.00<", withheld(func(w *nfse.Withholding) { w.CSLL = 1_00 })),
	"Withholding.INSS":   sent("<ValorINSS>165.00<", withheld(func(w *nfse.Withholding) { w.INSS = 11_00 })),
	"Withholding.INSSBase": sent("<ValorINSS>82.50<", withheld(func(w *nfse.Withholding) {
		w.INSS, w.INSSBase = 11_00, 50_00
	})),

	"Work.ID": ofRegister, "Work.Name": ofRegister,
	"Work.Registration":      sent("<CodigoCEI>900012345678<", worked(func(*nfse.Work) {})),
	"Work.CIB":               refused(worked(func(w *nfse.Work) { w.CIB = "1234567A" })),
	"Work.PropertyNumber":    refused(worked(func(w *nfse.Work) { w.PropertyNumber = "1" })),
	"Work.Address":           refused(worked(func(w *nfse.Work) { w.Address = &nfse.PropertyAddress{} })),
	"Work.Foreign":           refused(worked(func(w *nfse.Work) { w.Foreign = &nfse.ForeignPlace{} })),
	"Work.TechnicalDocument": refused(worked(func(w *nfse.Work) { w.TechnicalDocument = "ART 1" })),
	"Work.MunicipalityCode": sent("<cLocPrestacao>3550308<", worked(func(w *nfse.Work) {
		w.MunicipalityCode = "3550308"
	})),

	"CulturalEvent.ID":      ofRegister,
	"CulturalEvent.Name":    sent("<xNomeEvt>Show<", shown(func(e *nfse.CulturalEvent) { e.Name = "Show" })),
	"CulturalEvent.From":    sent("<dtIniEvt>2026-11-20<", shown(func(*nfse.CulturalEvent) {})),
	"CulturalEvent.Through": sent("<dtFimEvt>2026-11-21<", shown(func(*nfse.CulturalEvent) {})),
	"CulturalEvent.Address": sent("<xLgr>Avenida Paulista<", shown(func(*nfse.CulturalEvent) {})),
	"CulturalEvent.Foreign": refused(shown(func(e *nfse.CulturalEvent) { e.Foreign = &nfse.ForeignPlace{} })),
	"CulturalEvent.Identification": refused(shown(func(e *nfse.CulturalEvent) {
		e.Identification = "1"
	})),
	"CulturalEvent.MunicipalityCode": sent("<cLocPrestacao>3550308<", shown(func(e *nfse.CulturalEvent) {
		e.MunicipalityCode = "3550308"
	})),

	"NoteDetails.UnconditionalDiscountCents": refused(func(d *fiscal.Declaration) {
		d.Details.UnconditionalDiscountCents = 1
	}),
	"NoteDetails.ConditionalDiscountCents": refused(func(d *fiscal.Declaration) {
		d.Details.ConditionalDiscountCents = 1
	}),
	"NoteDetails.Deduction": group, "NoteDetails.Withholding": group, "NoteDetails.Work": group,
	"NoteDetails.Event": group, "NoteDetails.ForeignTaker": group, "NoteDetails.Intermediary": group,
	"NoteDetails.ISS": refused(func(d *fiscal.Declaration) {
		d.Details.ISS = &nfse.ISSTreatment{Kind: nfse.ISSBenefit}
	}),
	"NoteDetails.Abroad": group,
	"NoteDetails.Replaces": refused(func(d *fiscal.Declaration) {
		d.Details.Replaces = &nfse.Replaced{}
	}),

	"Abroad.Export":            sent("<TributacaoRPS>P<", trade(func(*nfse.Abroad) {})),
	"Abroad.Country":           sent("<cPaisPrestacao>PT<", trade(func(a *nfse.Abroad) { a.Country = "PT" })),
	"Abroad.ResultCountry":     refused(trade(func(a *nfse.Abroad) { a.ResultCountry = "PT" })),
	"Abroad.Mode":              {unsaid: "the form asks for it, and the layout has no foreign trade"},
	"Abroad.Relationship":      refused(trade(func(a *nfse.Abroad) { a.Relationship = 1 })),
	"Abroad.Currency":          refused(trade(func(a *nfse.Abroad) { a.Currency = "220" })),
	"Abroad.AmountCents":       refused(trade(func(a *nfse.Abroad) { a.AmountCents = 1 })),
	"Abroad.ProviderMechanism": refused(trade(func(a *nfse.Abroad) { a.ProviderMechanism = "01" })),
	"Abroad.TakerMechanism":    refused(trade(func(a *nfse.Abroad) { a.TakerMechanism = "01" })),
	"Abroad.Goods":             refused(trade(func(a *nfse.Abroad) { a.Goods = 1 })),
	"Abroad.ImportDeclaration": refused(trade(func(a *nfse.Abroad) { a.ImportDeclaration = "1" })),
	"Abroad.ExportRecord":      refused(trade(func(a *nfse.Abroad) { a.ExportRecord = "1" })),
	"Abroad.ToMinistry":        refused(trade(func(a *nfse.Abroad) { a.ToMinistry = true })),
	"Abroad.NoForeignCurrency": {unsaid: "the layout has no contributions of the issuer's own"},

	"Deduction.Percent": sent("<ValorDeducoes>150.00<", func(d *fiscal.Declaration) {
		d.Details.Deduction = &nfse.Deduction{Percent: 10_00}
	}),
	"Deduction.Cents": sent("<ValorDeducoes>0.01<", func(d *fiscal.Declaration) {
		d.Details.Deduction = &nfse.Deduction{Cents: 1}
	}),
	"Deduction.Documents": refused(func(d *fiscal.Declaration) {
		d.Details.Deduction = &nfse.Deduction{Documents: []nfse.DeductionDocument{{UsedCents: 1}}}
	}),

	"ForeignParty.NIF":          sent("<NIF>US-77<", abroad(func(*nfse.ForeignParty) {})),
	"ForeignParty.NoNIF":        sent("<NaoNIF>2<", abroad(func(f *nfse.ForeignParty) { f.NIF, f.NoNIF = "", 2 })),
	"ForeignParty.Name":         sent("<RazaoSocialTomador>Example Inc<", abroad(func(*nfse.ForeignParty) {})),
	"ForeignParty.Country":      sent("<cPais>FR<", abroad(func(f *nfse.ForeignParty) { f.Country = "FR" })),
	"ForeignParty.ForeignPlace": group,
	"ForeignPlace.PostalCode":   sent("<cEndPost>10001<", abroad(func(*nfse.ForeignParty) {})),
	"ForeignPlace.City":         sent("<xCidade>New York<", abroad(func(*nfse.ForeignParty) {})),
	"ForeignPlace.Region":       sent("<xEstProvReg>NY<", abroad(func(*nfse.ForeignParty) {})),
	"ForeignParty.Street":       sent("<Logradouro>5th Avenue<", abroad(func(*nfse.ForeignParty) {})),
	"ForeignParty.Number":       sent("<NumeroEndereco>1<", abroad(func(*nfse.ForeignParty) {})),
	"ForeignParty.Complement": sent("<ComplementoEndereco>2F<", abroad(func(f *nfse.ForeignParty) {
		f.Complement = "2F"
	})),
	"ForeignParty.District": sent("<Bairro>Manhattan<", abroad(func(*nfse.ForeignParty) {})),

	"Intermediary.Party": group,
	"Intermediary.WithholdsISS": sent("<ISSRetidoIntermediario>true<", between(func(i *nfse.Intermediary) {
		i.WithholdsISS = true
	})),
	"Party.TaxID": sent("<CPFCNPJIntermediario><CNPJ>33444555000181<", between(func(*nfse.Intermediary) {})),
	"Party.Foreign": refused(between(func(i *nfse.Intermediary) {
		i.TaxID, i.Foreign = "", saopaulotest.ForeignTaker()
	})),
	"Party.Name": ofRegisters, "Party.Address": ofRegisters,
}

// Nothing of what a note has beyond the API is dropped in silence: a member of it that is added
// needs its word here.
func TestSignDeclaration_NothingIsDropped(t *testing.T) {
	seen := map[string]bool{}
	lookAt(t, reflect.TypeFor[nfse.Taxation](), seen)
	lookAt(t, reflect.TypeFor[nfse.NoteDetails](), seen)
	for name := range fates {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

func lookAt(t *testing.T, structure reflect.Type, seen map[string]bool) {
	for member := range structure.Fields() {
		name := structure.Name() + "." + member.Name
		fate, known := fates[name]
		switch {
		case seen[name]:
			continue
		case !known:
			t.Errorf("whether %s is sent or refused is not said", name)
		case fate.group:
			inner := member.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			seen[name] = true
			lookAt(t, inner, seen)
		case fate.unsaid == "":
			t.Run(name, fate.check)
		}
		seen[name] = true
	}
}

func (f fate) check(t *testing.T) {
	d := saopaulotest.Declaration()
	f.set(&d)
	objection := rules.Check(d)
	if f.refused != "" {
		if objection == nil || objection.Rejection == nil || objection.Rejection.Code != f.refused {
			t.Errorf("%+v", objection)
		}
		return
	}
	if objection != nil {
		t.Fatalf("%+v %+v", objection, objection.Rejection)
	}
	message, err := rps.Signer{}.SignDeclaration(d, nationaltest.Credentials(t), saopaulotest.At)
	if err != nil || !strings.Contains(string(message.XML), f.sent) {
		t.Errorf("%v\n%s", err, message.XML)
	}
}
