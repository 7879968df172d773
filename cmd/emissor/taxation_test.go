package main

import (
	"reflect"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/store/catalogues"
)

func TestServiceTaxCommand(t *testing.T) {
	t.Parallel()
	c := newClassified(t)
	s, organization := c.settings, c.organization
	service := c.addService(t, "")
	tax := func(flags ...string) []string {
		return append([]string{"service", "tax", service, "--organization", organization}, flags...)
	}
	type shown struct {
		Withheld string
		Taxation nfse.ServiceTaxation
		Warnings []string
	}
	if now := printed[shown](t, s, tax()...); now.Withheld != "none" || len(now.Warnings) != 0 {
		t.Errorf("before anything is set it is %+v", now)
	}
	if csrf := printed[shown](t, s, tax("--withhold", "csrf")...); csrf.Taxation.Withholding == nil ||
		csrf.Taxation.Withholding.CSLL != 1_00 { // PIS and COFINS are part of it until 2026
		t.Errorf("the CSRF is %+v", csrf)
	}
	want := nfse.Withholding{IRRF: 1_50, PIS: 65, COFINS: 3_00, CSLL: 1_00, INSS: 11_00, INSSBase: 60_00}
	set := printed[shown](t, s, tax("--withhold", "irrf=1.5,pis=0.65,cofins=3,csll=1,inss,inss-base=60")...)
	if set.Taxation.Withholding == nil || *set.Taxation.Withholding != want || len(set.Warnings) == 0 ||
		set.Withheld != "irrf=1.50,pis=0.65,cofins=3.00,csll=1.00,inss=11.00,inss-base=60.00" {
		t.Errorf("set is %+v", set)
	}
	if again := printed[shown](t, s, tax("--withhold", set.Withheld)...); !reflect.DeepEqual(again, set) {
		t.Errorf("what is printed is read as %+v", again)
	}
	if text := succeeds(t, s, tax()...); !strings.Contains(text, "WARNING: The INSS is withheld only of") {
		t.Errorf("printed is %s", text)
	}
	for words, why := range map[string]string{
		"iss=5": "--withhold must name irrf", "": "--withhold must name irrf", "irrf=1,5": "--withhold must name irrf",
		"irrf=1.555":      "--withhold must have a percentage from 0 to 100",
		"irrf=50,inss=50": "--withhold must be below 100",
		"inss-base=60":    "--withhold has a base of the INSS and no rate of it",
	} {
		misused(t, s, why, tax("--withhold", words)...)
	}
	fails(t, s, "the organization has no live service srv_1", "service", "tax", "srv_1", "--organization", organization)
	const process = "000000000000001234567890123456"
	work := printed[catalogues.Registered[nfse.Work]](t, s, "work", "add", "--organization", organization, "--name",
		"Casa",
		"--registration", "900012345678", "--municipality", "3304557").ID
	for _, step := range []struct {
		flags []string
		want  nfse.ServiceTaxation
	}{
		{[]string{"--iss", "immune", "--iss-immunity", "3"},
			nfse.ServiceTaxation{ISS: &nfse.ISSTreatment{Kind: nfse.ISSImmune, Immunity: 3}}},
		{[]string{"--iss", "suspended", "--iss-suspension", "1", "--iss-process", process},
			nfse.ServiceTaxation{ISS: &nfse.ISSTreatment{Kind: nfse.ISSSuspended, Suspension: 1, Process: process}}},
		{[]string{"--iss", "benefit", "--iss-benefit", "12345678901234", "--iss-benefit-percent", "40"},
			nfse.ServiceTaxation{ISS: &nfse.ISSTreatment{Kind: nfse.ISSBenefit, Benefit: "12345678901234",
				BenefitPercent: 40_00}}},
		{[]string{"--iss", "", "--deduction-percent", "40", "--work", work},
			nfse.ServiceTaxation{Deduction: 40_00, WorkID: work}},
		{[]string{"--deduction-percent", "", "--work", "", "--abroad", "export", "--abroad-country", "us",
			"--abroad-mode", "1"},
			nfse.ServiceTaxation{Abroad: &nfse.Abroad{Export: true, Country: "US", Mode: 1}}},
		{[]string{"--abroad", "none"}, nfse.ServiceTaxation{}},
		{[]string{"--municipal-code", "001"}, nfse.ServiceTaxation{MunicipalCode: "001"}},
		{[]string{"--deduction-percent", "40"}, nfse.ServiceTaxation{MunicipalCode: "001", Deduction: 40_00}},
		{[]string{"--municipal-code", "", "--deduction-percent", ""}, nfse.ServiceTaxation{}},
	} {
		step.want.Withholding = &want
		now := printed[shown](t, s, tax(step.flags...)...)
		if !reflect.DeepEqual(now.Taxation, step.want) {
			t.Errorf("%q: it is %+v", step.flags, now.Taxation)
		}
	}
	for why, flags := range map[string][]string{
		"--iss must be one of":                  {"--iss", "exempt"},
		"--iss-process must be a process of 30": {"--iss", "suspended", "--iss-suspension", "1", "--iss-process", "1"},
		"--abroad-relationship must be from 0": {"--abroad", "taxed", "--abroad-mode", "1", "--abroad-relationship",
			"7"},
		"--work names nothing that is registere": {"--work", "wrk_1"},
	} {
		misused(t, s, why, tax(flags...)...)
	}
	for _, code := range []string{"x", "1.1", "12345678901", "١٢٣", "１２３", "0 1"} {
		misused(t, s, "--municipal-code must be a city's code of a service, of 1 to 10 digits",
			tax("--municipal-code", code)...)
	}
	if none := printed[shown](t, s, tax("--withhold", "none")...); none.Taxation != (nfse.ServiceTaxation{}) {
		t.Errorf("taken away it is %+v", none)
	}
}

func TestCustomerTaxCommand(t *testing.T) {
	t.Parallel()
	c := newClassified(t)
	s, organization := c.settings, c.organization
	record, _, err := c.database.Store.Catalogues.SyncCustomer(t.Context(),
		nfse.Scope{OrganizationID: organization, Livemode: true}, "33444555000181",
		func(customer *nfse.Customer) error { customer.Name = "Cliente SA"; return nil })
	must(t, err)
	customer := record.ID
	tax := func(flags ...string) []string {
		return append([]string{"customer", "tax", customer, "--organization", organization}, flags...)
	}
	type shown struct {
		Withheld string
		Taxation nfse.CustomerTaxation
		Warnings []string
	}
	own := nfse.Withholding{IRRF: 1_20, CSLL: 1_00}
	for _, step := range []struct {
		flags    []string
		withheld string
		taxation nfse.CustomerTaxation
		warnings int
	}{
		{nil, "by-service", nfse.CustomerTaxation{}, 0},
		{[]string{"--withhold", "never"}, "never", nfse.CustomerTaxation{Withholds: nfse.WithholdsNothing}, 0},
		{[]string{"--simples"}, "never", nfse.CustomerTaxation{Withholds: nfse.WithholdsNothing, Simples: true}, 0},
		{[]string{"--withhold", "irrf=1.2,csll"}, "irrf=1.20,csll=1.00",
			nfse.CustomerTaxation{Withholds: nfse.WithholdsItsOwn, Withholding: &own, Simples: true}, 1},
		{[]string{"--simples=false"}, "irrf=1.20,csll=1.00",
			nfse.CustomerTaxation{Withholds: nfse.WithholdsItsOwn, Withholding: &own}, 0},
		{[]string{"--withhold", "by-service"}, "by-service", nfse.CustomerTaxation{}, 0},
	} {
		now := printed[shown](t, s, tax(step.flags...)...)
		if now.Withheld != step.withheld || !reflect.DeepEqual(now.Taxation, step.taxation) ||
			len(now.Warnings) != step.warnings {
			t.Errorf("%q: it is %+v", step.flags, now)
		}
	}
	fails(t, s, "the organization has no live customer cus_1", "customer", "tax", "cus_1", "--organization",
		organization)
}

func TestFiscalProfileCommand_OwnTaxes(t *testing.T) {
	t.Parallel()
	c := newClassified(t)
	s, organization := c.settings, c.organization
	set := func(flags ...string) []string {
		return append([]string{"fiscal-profile", "set", "--organization", organization}, flags...)
	}
	first := set("--document", "11222333000181", "--municipality", "3304557", "--simples", "none", "--environment",
		"restricted", "--series", "1", "--own-contributions", "cumulative")
	cumulative := nfse.OwnContributions{CST: "01", PIS: 65, COFINS: 3_00}
	if p := printed[nfse.FiscalProfile](t, s, first...); p.OwnContributions == nil ||
		*p.OwnContributions != cumulative {
		t.Errorf("it is %+v", p)
	}
	if text := succeeds(t, s, set("--own-contributions", "01,1.65,7.6")...); !strings.Contains(text, "non-cumulative") {
		t.Errorf("printed is %s", text)
	}
	fails(t, s, "--own-contributions must have a tax situation", set("--own-contributions", "10,1,1")...)
	misused(t, s, "--own-contributions must be none, cumulative", set("--own-contributions", "01,1")...)
	inSimples := []string{"--simples", "me", "--simples-regime", "1"}
	fails(t, s, "--own-contributions must be none of an individual", set(inSimples...)...)
	p := printed[nfse.FiscalProfile](t, s, set(append(inSimples, "--own-contributions", "none", "--simples-rate",
		"2026-10=2.01", "--simples-rate", "2026-11=2.5")...)...)
	if want := map[nfse.Month]nfse.Rate{"2026-10": 2_01, "2026-11": 2_50}; p.OwnContributions != nil ||
		!reflect.DeepEqual(p.SimplesRates, want) {
		t.Errorf("in Simples it is %+v", p)
	}
	text := succeeds(t, s, set("--simples-rate", "2026-10=", "--simples-rate", "2026-12=3")...)
	if strings.Contains(text, "2026-10") || !strings.Contains(text, "2026-11=2.5") ||
		!strings.Contains(text, "2026-12=3") {
		t.Errorf("printed is %s", text)
	}
	for why, words := range map[string]string{
		"--simples-rate must be from 1.80 to 5.00":  "2026-10=1.79",
		"--simples-rate must be a month of this":    "2026-13=2",
		"--simples-rate must be a month and its ra": "2.01",
		"--simples-rate must be greater than 0 and": "2026-10=5.01",
	} {
		code := 2
		if why == "--simples-rate must be from 1.80 to 5.00" { // by the table of the Simples
			code = 1
		}
		failsWith(t, code, s, why, set("--simples-rate", words)...)
	}
}
