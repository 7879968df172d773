package company_test

import (
	"errors"
	"slices"
	"testing"

	"emissor/fiscal"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// The words of a set are read as they are printed, and without a rate at that of the law of the day.
func TestParseWithholding(t *testing.T) {
	for words, want := range map[string]nfse.Withholding{
		"none":                          {},
		"csrf":                          {PIS: 65, COFINS: 3_00, CSLL: 1_00},
		" irrf=1 , csll":                {IRRF: 1_00, CSLL: 1_00},
		"irrf,inss,inss-base=60":        {IRRF: 1_50, INSS: 11_00, INSSBase: 60_00},
		"irrf=1.20,pis=0.65,cofins=3.0": {IRRF: 1_20, PIS: 65, COFINS: 3_00},
	} {
		set, err := company.ParseWithholding(words, "2026-12-31")
		again, againErr := company.ParseWithholding(company.WithholdingWords(set), "2026-12-31")
		if err != nil || set != want || againErr != nil || again != set {
			t.Errorf("%q is %+v, %v, and again %+v, %v", words, set, err, again, againErr)
		}
	}
	if set, err := company.ParseWithholding("csrf", "2027-01-01"); err != nil || set != (nfse.Withholding{CSLL: 1_00}) {
		t.Errorf("in 2027 csrf is %+v, %v", set, err)
	}
}

// What is wrong with words is said by the word.
func TestParseWithholding_Refused(t *testing.T) {
	for words, why := range map[string]fact.Fact{
		"csrf=4.65": fact.WithheldSumWithRate.Fact(), "inss-base=60": fact.INSSBaseWithoutRate.Fact(),
		"irrf=x": fact.WithheldRateUnread.With("tax", "irrf"), "iss=5": fact.WithheldTaxUnknown.With("tax", "iss"),
		"csrf,irrf=96": fact.WithheldRatesTooHigh.Fact(),
	} {
		_, err := company.ParseWithholding(words, "2026-12-31")
		var refused *nfse.Error
		if !errors.As(err, &refused) || refused.Field != "withholding" || refused.Message != why.English() {
			t.Errorf("%q: %v", words, err)
		}
	}
}

func TestTaxWarnings(t *testing.T) {
	const today nfse.Day = "2026-11-21"
	ordinary := nfse.FiscalProfile{TaxID: "11222333000181", Simples: nfse.SimplesNone}
	mei := nfse.FiscalProfile{TaxID: "11222333000181", Simples: nfse.SimplesMEI}
	small := nfse.FiscalProfile{TaxID: "11222333000181", Simples: nfse.SimplesME, SimplesRegime: new(1)}
	outside := nfse.FiscalProfile{TaxID: "11222333000181", Simples: nfse.SimplesME, SimplesRegime: new(3)}
	irrf, csll := nfse.Withholding{IRRF: 1_50}, nfse.Withholding{CSLL: 1_00}
	inss, pis := nfse.Withholding{INSS: 11_00}, nfse.Withholding{PIS: 65}
	check := func(name string, warnings []fact.Fact, want ...string) {
		t.Helper()
		var codes []string
		for _, one := range warnings {
			codes = append(codes, string(one.Code))
		}
		if !slices.Equal(codes, want) {
			t.Errorf("%s: the warnings are %v, expected %v", name, codes, want)
		}
	}
	for name, one := range map[string]struct {
		profile nfse.FiscalProfile
		set     *nfse.Withholding
		on      nfse.Day
		want    []string
	}{
		"nothing set":         {ordinary, nil, today, nil},
		"IRRF":                {ordinary, &irrf, today, nil},
		"no profile yet":      {nfse.FiscalProfile{}, &irrf, today, nil},
		"an MEI":              {mei, &irrf, today, []string{"withheld_of_nobody"}},
		"within Simples":      {small, &irrf, today, []string{"withheld_of_simples"}},
		"outside Simples":     {outside, &csll, today, nil},
		"INSS":                {ordinary, &inss, today, []string{"inss_of_assigned_labour"}},
		"INSS within Simples": {small, &inss, today, []string{"inss_of_simples", "inss_of_assigned_labour"}},
		"PIS":                 {ordinary, &pis, today, []string{"contributions_end"}},
		"PIS in 2027":         {ordinary, &pis, "2027-01-01", nil},
	} {
		taxation := nfse.ServiceTaxation{Withholding: one.set}
		check(name, company.ServiceTaxWarnings(one.profile, taxation, one.on), one.want...)
	}
	own := nfse.CustomerTaxation{Withholds: nfse.WithholdsItsOwn, Withholding: &csll, Simples: true}
	check("in Simples", company.CustomerTaxWarnings(ordinary, "33444555000181", own, today),
		"simples_withholds_no_csrf")
	check("an individual", company.CustomerTaxWarnings(ordinary, "52998224725", own, today), "person_withholds_nothing")
	check("by service", company.CustomerTaxWarnings(ordinary, "33444555000181", nfse.CustomerTaxation{}, today))

	form := func(issuer nfse.FiscalProfile, taker nfse.TaxID, set *nfse.Withholding, simples bool) []fact.Fact {
		return company.NoteTaxWarnings(fiscal.Declaration{
			Note:   nfse.Note{Competence: today, Customer: nfse.CustomerSnapshot{TaxID: taker}},
			Issuer: issuer, Details: nfse.NoteDetails{Withholding: set},
			Taxation: nfse.Taxation{Customer: &nfse.CustomerTaxation{Simples: simples}},
		})
	}
	const taker = "33444555000181"
	check("no form", form(ordinary, taker, nil, true))
	check("the form withholds nothing", form(ordinary, "52998224725", &nfse.Withholding{}, true))
	check("the form of an individual", form(ordinary, "52998224725", &csll, false), "person_withholds_nothing")
	check("the form, in Simples", form(ordinary, taker, &csll, true), "simples_withholds_all_the_same")
	check("the form, IRRF in Simples", form(ordinary, taker, &irrf, true))
	check("the form within Simples", form(small, taker, &csll, true), "withheld_of_simples")
	check("the form, INSS", form(ordinary, taker, &inss, false), "inss_of_assigned_labour")
}

func TestCheckCustomerTaxation(t *testing.T) {
	set := &nfse.Withholding{CSLL: 1_00}
	for name, wrong := range map[string]nfse.CustomerTaxation{
		"an unknown rule": {Withholds: "always"}, "a set that does not count": {Withholding: set},
		"never, and a set":      {Withholds: nfse.WithholdsNothing, Withholding: set},
		"its own, which is not": {Withholds: nfse.WithholdsItsOwn},
		"all of the price":      {Withholds: nfse.WithholdsItsOwn, Withholding: &nfse.Withholding{IRRF: 100_00}},
	} {
		if company.CheckCustomerTaxation(wrong) == nil {
			t.Errorf("%s is taken", name)
		}
	}
	for _, right := range []nfse.CustomerTaxation{
		{}, {Simples: true}, {Withholds: nfse.WithholdsNothing}, {Withholds: nfse.WithholdsItsOwn, Withholding: set},
	} {
		if err := company.CheckCustomerTaxation(right); err != nil {
			t.Errorf("%+v: %v", right, err)
		}
	}
}

func TestOwnContributions(t *testing.T) {
	for words, printed := range map[string]string{
		"none": "none", "cumulative": "cumulative", "non-cumulative": "non-cumulative", "01,0.65,3": "cumulative",
		"08,0,0": "08,0.00,0.00", "01, 1.65, 7.60": "non-cumulative",
	} {
		own, err := company.ParseOwnContributions(words)
		if got := company.OwnContributionsWords(own); err != nil || got != printed {
			t.Errorf("%q is printed as %q, %v", words, got, err)
		}
	}
	for _, wrong := range []string{"", "x", "01,1", "01,1,2,3", "01,a,b", "01,101,1"} {
		if own, err := company.ParseOwnContributions(wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, own)
		}
	}
}
