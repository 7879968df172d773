package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

func TestFiscalProfileCommand_SetAndChange(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database).ID
	set := func(flags ...string) nfse.FiscalProfile {
		t.Helper()
		profile := printed[nfse.FiscalProfile](t, s,
			append([]string{"fiscal-profile", "set", "--organization", organization}, flags...)...)
		shown := printed[nfse.FiscalProfile](t, s, "fiscal-profile", "show", "--organization", organization)
		if !reflect.DeepEqual(shown, profile) {
			t.Errorf("shown is %+v, expected %+v", shown, profile)
		}
		return profile
	}
	fails(t, s, "the organization has no fiscal profile", "fiscal-profile", "show", "--organization", organization)
	fails(t, s, "its first needs --municipality, --environment", "fiscal-profile", "set", "--organization",
		organization,
		"--document", "11222333000181", "--simples", "none", "--series", "900")

	expected := nfse.FiscalProfile{
		OrganizationID: organization, Authority: "national", Production: true, TaxID: "11222333000181",
		MunicipalityCode: "3304557",
		Simples:          nfse.SimplesNone, Series: 900, ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345,
			Municipal: 290}, InactiveMunicipalities: []string{},
	}
	if profile := set("--document", "11.222.333/0001-81", "--municipality", "3304557", "--simples", "none",
		"--environment", "production", "--series", "900",
		"--tax-federal", "13.45", "--tax-state", "0", "--tax-municipal", "2.9"); !reflect.DeepEqual(profile, expected) {
		t.Errorf("set is %+v, expected %+v", profile, expected)
	}

	expected.Simples, expected.SimplesRegime = nfse.SimplesME, new(2)
	expected.ApproximateTaxes = nfse.ApproximateTaxes{Simples: 600}
	expected.MunicipalRegistration, expected.SendMunicipalRegistration = new("12.345-6"), true
	expected.SpecialRegime, expected.InactiveMunicipalities = 6, []string{"3550308", "3304557"}
	if profile := set("--simples", "me", "--simples-regime", "2", "--tax-federal", "0", "--tax-municipal", "0",
		"--tax-simples", "6.00",
		"--municipal-registration", "12.345-6", "--send-municipal-registration", "--special-regime", "6",
		"--inactive-municipality", "3550308", "--inactive-municipality", "3304557"); !reflect.DeepEqual(profile,
		expected) {
		t.Errorf("changed is %+v, expected %+v", profile, expected)
	}

	expected.Production, expected.SpecialRegime = false, 0
	expected.Simples, expected.SimplesRegime = nfse.SimplesMEI, nil
	expected.ApproximateTaxes, expected.InactiveMunicipalities = nfse.ApproximateTaxes{}, []string{}
	expected.MunicipalRegistration, expected.SendMunicipalRegistration = nil, false
	if profile := set("--environment", "restricted", "--simples", "mei", "--simples-regime", "0", "--special-regime",
		"0", "--tax-simples", "0",
		"--municipal-registration=", "--send-municipal-registration=false",
		"--inactive-municipality="); !reflect.DeepEqual(profile, expected) {
		t.Errorf("changed again is %+v, expected %+v", profile, expected)
	}
	expected.CompetenceDaysBack = new(0)
	if profile := set("--competence-days-back", "0"); !reflect.DeepEqual(profile, expected) {
		t.Errorf("of today only it is %+v", profile)
	}
	if profile := set(); !reflect.DeepEqual(profile, expected) { // nothing given changes nothing
		t.Errorf("set without a flag it is %+v", profile)
	}
	expected.TaxID = "12ABC34501DE35" // small letters are kept as capital ones
	if profile := set("--document", "12.abc.345/01de-35"); !reflect.DeepEqual(profile, expected) {
		t.Errorf("with letters it is %+v", profile)
	}
}

func TestFiscalProfileCommand_Printed(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	if list := succeeds(t, s, "fiscal-profile", "list", "--json"); list != "[]\n" {
		t.Errorf("no profiles are listed as %s", list)
	}
	organization := newOrganization(t, database).ID
	set := cells(succeeds(t, s, "fiscal-profile", "set", "--organization", organization, "--document", "52998224725",
		"--municipality", "3550308",
		"--simples", "none", "--environment", "restricted", "--series", "1", "--tax-federal", "13.45"))
	for _, row := range [][]string{
		{"FLAG", "VALUE"}, {"organization", organization}, {"authority", "national"}, {"document", "52998224725"},
		{"municipality", "3550308 São Paulo/SP"}, {"simples", "none"},
		{"simples-regime", "-"}, {"environment", "restricted"}, {"tax-federal", "13.45"}, {"tax-state", "0.00"},
		{"competence-days-back", "31"},
	} {
		if !slices.ContainsFunc(set, func(shown []string) bool { return slices.Equal(shown, row) }) {
			t.Errorf("the profile is printed without %q: %q", row, set)
		}
	}
	if shown := cells(succeeds(t, s, "fiscal-profile", "show", "--organization",
		organization)); !reflect.DeepEqual(shown, set) {
		t.Errorf("shown is %q", shown)
	}
	if list := cells(succeeds(t, s, "fiscal-profile", "list")); !reflect.DeepEqual(list, [][]string{
		{"ORGANIZATION", "AUTHORITY", "ENVIRONMENT", "DOCUMENT", "MUNICIPALITY", "SERIES", "SIMPLES"},
		{organization, "national", "restricted", "52998224725", "3550308 São Paulo/SP", "1", "none"},
	}) {
		t.Errorf("the list is printed as %q", list)
	}
	help := succeeds(t, s, "fiscal-profile", "set", "--help")
	if !strings.Contains(help, "a number keeps the profile with which it was taken") {
		t.Errorf("the help is\n%s", help)
	}
}

// A profile can change to the city of São Paulo and back; it must be right by the rules
// of the one that it names.
func TestFiscalProfileCommand_SaoPaulo(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database).ID
	set := func(flags ...string) []string {
		return append([]string{"fiscal-profile", "set", "--organization", organization}, flags...)
	}
	first := set("--document", "11222333000181", "--municipality", "3550308", "--simples", "me", "--simples-regime",
		"1", "--environment", "production", "--series", "1")
	fails(t, s, "--authority must be national or sao-paulo", append(first, "--authority", "nacional")...)
	if profile := printed[nfse.FiscalProfile](t, s, first...); profile.Authority != "national" {
		t.Errorf("the first profile is %+v", profile)
	}
	inCity := set("--authority", "sao-paulo", "--municipal-registration", "31000000")
	fails(t, s, "--simples must be none: the city of Sao Paulo does not issue for companies of Simples Nacional any "+
		"more (641)", inCity...)
	noSimples := append(inCity, "--simples", "none", "--simples-regime", "0")
	for why, flags := range map[string][]string{
		"--municipality must be 3550308":                     {"--municipality", "3304557"},
		"--municipal-registration is required":               {"--municipal-registration", ""},
		"--municipal-registration must be the company's CCM": {"--municipal-registration", "1234567890123"},
		"--series must be from 1 to 99999":                   {"--series", "100000"},
		"--taxation-inside must be one of":                   {"--taxation-inside", "F"},
		"--taxation-outside must be one of":                  {"--taxation-outside", "P"},
		"--next-number: must be from 1 to 999999999999":      {"--next-number", "1000000000000"},
	} {
		fails(t, s, why, append(slices.Clone(noSimples), flags...)...)
	}
	// The parameters of cities at the national system say nothing of the city's own.
	result := execute(t, s, append(noSimples, "--series", "99999", "--taxation-inside", "R")...)
	if !slices.ContainsFunc(cells(result.stdout), func(row []string) bool {
		return slices.Equal(row, []string{"taxation-inside", "R"})
	}) {
		t.Errorf("printed is %s", result.stdout)
	}
	if result.code != 0 || result.stderr != "" {
		t.Errorf("it ended with %+v", result)
	}
	list := succeeds(t, s, "fiscal-profile", "list")
	if !slices.ContainsFunc(cells(list), func(row []string) bool { return slices.Contains(row, "sao-paulo") }) {
		t.Errorf("the list is printed as %s", list)
	}
	fails(t, s, "--series must be", set("--authority", "national")...)
	if profile := printed[nfse.FiscalProfile](t, s, set("--authority", "national", "--series", "1")...); profile.
		Authority != "national" || *profile.MunicipalRegistration != "31000000" {
		t.Errorf("back at the national system it is %+v", profile)
	}
}

func TestFiscalProfileCommand_Refused(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database).ID
	good := []string{"fiscal-profile", "set", "--organization", organization, "--document", "11222333000181",
		"--municipality", "3304557",
		"--simples", "none", "--environment", "restricted", "--series", "900"}
	unreadable := []string{"--document has wrong check digits", "--environment must be production or restricted",
		"--simples must be none, mei or me"}
	for _, c := range []struct {
		why   string
		flags []string
	}{
		{"--document has wrong check digits", []string{"--document", "11222333000182"}},
		{`--municipality no municipality has the IBGE code "3304558"`, []string{"--municipality", "3304558"}},
		{"--municipality must be", []string{"--municipality", "Rio"}},
		{"--simples must be none, mei or me", []string{"--simples", "1"}},
		{"--simples-regime", []string{"--simples", "me"}},
		{"--simples-regime", []string{"--simples-regime", "1"}},
		{"--special-regime must be", []string{"--special-regime", "7"}},
		{"--series must be", []string{"--series", "50000"}},
		{`"--series"`, []string{"--series", "A"}},
		{"--environment must be production or restricted", []string{"--environment", "test"}},
		{"--municipal-registration", []string{"--send-municipal-registration"}},
		{"(--tax-...)", []string{"--tax-simples", "6"}},
		{`no municipality has the IBGE code "1234567"`, []string{"--inactive-municipality", "1234567"}},
		{`"--tax-federal" flag: must be a percentage`, []string{"--tax-federal", "13,45"}},
		{`"--tax-federal" flag: must be a percentage`, []string{"--tax-federal", "13.455"}},
		{`"--tax-federal" flag: must be a percentage`, []string{"--tax-federal", "-1"}},
		{`"--tax-federal" flag: must be a percentage`, []string{"--tax-federal", ""}},
		{`"--tax-state" flag: must be a percentage`, []string{"--tax-state", "100.01"}},
		{`"--tax-state" flag: must be a percentage`, []string{"--tax-state", "1e1"}},
		{"--competence-days-back must be from 0 to 1826", []string{"--competence-days-back", "-1"}},
		{"--competence-days-back must be from 0 to 1826", []string{"--competence-days-back", "1827"}},
		{"there is no organization", []string{"--organization", "org_x"}},
	} {
		code := 1
		if strings.HasPrefix(c.why, `"--`) || slices.Contains(unreadable, c.why) {
			code = 2
		}
		failsWith(t, code, s, c.why, append(slices.Clone(good), c.flags...)...)
	}
	misused(t, s, `required flag(s) "organization" not set`, "fiscal-profile", "set", "--series", "1")
	if n := database.Count(t, `SELECT count(*) FROM fiscal_profiles`); n != 0 {
		t.Errorf("%d profiles were set", n)
	}
}
