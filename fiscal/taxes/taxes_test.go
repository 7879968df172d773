package taxes_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
)

// Who withholds what.
func TestWithheldSet(t *testing.T) {
	all := consulting
	all.INSS, all.INSSBase = 11_00, 60_00
	inssOnly := nfse.Withholding{INSS: 11_00, INSSBase: 60_00}
	own := nfse.Withholding{IRRF: 4_80, CSLL: 1_00}
	regime := func(regime int) func(*fiscal.Declaration) {
		return func(d *fiscal.Declaration) {
			d.Issuer.Simples, d.Issuer.SimplesRegime = nfse.SimplesME, &regime
		}
	}
	customer := func(c nfse.CustomerTaxation) func(*fiscal.Declaration) {
		return func(d *fiscal.Declaration) { d.Taxation.Customer = &c }
	}
	form := func(d *fiscal.Declaration) { d.Details.Withholding = &own }
	withoutCSRF, withoutContributions := all, all
	withoutCSRF.PIS, withoutCSRF.COFINS, withoutCSRF.CSLL = 0, 0, 0
	withoutContributions.PIS, withoutContributions.COFINS = 0, 0
	for name, row := range map[string]struct {
		want    nfse.Withholding
		changes []func(*fiscal.Declaration)
	}{
		"by service": {want: all},
		"no service": {changes: []func(*fiscal.Declaration){func(d *fiscal.Declaration) { d.Taxation.Service = nil }}},
		"of an individual": {changes: []func(*fiscal.Declaration){func(d *fiscal.Declaration) {
			d.Issuer.TaxID = "52998224725"
		}}},
		"of an MEI": {changes: []func(*fiscal.Declaration){func(d *fiscal.Declaration) {
			d.Issuer.Simples = nfse.SimplesMEI
		}}},
		"by an individual, whatever the form says": {changes: []func(*fiscal.Declaration){form,
			func(d *fiscal.Declaration) { d.Note.Customer.TaxID = "52998224725" }}},
		"by somebody abroad": {changes: []func(*fiscal.Declaration){form,
			func(d *fiscal.Declaration) { d.Details.ForeignTaker = &nfse.ForeignParty{} }}},
		"within Simples 1": {want: inssOnly, changes: []func(*fiscal.Declaration){regime(1)}},
		"within Simples 2": {want: inssOnly, changes: []func(*fiscal.Declaration){regime(2)}},
		"Simples 3":        {want: all, changes: []func(*fiscal.Declaration){regime(3)}},
		"a customer's rule": {changes: []func(*fiscal.Declaration){
			customer(nfse.CustomerTaxation{Withholds: "never"})}},
		"a customer's own set": {own, []func(*fiscal.Declaration){
			customer(nfse.CustomerTaxation{Withholds: "own", Withholding: &own})}},
		"a customer in Simples": {withoutCSRF, []func(*fiscal.Declaration){
			customer(nfse.CustomerTaxation{Simples: true})}},
		"the form before the customer": {own, []func(*fiscal.Declaration){form,
			customer(nfse.CustomerTaxation{Withholds: "never", Simples: true})}},
		"on the last day of PIS and COFINS": {all, []func(*fiscal.Declaration){
			func(d *fiscal.Declaration) { d.Note.Competence = "2026-12-31" }}},
		"after PIS and COFINS": {withoutContributions, []func(*fiscal.Declaration){
			func(d *fiscal.Declaration) { d.Note.Competence = "2027-01-01" }}},
	} {
		t.Run(name, func(t *testing.T) {
			d := of(10_000_00, all)
			for _, change := range row.changes {
				change(&d)
			}
			if got := taxes.WithheldSet(d); got != row.want {
				t.Errorf("%+v, want %+v", got, row.want)
			}
		})
	}
}

func TestFederalOf_Own(t *testing.T) {
	d := of(10_000_00, nfse.Withholding{})
	d.Details.UnconditionalDiscountCents = 500_00
	d.Issuer.OwnContributions = taxes.LawOn(d.Note.Competence).NonCumulative
	d.Note.Customer.TaxID = "52998224725" // owed no matter who takes the service
	want := taxes.Own{OwnContributions: nfse.OwnContributions{CST: "01", PIS: 1_65, COFINS: 7_60},
		BaseCents: 9_500_00, PISCents: 156_75, COFINSCents: 722_00}
	if got := taxes.FederalOf(d); got.Own == nil || *got.Own != want || got.Withheld() != 0 {
		t.Errorf("%+v", got)
	}
	for name, change := range map[string]func(*fiscal.Declaration){
		"within Simples": func(d *fiscal.Declaration) {
			d.Issuer.Simples, d.Issuer.SimplesRegime = nfse.SimplesME, new(2)
		},
		"an MEI":        func(d *fiscal.Declaration) { d.Issuer.Simples = nfse.SimplesMEI },
		"an individual": func(d *fiscal.Declaration) { d.Issuer.TaxID = "52998224725" },
		"2027":          func(d *fiscal.Declaration) { d.Note.Competence = "2027-01-01" },
	} {
		other := d
		change(&other)
		if got := taxes.FederalOf(other); !got.None() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// On what is exported to a taker abroad nothing is owed, unless no foreign currency comes in, regardless of the
// company's own regime.
func TestFederalOf_Exported(t *testing.T) {
	d := of(10_000_00, nfse.Withholding{})
	d.Issuer.OwnContributions = taxes.LawOn(d.Note.Competence).NonCumulative
	d.Details.ForeignTaker = &nfse.ForeignParty{Name: "Acme Inc", Country: "US"}
	d.Taxation.Service.Abroad = &nfse.Abroad{Export: true, Mode: 1, Country: "US"}
	if got := taxes.FederalOf(d); got.Own == nil || *got.Own != (taxes.Own{OwnContributions: nfse.OwnContributions{CST: "08"}}) {
		t.Errorf("an export states %+v", got.Own)
	}
	for name, change := range map[string]func(*fiscal.Declaration){
		"no foreign currency, of the service": func(d *fiscal.Declaration) {
			d.Taxation.Service = &nfse.ServiceTaxation{Abroad: &nfse.Abroad{Export: true, NoForeignCurrency: true}}
		},
		"no foreign currency, of the note": func(d *fiscal.Declaration) {
			d.Details.Abroad = &nfse.Abroad{Export: true, NoForeignCurrency: true}
		},
		"taxed here":        func(d *fiscal.Declaration) { d.Details.Abroad = &nfse.Abroad{Mode: 1} },
		"a taker in Brazil": func(d *fiscal.Declaration) { d.Details.ForeignTaker = nil },
	} {
		other := d
		change(&other)
		if own := taxes.FederalOf(other).Own; own == nil || own.CST != "01" || own.PISCents != 165_00 {
			t.Errorf("%s: %+v", name, own)
		}
	}
	for name, change := range map[string]func(*fiscal.Declaration){
		"2027":               func(d *fiscal.Declaration) { d.Note.Competence = "2027-01-01" },
		"none is declared":   func(d *fiscal.Declaration) { d.Issuer.OwnContributions = nil },
		"within the Simples": func(d *fiscal.Declaration) { d.Issuer.Simples, d.Issuer.SimplesRegime = nfse.SimplesME, new(1) },
	} {
		other := d
		change(&other)
		if got := taxes.FederalOf(other); !got.None() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestExpect_UnknownParts(t *testing.T) {
	rate := new(nfse.Rate(5_00))
	for name, row := range map[string]struct {
		known  string // of base, ISS, withheld, net and total
		rate   *nfse.Rate
		change func(*fiscal.Declaration)
	}{
		"all known":             {"BIWNT", rate, func(*fiscal.Declaration) {}},
		"no rate":               {"BWNT", nil, func(*fiscal.Declaration) {}},
		"no rate, ISS withheld": {"B", nil, func(d *fiscal.Declaration) { d.Note.ISSWithheld = true }},
		"an MEI":                {"WNT", rate, func(d *fiscal.Declaration) { d.Issuer.Simples = nfse.SimplesMEI }},
		"a special regime":      {"WNT", rate, func(d *fiscal.Declaration) { d.Issuer.SpecialRegime = 5 }},
		"an export": {"WNT", rate,
			func(d *fiscal.Declaration) { d.Details.Abroad = &nfse.Abroad{Export: true} }},
		"taxed, though abroad": {"BIWNT", rate, func(d *fiscal.Declaration) { d.Details.Abroad = &nfse.Abroad{} }},
		"2027":                 {"BIWN", rate, func(d *fiscal.Declaration) { d.Note.Competence = "2027-01-01" }},
		"percent after discount": {"WNT", rate, func(d *fiscal.Declaration) {
			d.Details.UnconditionalDiscountCents, d.Details.Deduction = 1, &nfse.Deduction{Percent: 1_00}
		}},
		"immune": {"WNT", rate, func(d *fiscal.Declaration) {
			d.Taxation.Service.ISS = &nfse.ISSTreatment{Kind: nfse.ISSImmune, Immunity: 3}
		}},
		"a benefit": {"BIWNT", rate, func(d *fiscal.Declaration) {
			d.Taxation.Service.ISS = &nfse.ISSTreatment{Kind: nfse.ISSBenefit, BenefitPercent: 40_00}
		}},
	} {
		d := of(10_000_00, nfse.Withholding{})
		row.change(&d)
		e, known := taxes.Expect(d, taxes.ISSAt(d, row.rate), true), ""
		for i, part := range []*int64{e.BaseCents, e.ISSCents, e.WithheldCents, e.NetCents, e.TotalCents} {
			if part != nil {
				known += "BIWNT"[i : i+1]
			}
		}
		if known != row.known {
			t.Errorf("%s: known are %s, want %s", name, known, row.known)
		}
	}
	d := of(10_000_00, nfse.Withholding{})
	d.Note.Competence = "2027-01-01"
	if e := taxes.Expect(d, taxes.ISSAt(d, rate), false); e.TotalCents == nil || *e.TotalCents != 10_000_00 {
		t.Errorf("without IBS and CBS the total of 2027 is %v", e.TotalCents)
	}
	d.Taxation.Service.ISS = &nfse.ISSTreatment{Kind: nfse.ISSBenefit, BenefitPercent: 40_00}
	if e := taxes.Expect(d, taxes.ISSAt(d, rate), false); *e.BaseCents != 6_000_00 || *e.ISSCents != 300_00 {
		t.Errorf("with a benefit of 40 %% the base is %d and the ISS %d", *e.BaseCents, *e.ISSCents)
	}
}

func drawSet(t *rapid.T) nfse.Withholding {
	percent := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 11_00))
	draw := func(label string) nfse.Percent { return nfse.Percent(percent.Draw(t, label)) }
	return nfse.Withholding{
		IRRF: draw("IRRF"), PIS: draw("PIS"), COFINS: draw("COFINS"), CSLL: draw("CSLL"), INSS: draw("INSS"),
		INSSBase: nfse.Percent(rapid.IntRange(0, 100_00).Draw(t, "base of INSS")),
	}
}

// With any settings nothing is negative, what is withheld is less than the price, each amount is its own percentage
// to the half cent, and the code names exactly what is withheld.
func TestFederalOf_Holds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		d := of(rapid.Int64Range(1, nfse.MaxAmountCents).Draw(t, "price"), set)
		d.Note.Competence = rapid.SampledFrom([]nfse.Day{"2026-12-31", "2027-01-01"}).Draw(t, "day")
		d.Details.UnconditionalDiscountCents = rapid.Int64Range(0, d.Note.AmountCents-1).Draw(t, "discount")
		d.Issuer.OwnContributions = rapid.SampledFrom([]*nfse.OwnContributions{
			nil, {CST: "01", PIS: 65, COFINS: 3_00}, {CST: "01", PIS: 1_65, COFINS: 7_60}}).Draw(t, "own")
		f, law := taxes.FederalOf(d), taxes.LawOn(d.Note.Competence)
		base := taxes.FederalBase(d)
		for name, one := range map[string]struct {
			cents int64
			rate  nfse.Percent
		}{
			"IRRF": {f.IRRF, set.IRRF}, "PIS": {f.PIS, set.PIS}, "COFINS": {f.COFINS, set.COFINS},
			"CSLL": {f.CSLL, set.CSLL},
		} {
			if one.cents < 0 || one.cents > 0 && !isPercentOf(one.cents, base, one.rate) {
				t.Fatalf("%s is %d of %d at %s", name, one.cents, base, one.rate)
			}
		}
		switch {
		case f.INSS < 0 || f.Withheld() > d.Note.AmountCents || f.Withheld() > base:
			t.Fatalf("withheld is %+v of %d", f, base)
		case f.IRRF > 0 && f.IRRF <= law.MinimumCents, f.CSRF() > 0 && f.CSRF() <= law.MinimumCents:
			t.Fatalf("below the minimum: %+v", f)
		case (f.CSRFCode() == 0) != (f.CSRF() == 0):
			t.Fatalf("the code %d is for %d", f.CSRFCode(), f.CSRF())
		case d.Note.Competence == "2027-01-01" && (f.PIS > 0 || f.COFINS > 0 || f.Own != nil):
			t.Fatalf("PIS or COFINS in 2027: %+v", f)
		case f.Own != nil && (!isPercentOf(f.Own.PISCents, base, f.Own.PIS) ||
			!isPercentOf(f.Own.COFINSCents, base, f.Own.COFINS)):
			t.Fatalf("own are %+v", *f.Own)
		}
		rate := nfse.Rate(rapid.IntRange(1, 5_00).Draw(t, "rate"))
		d.Note.ISSWithheld = rapid.Bool().Draw(t, "ISS withheld")
		d.Details.ConditionalDiscountCents = rapid.Int64Range(0, d.Note.AmountCents-1).Draw(t, "conditional")
		e := taxes.Expect(d, taxes.ISSAt(d, &rate), true)
		if *e.WithheldCents < 0 { // E1506
			t.Fatalf("withheld is %d", *e.WithheldCents)
		}
		if taken := taxes.Taken(d, &rate); taken <= d.Note.AmountCents && *e.NetCents < 0 { // E0428, E1508
			t.Fatalf("of %d are taken %d, and left %d", d.Note.AmountCents, taken, *e.NetCents)
		}
	})
}

// isPercentOf computes the amount by exact fractions: within half a cent, and at exactly half even.
func isPercentOf(cents, base int64, rate nfse.Percent) bool {
	exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(base), big.NewInt(int64(rate))), big.NewInt(100_00))
	apart := new(big.Rat).Sub(exact, new(big.Rat).SetInt64(cents))
	half := apart.Abs(apart).Cmp(big.NewRat(1, 2))
	return half < 0 || half == 0 && cents%2 == 0
}

func TestCSRFCode(t *testing.T) {
	for code, f := range map[int]taxes.Federal{
		0: {IRRF: 1, INSS: 1}, 3: {PIS: 1, COFINS: 1, CSLL: 1}, 4: {PIS: 1, COFINS: 1}, 5: {PIS: 1}, 6: {COFINS: 1},
		7: {COFINS: 1, CSLL: 1}, 8: {CSLL: 1}, 9: {PIS: 1, CSLL: 1},
	} {
		if got := f.CSRFCode(); got != code {
			t.Errorf("the code of %+v is %d, want %d", f, got, code)
		}
	}
	if end := taxes.EndOfContributions(); end != "2027-01-01" {
		t.Errorf("PIS and COFINS end on %s", end)
	}
}
