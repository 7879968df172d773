package rules_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
	"emissor/test/long"
)

func TestCheck_AcceptsWhatIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		declaration := nationaltest.DrawDeclaration(t)
		if declaration.Classification == nil {
			declaration.Classification = nationaltest.Classification()
			declaration.Classification.CIndOp = "050201" // at no taker's address
			if strings.Contains("1005 1509 1712 2505", (*declaration.Note.Service.NationalTaxCode)[:4]) {
				declaration.Classification.TpOper = new(5)
			}
		}
		nationaltest.OnDay(&declaration, rapid.SampledFrom(days).Draw(t, "day"))
		if objection := checker.Check(declaration, days[len(days)-1]); objection != nil {
			t.Fatalf("refused: %+v %+v\n%+v", objection, objection.Rejection, declaration)
		}
	})
}

// days are of competence: before and after the group is required of everybody.
var days = []nfse.Day{"2026-11-21", "2026-12-31", "2027-01-01", "2030-06-30"}

// checker checks by what is built in, and requires the group from within the moments
// that specimens are of.
var checker = rules.Checker{
	IBSCBS: taxation.IBSCBS{RequiredFrom: "2026-11-26"}, Tables: classification.NewEditions().On,
}

// drawJunk is text that a caller, or a broken database, could hold.
func drawJunk(t *rapid.T) string {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[0-9A-Za-z .\-]{0,20}`),
		rapid.StringMatching(`[0-9]{5,16}`),
		rapid.SampledFrom([]string{
			"", " ", "\n", "\x00", "\u00a0", "\u2603", "\U0001F600", "\u2026", "\ufffd", "\xff", "<a>&\"'", "]]>",
			" a ", "a\r\nb", "\u200b", strings.Repeat("x", 5000), strings.Repeat("\u2026", 900),
			strings.Repeat("\u00e3 ", 200), strings.Repeat("\u00df", 256),
		}),
	).Draw(t, "junk")
}

// drawCorrupted is a valid declaration of which one datum was replaced.
func drawCorrupted(t *rapid.T) fiscal.Declaration {
	d := nationaltest.DrawDeclaration(t)
	var (
		junk    = func() string { return drawJunk(t) }
		maybe   = func() *string { return rapid.Ptr(rapid.Just(drawJunk(t)), true).Draw(t, "maybe") }
		number  = func() int { return rapid.IntRange(-2, 60000).Draw(t, "number") }
		percent = func() nfse.Percent { return nfse.Percent(rapid.IntRange(-1, 10002).Draw(t, "percent")) }
		address = &d.Note.Customer.Address
		taxes   = &d.Issuer.ApproximateTaxes
	)
	corruptions := []func(){
		func() { d.Issuer.TaxID = nfse.TaxID(junk()) },
		func() { d.Issuer.MunicipalityCode = junk() },
		func() { d.Issuer.MunicipalRegistration = maybe() },
		func() { d.Issuer.SendMunicipalRegistration = !d.Issuer.SendMunicipalRegistration },
		func() { d.Issuer.Simples = nfse.SimplesOption(rapid.IntRange(-1, 5).Draw(t, "simples")) },
		func() { d.Issuer.SimplesRegime = rapid.Ptr(rapid.IntRange(-1, 5), true).Draw(t, "regime") },
		func() { d.Issuer.SpecialRegime = rapid.IntRange(-1, 11).Draw(t, "special") },
		func() { d.Issuer.Series = number() },
		func() { taxes.Federal = percent() },
		func() { taxes.State = percent() },
		func() { taxes.Municipal = percent() },
		func() { taxes.Simples = percent() },
		func() {
			d.Issuer.InactiveMunicipalities = []string{d.Note.Service.MunicipalityCode, d.Issuer.MunicipalityCode}
		},
		func() { d.Issuer.InactiveMunicipalities = []string{junk()} },
		func() { d.Note.AmountCents = rapid.Int64().Draw(t, "amount") },
		func() { d.Note.ISSWithheld = !d.Note.ISSWithheld },
		func() { d.Note.Service.Description = junk() },
		func() { d.Note.Service.MunicipalityCode = junk() },
		func() { d.Note.Service.NationalTaxCode = maybe() },
		func() { d.Note.Service.MunicipalTaxCode = maybe() },
		func() { d.Note.Service.ISSRate = rapid.Ptr(rapid.Just(nfse.Rate(number())), true).Draw(t, "rate") },
		func() { d.Note.Customer.TaxID = nfse.TaxID(junk()) },
		func() { d.Note.Customer.TaxID = d.Issuer.TaxID },
		func() { d.Note.Customer.Name = junk() },
		func() { d.Note.Customer.Email = maybe() },
		func() { d.Note.Customer.MunicipalityCode = maybe() },
		func() { d.Note.Municipality.Code = junk() },
		func() { address.StreetType = maybe() },
		func() { address.Street = maybe() },
		func() { address.Number = maybe() },
		func() { address.District = maybe() },
		func() { address.ZipCode = maybe() },
		func() { address.Complement = maybe() },
	}
	if c := d.Classification; c != nil {
		corruptions = append(corruptions,
			func() { c.NBS = junk() },
			func() { c.CIndOp = junk() },
			func() { c.CST = junk() },
			func() { c.CClassTrib = junk() },
			func() { c.CCredPres = maybe() },
			func() { c.RegularTaxation = &nfse.RegularTaxation{CST: junk(), CClassTrib: "000001"} },
			func() { c.Deferral = &nfse.Deferral{State: percent(), Municipal: percent(), Federal: percent()} },
			func() { c.TpOper = new(number()) },
			func() { c.TpEnteGov = new(number()) },
			func() { c.CIndOp, c.Property = "020101", &nfse.Property{CIB: maybe(), Registration: maybe()} },
			func() {
				c.CIndOp, c.Property = "020101", &nfse.Property{Address: &nfse.PropertyAddress{
					ZipCode: "20040020", Street: junk(), Number: "1", Complement: maybe(), District: "Centro",
				}}
			},
		)
	}
	corruptions = append(corruptions, groupCorruptions(t, &d)...)
	corruptions[rapid.IntRange(0, len(corruptions)-1).Draw(t, "datum")]()
	return d
}

// groupCorruptions replace one datum of a group that a declaration has.
func groupCorruptions(t *rapid.T, d *fiscal.Declaration) (corruptions []func()) {
	junk := func() string { return drawJunk(t) }
	cents := func() int64 { return rapid.Int64().Draw(t, "cents") }
	number := func() int { return rapid.IntRange(-2, 120).Draw(t, "small number") }
	add := func(more ...func()) { corruptions = append(corruptions, more...) }
	add(func() { d.Details.UnconditionalDiscountCents = cents() },
		func() { d.Details.ConditionalDiscountCents = cents() },
		func() { d.Details.Deduction = &nfse.Deduction{Cents: cents()} },
		func() { d.Details.Deduction = &nfse.Deduction{Percent: nfse.Percent(number() * 100)} },
		func() { d.Details.ISS = &nfse.ISSTreatment{Kind: nfse.ISSKind(junk())} },
		func() { d.Details.ISS = &nfse.ISSTreatment{Kind: nfse.ISSImmune, Immunity: number()} },
		func() { d.Details.ISS = &nfse.ISSTreatment{Kind: nfse.ISSSuspended, Suspension: 1, Process: junk()} },
		func() {
			d.Details.ISS = &nfse.ISSTreatment{Kind: nfse.ISSBenefit, Benefit: junk(), BenefitCents: cents()}
		},
		func() { d.Details.Abroad = &nfse.Abroad{Country: junk(), Export: true, Mode: number()} })
	if p := d.Details.ForeignTaker; p != nil {
		add(func() { p.NIF = junk() }, func() { p.Name = junk() }, func() { p.Country = junk() },
			func() { p.Region = junk() }, func() { p.District = junk() }, func() { p.NoNIF = number() })
	}
	if i := d.Details.Intermediary; i != nil {
		add(func() { i.TaxID = nfse.TaxID(junk()) }, func() { i.Name = junk() }, func() { i.Address = nil },
			func() { i.WithholdsISS = !i.WithholdsISS })
	}
	if r := d.Details.Replaces; r != nil {
		add(func() { r.AccessKey = junk() }, func() { r.ReasonCode = junk() }, func() { r.ReasonText = junk() })
	}
	if w := d.Details.Work; w != nil {
		add(func() { w.Registration = junk() }, func() { w.CIB = junk() }, func() { w.PropertyNumber = junk() },
			func() { w.TechnicalDocument = junk() }, func() { w.MunicipalityCode = junk() },
			func() {
				w.Address = &nfse.PropertyAddress{ZipCode: "20040020", Street: junk(), Number: "1", District: "x"}
			})
	}
	if e := d.Details.Event; e != nil {
		add(func() { e.Name = junk() }, func() { e.From = nfse.Day(junk()) }, func() { e.Identification = junk() })
	}
	if a := d.Details.Abroad; a != nil {
		add(func() { a.Currency = junk() }, func() { a.AmountCents = cents() }, func() { a.Goods = number() },
			func() { a.ProviderMechanism = junk() }, func() { a.ImportDeclaration = junk() },
			func() { a.ResultCountry = junk() }, func() { a.Relationship = number() })
	}
	if documents := d.Deduction().Documents; documents != nil {
		one := &documents[0]
		add(func() { one.Kind = number() }, func() { one.Description = junk() },
			func() { one.Issued = nfse.Day(junk()) },
			func() { one.UsedCents = cents() }, func() { one.DeductibleCents = cents() }, func() { one.Other = junk() },
			func() { one.NFe = junk() }, func() { one.Supplier = nil })
	}
	return corruptions
}

// One datum of a valid declaration is replaced by anything: it is refused, or
// what is built of it follows the schema all the same.
func TestCheck_RefusesWhatWouldNotBeValid(t *testing.T) {
	t.Parallel()
	validator := nationaltest.NewValidator(t, "DPS_v1.01.xsd")
	count, refused := long.Cases(1500, 250), 0
	corrupted := rapid.Custom(drawCorrupted)
	for i := range count {
		declaration := corrupted.Example(i)
		if objection := checker.Check(declaration, nfse.DayOf(nationaltest.At)); objection != nil {
			if again := checker.Check(declaration, nfse.DayOf(nationaltest.At)); !reflect.DeepEqual(again, objection) {
				t.Errorf("%+v, then %+v", objection, again)
			}
			refused++
			continue
		}
		signer := dps.Signer{IBSCBS: checker.IBSCBS}
		message, err := signer.SignDeclaration(declaration, nationaltest.Credentials(t), nationaltest.At)
		if err != nil {
			t.Fatalf("accepted, but not signed: %v\n%+v", err, declaration)
		}
		validator.Add(message)
	}
	if refused < count/4 || refused > count*9/10 {
		t.Errorf("%d of %d were refused: the corruptions test too little", refused, count)
	}
	validator.Validate()
}
