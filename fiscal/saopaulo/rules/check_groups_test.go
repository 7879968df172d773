package rules_test

import (
	"maps"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse"
)

func init() { maps.Copy(broken, brokenGroups) }

// brokenGroups are declarations whose form or settings break a rule.
var brokenGroups = map[string]struct {
	change func(*fiscal.Declaration)
	code   string
	hold   string
}{
	"304": {func(d *fiscal.Declaration) {
		d.Details.Deduction = &nfse.Deduction{Cents: d.Note.AmountCents}
	}, "304", ""},
	"305": {func(d *fiscal.Declaration) { d.Details.Deduction = &nfse.Deduction{Cents: -1} }, "305", ""},
	"505": {func(d *fiscal.Declaration) { intermediary(d).TaxID = "99888777000101" }, "505", ""},
	"1419": {func(d *fiscal.Declaration) {
		intermediary(d)
		d.Note.ISSWithheld = true
	}, "1419", ""},
	"1616 of an intermediary": {func(d *fiscal.Declaration) {
		intermediary(d).TaxID, d.Details.Intermediary.WithholdsISS = "52998224725", true
	}, "1616", ""},
	"1229": {func(d *fiscal.Declaration) { d.Details.Work = &nfse.Work{Registration: "900012345679"} }, "1229", ""},
	"243":  {func(d *fiscal.Declaration) { foreign(d).NoNIF = 1 }, "243", ""},
	"254":  {func(d *fiscal.Declaration) { foreign(d).Country = "" }, "254", ""},
	"255":  {func(d *fiscal.Declaration) { foreign(d).Country = "usa" }, "255", ""},
	"256":  {func(d *fiscal.Declaration) { foreign(d).Country = "BR" }, "256", ""},
	"266":  {func(d *fiscal.Declaration) { d.Details.Abroad = &nfse.Abroad{Country: "U1"} }, "266", ""},
	"267":  {func(d *fiscal.Declaration) { d.Details.Abroad = &nfse.Abroad{Country: "BR"} }, "267", ""},
	"1228": {func(d *fiscal.Declaration) {
		d.Note.Customer.TaxID, d.Note.ISSWithheld = "33444555000181", true
		d.Details.Abroad = &nfse.Abroad{Export: true, Mode: 1}
	}, "1228", ""},
	"257": {func(d *fiscal.Declaration) { foreign(d).Region = "" }, "257", ""},
	"258": {func(d *fiscal.Declaration) { foreign(d).City = "漢" }, "258", ""},
	"259": {func(d *fiscal.Declaration) { foreign(d).PostalCode = "123456789012" }, "259", ""},
	"262": {func(d *fiscal.Declaration) { foreign(d).NIF, d.Details.ForeignTaker.NoNIF = "", 3 }, "262", ""},
	"311 of a taker abroad": {func(d *fiscal.Declaration) {
		foreign(d)
		d.Note.ISSWithheld = true
	}, "311", ""},
	"601": {func(d *fiscal.Declaration) { event(d).Name = " " }, "601", ""},
	"602": {func(d *fiscal.Declaration) { event(d).From = "" }, "602", ""},
	"603": {func(d *fiscal.Declaration) { event(d).Through = "2026" }, "603", ""},
	"627": {func(d *fiscal.Declaration) { event(d).Through = "2026-11-19" }, "627", ""},
	"group_not_in_layout": {func(d *fiscal.Declaration) {
		d.Details.ConditionalDiscountCents = 1
	}, "group_not_in_layout", ""},
	"work elsewhere": {func(d *fiscal.Declaration) {
		d.Details.Work = &nfse.Work{Registration: "900012345678", MunicipalityCode: "3304557"}
	}, "group_not_in_layout", ""},
	"event elsewhere": {func(d *fiscal.Declaration) {
		event(d).MunicipalityCode = "3304557"
	}, "group_not_in_layout", ""},
	"event in the city of a service abroad": {func(d *fiscal.Declaration) {
		event(d)
		d.Details.Abroad = &nfse.Abroad{Country: "US"}
	}, "group_not_in_layout", ""},
	"event without a street": {func(d *fiscal.Declaration) {
		event(d).Address.Street = ""
	}, "group_not_in_layout", ""},
	"closed work": {func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{WorkID: "work_1"}
	}, "", "work_1, which is set for the customer or the service, is closed"},
	"closed work of the customer": {func(d *fiscal.Declaration) {
		d.Note.Service.NationalTaxCode = new("070201")
		d.Taxation.Customer = &nfse.CustomerTaxation{WorkID: "work_1"}
	}, "", "work_1, which is set for the customer or the service, is closed"},
	"closed event": {func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{EventID: "cultural_1"}
	}, "", "cultural_1, which is set for the service, is closed"},
}

func intermediary(d *fiscal.Declaration) *nfse.Intermediary {
	d.Details.Intermediary = saopaulotest.Intermediary()
	return d.Details.Intermediary
}

func foreign(d *fiscal.Declaration) *nfse.ForeignParty {
	d.Details.ForeignTaker = saopaulotest.ForeignTaker()
	return d.Details.ForeignTaker
}

func event(d *fiscal.Declaration) *nfse.CulturalEvent {
	d.Details.Event = saopaulotest.Event()
	return d.Details.Event
}

// What cannot be sent is said in both languages, and names no code alone.
func TestCheck_NotInLayoutIsSaid(t *testing.T) {
	for name, change := range map[string]func(*fiscal.Declaration){
		"discount": func(d *fiscal.Declaration) { d.Details.UnconditionalDiscountCents = 1 },
		"document": func(d *fiscal.Declaration) {
			d.Details.Deduction = &nfse.Deduction{Documents: []nfse.DeductionDocument{{}}}
		},
		"letter": func(d *fiscal.Declaration) {
			d.Taxation.Service = &nfse.ServiceTaxation{ISS: &nfse.ISSTreatment{Kind: nfse.ISSImmune}}
		},
		"export": func(d *fiscal.Declaration) {
			d.Taxation.Service = &nfse.ServiceTaxation{Abroad: &nfse.Abroad{Export: true, Currency: "220"}}
		},
		"replace": func(d *fiscal.Declaration) { d.Details.Replaces = &nfse.Replaced{} },
		"CNO":     func(d *fiscal.Declaration) { d.Details.Work = &nfse.Work{CIB: "1234567A"} },
		"CPF or CNPJ": func(d *fiscal.Declaration) {
			d.Details.Intermediary = &nfse.Intermediary{Party: nfse.Party{Foreign: saopaulotest.ForeignTaker()}}
		},
	} {
		d := saopaulotest.Declaration()
		change(&d)
		objection := rules.Check(d)
		if objection == nil || objection.Rejection == nil || objection.Rejection.Code != "group_not_in_layout" ||
			!strings.Contains(objection.Rejection.Message, name) {
			t.Errorf("%s: %+v", name, objection)
		}
	}
}

// A customer's work is taken where the service is for works: other services of the customer name
// none.
func TestWorkOf(t *testing.T) {
	work := &nfse.Work{ID: "work_1", Registration: "900012345678"}
	d := saopaulotest.Declaration()
	d.Taxation = nfse.Taxation{Customer: &nfse.CustomerTaxation{WorkID: "work_1"}, Work: work}
	if rules.WorkOf(d) != nil {
		t.Error("a service that is not for works names one")
	}
	d.Taxation.Service = &nfse.ServiceTaxation{WorkID: "work_2"}
	if rules.WorkOf(d) != work {
		t.Error("the customer's work does not go before the service's")
	}
	d.Taxation.Service = nil
	d.Note.Service.NationalTaxCode = new("070201")
	if rules.WorkOf(d) != work {
		t.Error("a service of a code for works names none")
	}
}
