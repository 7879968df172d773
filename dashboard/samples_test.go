package dashboard

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/nationaltest"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
)

// typed are fields of a form: names, each followed by what is typed.
type typed []string

func (t typed) values() map[string]string {
	values := map[string]string{}
	for i := 0; i < len(t); i += 2 {
		values[t[i]] = t[i+1]
	}
	return values
}

// way is what people type, and where, so that a note has a group of the DPS.
type way struct {
	code        string // national tax code of the service; empty: that of most samples
	form        typed  // of the note
	service     typed  // on its page of taxation
	customer    typed  // on its page of taxation: what it withholds itself
	work, event typed  // of the registers
	chosen      bool   // the form names work and event, and not service or customer
	also        func(*testing.T, *fiscal.Declaration)
}

var (
	siteAddress = typed{"municipality_code", "3304557", "zip_code", "20040-002", "street", "Rua da Assembleia",
		"number", "10", "district", "Centro"}
	typedEvent = slices.Concat(typed{"name", "Festival de Teste", "from", "2026-11-20", "through", "2026-11-22"},
		siteAddress)
	typedWork  = slices.Concat(typed{"name", "Casa"}, siteAddress)
	typedCNO   = typed{"name", "Casa", "municipality_code", "3304557", "registration", "90.001.23456/78"}
	typedTaker = typed{"foreign_name", "Acme Inc", "foreign_nif", "98-7654321", "foreign_country", "us",
		"foreign_postal_code", "94105", "foreign_city", "San Francisco", "foreign_region", "CA",
		"foreign_street", "Market Street", "foreign_number", "1", "foreign_district", "SoMa"}
	typedMaterials = typed{"deduction", "documents", "document_1_key", "33261144556677000188550010000000011234567897",
		"document_1_kind", "2", "document_1_issued", "2026-11-03", "document_1_deductible", "4.000,00",
		"document_1_used", "4.000,00"}
	typedIntermediary = typed{"intermediary_tax_id", "12.345.678/0001-95", "intermediary_name", "Plataforma SA",
		"intermediary_withholds", "on", "intermediary_municipality_code", "3304557",
		"intermediary_zip_code", "20040-002", "intermediary_street", "Rua da Assembleia",
		"intermediary_number", "20", "intermediary_district", "Centro"}

	immune     = typed{"iss", "immune", "iss_immunity", "3"}
	suspended  = typed{"iss", "suspended", "iss_suspension", "1", "iss_process", "0800123-45.2025.8.19.0001"}
	benefit    = typed{"iss", "benefit", "iss_benefit", "33045570200001", "iss_benefit_percent", "40"}
	consulting = typed{"irrf", "1,5", "pis", "0,65", "cofins", "3", "csll", "1"}
	labour     = typed{"inss", "11", "inss-base", "60"}
)

// trade is what is typed of a service that has to do with another country.
func trade(words ...string) typed {
	return append(words, "abroad_mode", "1", "abroad_currency", "220", "abroad_amount", "2.000,00")
}

// withheld is what is typed into the form of a note of what its taker withholds.
func withheld(rates typed) typed { return append(typed{"withheld", "own"}, rates...) }

// waysToSamples are all ways to each sample of a group.
var waysToSamples = map[string][]way{
	"benefit-percent": {{form: benefit}, {service: benefit}},
	"deduction-percent": {
		{code: "171001", form: typed{"deduction", "percent", "deduction_percent", "40"}},
		{code: "171001", service: typed{"deduction_percent", "40"}},
	},
	"deduction-value": {{code: "040301", form: typed{"deduction", "amount", "deduction_amount", "2.500,00"}}},
	"discounts":       {{form: typed{"discount_unconditional", "500", "discount_conditional", "200,00"}}},
	"event":           {{code: "120701", event: typedEvent}, {code: "120701", event: typedEvent, chosen: true}},
	"export-abroad": {
		{form: slices.Concat(typedTaker, trade("abroad", "export", "abroad_country", "us")), also: classified},
		{form: typedTaker, service: trade("abroad", "export", "abroad_country", "US"), also: classified},
	},
	"export-place-brazil": {
		{form: slices.Concat(typedTaker, trade("abroad", "export", "abroad_result_country", "US")), also: classified},
		{form: typedTaker, service: trade("abroad", "export", "abroad_result_country", "us"), also: classified},
	},
	"foreign-taker-taxed": {
		{form: slices.Concat(typedTaker, trade("abroad", "taxed")), also: classified},
		{form: typedTaker, service: trade("abroad", "taxed"), also: classified},
	},
	"immunity":               {{form: immune}, {service: immune}},
	"intermediary-withholds": {{form: typedIntermediary}},
	"rental-990101":          {{code: "990101"}},
	"simples-iss-withheld":   {{also: withheldWithinSimples}},
	"substitution":           {{also: replaced}},
	"suspended":              {{form: suspended}, {service: suspended}},
	"withheld-csll-only-2027": {
		{form: withheld(typed{"csll", "1"})}, {service: typed{"csll", "1"}}, {customer: typed{"csll", "1"}},
	},
	"withheld-csrf-irrf-iss": {
		{form: withheld(consulting), also: withheldOutsideSimples},
		{service: consulting, also: withheldOutsideSimples},
		{customer: consulting, service: labour, also: withheldOutsideSimples},
	},
	"withheld-inss-material": {
		{code: "070201", form: slices.Concat(typedMaterials, withheld(labour)), work: typedCNO, chosen: true},
		{code: "070201", form: typedMaterials, service: labour, work: typedCNO},
	},
	"works-address": {{code: "070501", work: typedWork}, {code: "070501", work: typedWork, chosen: true}},
}

// classified gives the service the NBS code of the samples.
func classified(_ *testing.T, d *fiscal.Declaration) {
	d.Classification = nationaltest.Classification()
}

// withheldWithinSimples is of a company in Simples whose profile has the rate of the month before.
func withheldWithinSimples(t *testing.T, d *fiscal.Declaration) {
	t.Helper()
	nationaltest.Small(d, 1)
	d.Note.ISSWithheld = true
	rates, err := company.ChangeSimplesRates(nil, []string{"2026-10=2.01"})
	if err != nil {
		t.Fatal(err)
	}
	d.Issuer.SimplesRates = rates
}

// withheldOutsideSimples is of a company that states its own contributions.
func withheldOutsideSimples(t *testing.T, d *fiscal.Declaration) {
	t.Helper()
	own, err := company.ParseOwnContributions(company.CumulativeContributions)
	if err != nil {
		t.Fatal(err)
	}
	d.Note.ISSWithheld, d.Issuer.OwnContributions = true, own
}

// replaced is a note of another description.
func replaced(t *testing.T, d *fiscal.Declaration) {
	t.Helper()
	national, _ := authorities.Named("national")
	d.Details.Replaces = &nfse.Replaced{
		AccessKey: "33045572211222333000181000000000004226111234567892", ReasonCode: "99",
		ReasonText: "Descricao do servico corrigida", Original: national.Replacement.Original(*d),
	}
}

// Every sample of a group is made of what people type: in the form of a note, or on the pages of
// service, customer, registers and profile. docs/fiscal.md says of each where.
func TestSamples_OfWhatIsTyped(t *testing.T) {
	samples := nationaltest.GroupSamples(t)
	told, err := os.ReadFile("../docs/fiscal.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(told), "\n| group | where it is set |")
	for name, want := range samples {
		if !strings.Contains(table, name) {
			t.Errorf("docs/fiscal.md has no row with the sample %s", name)
		}
		if len(waysToSamples[name]) == 0 {
			t.Errorf("there is no way to the sample %s", name)
		}
		for _, one := range waysToSamples[name] {
			declaration := one.declaration(t, name)
			at := declaration.Note.Competence.Begin().Add(15 * time.Hour)
			message, err := dps.Signer{}.SignDeclaration(declaration, nationaltest.Credentials(t), at)
			if err != nil {
				t.Errorf("%s, by %+v: %v", name, one, err)
			} else if got := nationaltest.Elements(t, message.XML); got != want {
				t.Errorf("%s, by %+v:\n%s\nwant\n%s", name, one, got, want)
			}
		}
	}
}

// declaration reads what is typed as the pages do.
func (w way) declaration(t *testing.T, name string) fiscal.Declaration {
	t.Helper()
	d := nationaltest.OfSamples()
	if w.code != "" {
		d.Note.Service.NationalTaxCode = &w.code
	}
	good := func(f *frame.Form) {
		t.Helper()
		if !f.Good() {
			t.Fatalf("%s, by %+v: %+v is wrong", name, w, f.Problems())
		}
	}
	noted, service, customer := frame.FormOf(w.form.values()), frame.FormOf(w.service.values()),
		frame.FormOf(w.customer.values())
	var err error
	if d.Details, err = notepages.Details((&frame.Request{D: &frame.Dashboard{}}), noted,
		nfse.NoteDetails{}); err != nil {
		t.Fatal(err)
	}
	good(noted)
	set := nfse.ServiceTaxation{Withholding: cataloguepages.ReadWithholding(service)}
	service.WrongGroups(catalogue.ReadServiceTaxation(&set, service.Plain()))
	good(service)
	d.Taxation.Service = &set
	if own := cataloguepages.ReadWithholding(customer); own != nil {
		d.Taxation.Customer = &nfse.CustomerTaxation{Withholds: nfse.WithholdsItsOwn, Withholding: own}
	}
	good(customer)
	work, event := &d.Taxation.Work, &d.Taxation.Event
	if w.chosen {
		work, event = &d.Details.Work, &d.Details.Event
	}
	if w.work != nil {
		*work = registered(t, catalogue.ReadWork, w.work)
	}
	if w.event != nil {
		*event = registered(t, catalogue.ReadCulturalEvent, w.event)
	}
	if w.also != nil {
		w.also(t, &d)
	}
	return d
}

// registered is a record of a register as it is read from what is typed.
func registered[T any](t *testing.T, read func(map[string]string) (T, []*nfse.Error), from typed) *T {
	t.Helper()
	record, problems := read(from.values())
	if problems != nil {
		t.Fatalf("%v: %v", from, problems)
	}
	return &record
}
