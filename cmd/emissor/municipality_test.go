package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/operate"
	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/test/testkit"
)

// sampa is São Paulo, which lets only Simples issue by the federal register alone.
var sampa = fiscal.City{Active: true, AderenteEmissorNacional: new(true),
	SituacaoEmissaoPadraoContribuintesRFB: new(false)}

func saveCity(t *testing.T, database *testkit.Database, organization string, key companies.CityKey, city fiscal.City) {
	t.Helper()
	leased, err := database.Store.Companies.LeaseCity(t.Context(), key, organization, time.Minute)
	must(t, err)
	if !leased {
		t.Fatal("it is not due")
	}
	must(t, database.Store.Companies.SaveCity(t.Context(), key, city, time.Hour))
}

func TestMunicipalityCommand(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database).ID
	if shown := succeeds(t, s, "municipality", "show", "3550308"); !strings.Contains(shown,
		"nothing is known of 3550308 São Paulo/SP") {
		t.Errorf("nothing is shown as %s", shown)
	}
	key := companies.CityKey{Authority: "national", Production: true, MunicipalityCode: "3550308"}
	saveCity(t, database, organization, key, sampa)
	must(t, database.Store.Companies.UseCityService(t.Context(), key, "01.07.01.000"))
	must(t, database.Store.Companies.SaveCityService(t.Context(), key, "01.07.01.000", fiscal.ServiceParameters{},
		time.Hour))
	must(t, database.Store.Companies.UseCityService(t.Context(), key, "11.01.01.000"))
	shown := cells(succeeds(t, s, "municipality", "show", "3550308"))
	for _, row := range [][]string{
		{"PARAMETER", "VALUE"}, {"municipality", "3550308 São Paulo/SP"}, {"environment", "production"},
		{"convênio active", "true"}, {"aderenteEmissorNacional", "true"}, {"aderenteMAN", "-"},
		{"situacaoEmissaoPadraoContribuintesRFB", "false"}, {"counts", "yes"},
		{"asked with the certificate of", organization}, {"service 11.01.01.000", "not fetched yet"},
	} {
		if !slices.ContainsFunc(shown, func(cells []string) bool { return slices.Equal(cells, row) }) {
			t.Errorf("it is shown without %q: %q", row, shown)
		}
	}
	if record := printed[[]operate.ShownCity](t, s, "municipality", "show", "3550308", "--environment",
		"production"); len(
		record) != 1 || record[0].FetchedAt == nil || len(record[0].Services) != 2 {
		t.Errorf("in JSON it is %+v", record)
	}
	if record := printed[[]operate.ShownCity](t, s, "municipality", "show", "3550308", "--environment",
		"restricted"); len(record) != 0 {
		t.Errorf("of the other environment there is %+v", record)
	}
	must(t, database.Store.Companies.DoubtCity(t.Context(), key, "E0084"))
	if shown := succeeds(t, s, "municipality", "show", "3550308"); !strings.Contains(shown,
		"no: the authority answered E0084 on ") {
		t.Errorf("doubted it is shown as %s", shown)
	}
	refreshed := printed[operate.ShownCity](t, s, "municipality", "refresh", "3304557", "--environment", "restricted")
	if refreshed.City != nil || refreshed.NextFetchAt.After(time.Now()) {
		t.Errorf("refreshed is %+v", refreshed)
	}
	fails(t, s, `no municipality has the IBGE code "3304558"`, "municipality", "show", "3304558")
	fails(t, s, `no municipality has the IBGE code "x"`, "municipality", "refresh", "x", "--environment", "production")
	misused(t, s, "--environment must be production or restricted", "municipality", "refresh", "3304557",
		"--environment", "live")
	misused(t, s, "--environment must be production or restricted", "municipality", "show", "3304557",
		"--environment", "live")
}

// A profile that its city does not take is set all the same, with a warning.
func TestFiscalProfileCommand_WarnsOfTheCity(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database).ID
	key := companies.CityKey{Authority: "national", Production: true, MunicipalityCode: "3550308"}
	saveCity(t, database, organization, key, sampa)
	set := func(flags ...string) (nfse.FiscalProfile, string) {
		t.Helper()
		ran := execute(t, s, append([]string{"fiscal-profile", "set", "--organization", organization}, flags...)...)
		if ran.code != 0 {
			t.Fatalf("it ended with %d: %s", ran.code, ran.stderr)
		}
		return printed[nfse.FiscalProfile](t, s, "fiscal-profile", "show", "--organization", organization), ran.stderr
	}
	if _, warning := set("--document", "11222333000181", "--municipality", "3304557", "--simples", "none",
		"--environment", "restricted", "--series", "1"); !strings.Contains(warning, "is not known here yet") {
		t.Errorf("of a city that nobody asked about it is said %q", warning)
	}
	profile, warning := set("--document", "11222333000181", "--municipality", "3550308", "--simples", "none",
		"--environment", "production", "--series", "900")
	if profile.IgnoreMunicipalParameters || !strings.Contains(warning,
		"warning: notes of this profile will wait. E0084") {
		t.Errorf("%+v is set with %q", profile, warning)
	}
	profile, warning = set("--ignore-municipal-parameters")
	if !profile.IgnoreMunicipalParameters || warning != "" {
		t.Errorf("%+v is set with %q", profile, warning)
	}
	for _, flags := range [][]string{
		{"--ignore-municipal-parameters=false", "--simples", "me", "--simples-regime", "1"},
		{"--simples", "none", "--simples-regime", "0", "--environment", "restricted"}, // of which nothing is known
		{"--environment", "production", "--municipality", "3304557"},
	} {
		if _, warning := set(flags...); strings.Contains(warning, "warning:") {
			t.Errorf("%v: %q", flags, warning)
		}
	}
}
