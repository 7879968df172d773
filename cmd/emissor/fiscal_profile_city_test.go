package main

import (
	"slices"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/issuing/company/readiness"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/test/testkit"
)

// ofCampinas are the flags of a profile of a city that takes the national declaration.
var ofCampinas = []string{"--authority", "campinas", "--document", string(issuerTaxID), "--municipality", "3509502",
	"--simples", "none", "--environment", "restricted", "--series", "10001", "--municipal-registration", "123456",
	"--tax-federal", "13.45"}

// What no note of a city could be issued with names its flag. A row that is off, and an authority that
// does not take the company's notes, are told of, and the profile is set.
func TestFiscalProfileCommand_City(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database).ID
	set := func(flags ...string) []string {
		return slices.Concat([]string{"fiscal-profile", "set", "--organization", organization}, ofCampinas, flags)
	}
	for why, flags := range map[string][]string{
		"--municipality must be that of the city, 3509502 (Campinas/SP)":         {"--municipality", "3304557"},
		"--municipal-registration is needed by this city":                        {"--municipal-registration", ""},
		"--series must be one that the city leaves to companies: 10001 to 49999": {"--series", "1"},
		"--authority must be national or sao-paulo or":                           {"--authority", "atlantis"},
	} {
		fails(t, s, why, set(flags...)...)
	}
	for _, one := range []struct {
		words string
		flags []string
	}{
		{"note: The fiscal profile names another authority: have this company issue by the national system (national).",
			[]string{"--simples", "me", "--simples-regime", "1", "--tax-federal", "0", "--tax-simples", "6"}},
		{"", []string{"--tax-simples", "0"}}, // the regime goes with the Simples
	} {
		if result := execute(t, s, set(one.flags...)...); result.code != 0 ||
			!strings.Contains(result.stderr, one.words) || one.words == "" && result.stderr != "" {
			t.Errorf("%q: it ended with %+v", one.flags, result)
		}
	}
}

// Whether a company can issue by its city is checked without asking anybody: what it lacks, who takes
// its notes, and that a city has turned to the national system is said, and changes nothing.
func TestFiscalProfileCommand_CheckOfCity(t *testing.T) {
	t.Parallel()
	c := newCityCase(t) // whose city, São Paulo, must not be asked
	api := start(t, c.settings.withoutTemporal(), "api").api
	c.settings = c.settings.withoutTemporal()
	c.setProfile(t, ofCampinas...)
	c.addCertificate(t)
	service := c.newService(t, api, testkit.Body{"national_tax_code": "01.07.01", "municipality_code": "3509502"})
	c.classify(t, service)
	c.check(t, false).expect(t, "services", readiness.Failed, service+" (city_code_missing)")
	list := []string{"service", "list", "--organization", c.organization}
	if listed := succeeds(t, c.settings, list...); !strings.Contains(listed, "has no code of Campinas/SP (cTribMun)") {
		t.Errorf("listed is %s", listed)
	}
	succeeds(t, c.settings, "service", "tax", service, "--organization", c.organization, "--municipal-code", "001")
	if listed := succeeds(t, c.settings, list...); !strings.Contains(listed, " 001 ") ||
		strings.Contains(listed, "cTribMun") {
		t.Errorf("listed is %s", listed)
	}
	c.check(t, false).expect(t, "server", readiness.Failed, "EMISSOR_CITIES is false")
	c.settings = c.settings.with("EMISSOR_CITIES", "true")
	ready := c.check(t, true)
	ready.expect(t, "profile", readiness.Passed, "campinas, series 10001")
	ready.expect(t, "city", readiness.Passed, "Campinas/SP takes notes of this company on a server of its own, of "+
		"competence from 2026-09-21 on. What Campinas/SP has set in the national system is not known here yet.")
	ready.expect(t, "server", readiness.Passed, "https://preprod-nfseapi.ima.sp.gov.br/notafiscal-ws")
	ready.expect(t, "services", readiness.Passed, "1 of 1 active live services are ready")

	key := companies.CityKey{Authority: "national", MunicipalityCode: "3509502"}
	turn := func(is bool) {
		t.Helper()
		worker := testkit.OpenStore(t, c.database.As(testkit.Roles.Worker))
		must(t, worker.Companies.UseProfileCities(t.Context(), "national"))
		must(t, worker.Companies.SaveCity(t.Context(), key, fiscal.City{Active: true, AderenteEmissorNacional: new(is)}, 0))
	}
	turn(true)
	c.check(t, true).expect(t, "city", readiness.Passed, "Decide whether the company goes over to the national system: "+
		"nothing is switched by itself.")
	if profile := printed[nfse.FiscalProfile](t, c.settings, "fiscal-profile", "show", "--organization",
		c.organization); profile.Authority != "campinas" {
		t.Errorf("the profile is %+v", profile)
	}
	turn(false)
	set := func(more ...string) {
		t.Helper()
		flags := slices.Concat([]string{"fiscal-profile", "set", "--organization", c.organization}, ofCampinas, more)
		if result := execute(t, c.settings, flags...); result.code != 0 {
			t.Fatalf("it ended with %+v", result)
		}
	}
	set("--authority", "national")
	c.check(t, false).expect(t, "city", readiness.Failed, "the national system refuses notes of this company (E0039). "+
		"The fiscal profile names another authority: have this company issue by Campinas/SP itself (campinas). "+
		"emissor fiscal-profile set --authority campinas")

	set("--authority", "campo-grande", "--municipality", "5002704")
	c.check(t, false).expect(t, "city", readiness.Failed, "does not issue by Emissor yet: not available in this "+
		"city yet. An operator can turn it on")
	if messages := c.city.Messages(); len(messages) != 0 {
		t.Errorf("São Paulo was asked: %+v", messages)
	}
}
