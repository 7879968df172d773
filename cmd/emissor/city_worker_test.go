package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/operate"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// citySystem is an installation of which companies issue nationally and by cities of the table. One
// simulator plays all of their servers.
type citySystem struct {
	authority *sefin.Simulator
	database  *testkit.Database
	settings  settings
}

func newCitySystem(t *testing.T) citySystem {
	t.Helper()
	authority, err := sefin.Start(sefin.Options{})
	must(t, err)
	t.Cleanup(func() { _ = authority.Close() })
	return newCitySystemAt(t, authority)
}

func newCitySystemAt(t *testing.T, authority *sefin.Simulator) citySystem {
	t.Helper()
	must(t, authority.SetCities([]sefin.City{
		{Name: "sorocaba", Municipality: "3552205", FirstSeries: 10001, Challenges: true},
		{Name: "santos", Municipality: "3548500", FirstSeries: 10001, Refuses: "alertas"}}))
	roots := write(t, "roots.pem", authority.RootsPEM())
	database := testkit.NewDatabase(t)
	return citySystem{authority, database, withKeyset(t, settingsOf(database)).
		with("EMISSOR_NATIONAL_RESTRICTED_URL", authority.URL()).with("EMISSOR_AUTHORITY_CA", roots).
		with("EMISSOR_CERTIFICATE_ROOTS", roots)}
}

// importTable imports a table of some cities: see rowOf.
func (c citySystem) importTable(t *testing.T, rows ...string) {
	t.Helper()
	header := strings.Join(strings.SplitAfterN(cityFile(), "\n", 3)[:2], "")
	succeeds(t, c.settings, "city", "import", write(t, "cities.tsv", []byte(header+strings.Join(rows, ""))))
}

// rowOf is the row of a city of the family DSF.
func (c citySystem) rowOf(code, name, state string) string {
	return strings.Join([]string{code, name, "dsf", state, "2026-01-01", "", "", c.authority.CityURL(name),
		"inclusive-sha1", "3",
		"series=10001-49999 rate=50 send-timeout=30s ask-timeout=30s grace-period=2s", "a row of the test"}, "\t") + "\n"
}

// cityCompany is a company that issues.
type cityCompany struct {
	caller
	organization string
}

func (c cityCompany) scope() nfse.Scope {
	return nfse.Scope{OrganizationID: c.organization, Livemode: true}
}

// newCompany makes a company that is about to issue, and returns it and a service.
func (c citySystem) newCompany(t *testing.T, api, authority, municipality, series string) (cityCompany, string) {
	t.Helper()
	organization, _, key := c.database.NewOrganization(t, "Clínica "+authority)
	profile := []string{"fiscal-profile", "set", "--organization", organization.ID, "--authority", authority,
		"--document", string(issuerTaxID), "--municipality", municipality, "--simples", "none", "--series", series,
		"--environment", "restricted", "--tax-federal", "13.45", "--tax-municipal", "2.90"}
	if authority != "national" {
		profile = append(profile, "--municipal-registration", "31000000")
	}
	succeeds(t, c.settings, profile...)
	pfx, err := c.authority.NewPFX(sefin.Subject{TaxID: string(issuerTaxID)}, "secret")
	must(t, err)
	succeeds(t, c.settings, "certificate", "add", "--organization", organization.ID, "--password-file",
		write(t, "password", []byte("secret\n")), write(t, "a1.pfx", pfx))
	company := cityCompany{caller{api, key}, organization.ID}
	service := company.post(t, "/v1/services", testkit.Body{
		"name": "Suporte", "description": "Suporte técnico", "municipality_code": municipality,
		"default_amount_cents": 15000, "national_tax_code": "01.07.01",
	}, http.StatusCreated)["id"].(string)
	if authority != "national" {
		// Its code of the service is given as a page gives it.
		must(t, c.database.Changes().Catalogues.TaxService(t.Context(), company.scope(), service,
			nfse.ServiceTaxation{MunicipalCode: "123"}, ""))
	}
	return company, service
}

func (c caller) issueLive(t *testing.T, service, reference string) string {
	t.Helper()
	return c.post(t, "/v1/nfse", testkit.Issuance(service, reference), http.StatusAccepted)["id"].(string)
}

// expectLedger expects that each note has one document, and that there is no other.
func (c citySystem) expectLedger(t *testing.T, notes ...string) {
	t.Helper()
	documents := map[string]int{}
	for _, entry := range c.authority.Ledger() {
		for _, note := range notes {
			if strings.HasSuffix(note, entry.CIntContrib) {
				documents[note]++
			}
		}
	}
	if len(c.authority.Ledger()) != len(notes) {
		t.Errorf("there are %d documents of %d notes", len(c.authority.Ledger()), len(notes))
	}
	for _, note := range notes {
		if documents[note] != 1 {
			t.Errorf("of %s there are %d documents", note, documents[note])
		}
	}
}

// A city of a family that the program speaks needs no code: a row, a profile and a note. Nothing is
// sent to it before EMISSOR_CITIES says so; the note waits, and goes on.
func TestCities_OfAKnownFamily(t *testing.T) {
	long.Only(t, "adds a city by a row, and issues there")
	t.Parallel()
	c := newCitySystem(t)
	program := start(t, c.settings, "serve")
	c.importTable(t, c.rowOf("3552205", "sorocaba", "on"))
	company, service := c.newCompany(t, program.api, "sorocaba", "3552205", "10001")
	note := company.issueLive(t, service, "order")
	eventuallyShows(t, c.settings, note, `waits: the worker is not configured for the environment restricted of the `+
		`authority "sorocaba"`)
	if ledger := c.authority.Ledger(); len(ledger) != 0 {
		t.Errorf("the city has %+v", ledger)
	}
	program.terminate(t)
	program.expectEnd(t)

	c.settings = c.settings.with("EMISSOR_CITIES", "true").with("EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM", "2099-01-01")
	program = start(t, c.settings, "serve")
	shown := eventuallyShows(t, c.settings, note, "is issued")
	for _, words := range []string{"took the DPS number 1 of series 10001 (sorocaba, restricted)",
		"find_numbers: accepted"} {
		if !strings.Contains(shown, words) {
			t.Errorf("the note is shown without %q:\n%s", words, shown)
		}
	}
	c.expectLedger(t, note)
	used := succeeds(t, c.settings, "series", "check", "--organization", company.organization)
	if !strings.Contains(used, "Series 10001") || !strings.Contains(used, "1 are free") {
		t.Errorf("of its numbers the city says %s", used)
	}
	fails(t, c.settings.with("EMISSOR_CITIES", "false"), "EMISSOR_CITIES is not true for this command", "series", "check",
		"--organization", company.organization)
	status := printed[operate.ServerStatuses](t, c.settings, "city", "status")
	city := status.Authorities[len(status.Authorities)-1]
	if city.Authority != "sorocaba" || !city.On || len(city.Environments) != 1 ||
		city.Environments[0].Hour.Answered < 2 || city.Environments[0].LastAnswered == nil {
		t.Errorf("the status is %+v", city)
	}
	_, metrics := answer(t, program.admin+"/metrics")
	if !strings.Contains(metrics, `emissor_authority_call_seconds_count{authority="sorocaba",call="issue",`+
		`outcome="accepted"} 1`) {
		t.Error("the city's call is in no metric")
	}

	// What is to be done to a note whose city has left the table since waits, and says so.
	c.importTable(t, c.rowOf("3548500", "santos", "on"))
	testkit.Eventually(t, "the worker knows the table", func() bool {
		return strings.Contains(program.logged(), "another worker takes the place")
	})
	company.url = program.api
	company.post(t, "/v1/nfse/"+note+"/cancel", testkit.Body{"reason_code": "1", "reason_text": "Emitida por engano"},
		http.StatusAccepted)
	eventuallyShows(t, c.settings, note, `waits: There is no authority "sorocaba": its row was taken out`)
	c.importTable(t, c.rowOf("3552205", "sorocaba", "on"))
	eventuallyShows(t, c.settings, note, "cancelled")
}

// A table is imported while a worker runs: a city is turned on and another one added, and their notes
// are issued without a restart. What was under way, and what others issue meanwhile, is done once.
func TestCities_AnotherTableWhileWorking(t *testing.T) {
	long.Only(t, "replaces the table of cities under a worker")
	t.Parallel()
	c := newCitySystem(t)
	c.settings = c.settings.with("EMISSOR_CITIES", "true").with("EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM", "2099-01-01")
	c.importTable(t, c.rowOf("3552205", "sorocaba", "off: not tried"))
	program := start(t, c.settings, "serve")
	city, cityService := c.newCompany(t, program.api, "sorocaba", "3552205", "10001")
	country, service := c.newCompany(t, program.api, "national", "3304557", "1")
	notes := []string{city.issueLive(t, cityService, "waits")}
	eventuallyShows(t, c.settings, notes[0], "waits: Sorocaba/SP does not issue by Emissor yet: “not tried”")

	c.importTable(t, c.rowOf("3552205", "sorocaba", "on"), c.rowOf("3548500", "santos", "on"))
	// There are always calls under way, and answers get lost.
	must(t, c.authority.SetFaultProfile(sefin.FaultProfile{Seed: 7, Faults: []sefin.Fault{
		{Kind: sefin.Latency, Scope: sefin.Issue, Delay: sefin.Duration(500 * time.Millisecond)},
		{Kind: sefin.Drop, Scope: sefin.Issue, After: true, Next: 3}}}))
	renewed := func() int { return strings.Count(program.logged(), "another worker takes the place") }
	testkit.Eventually(t, "the worker knows the table", func() bool {
		// Until then, and beyond, others' notes are issued.
		for range 4 {
			notes = append(notes, country.issueLive(t, service, fmt.Sprint("order-", len(notes))))
		}
		eventuallyShows(t, c.settings, notes[len(notes)-4], "is issued")
		return renewed() == 1
	})
	santos, santosService := c.newCompany(t, program.api, "santos", "3548500", "10001")
	notes = append(notes, santos.issueLive(t, santosService, "added"), country.issueLive(t, service, "after"))
	for _, note := range notes {
		eventuallyShows(t, c.settings, note, "is issued")
	}
	c.expectLedger(t, notes...)
	awaitStatus(t, program.admin+"/readyz", http.StatusOK)
	if renewed() != 1 || program.hasEnded() {
		t.Errorf("another worker was made %d times:\n%s", renewed(), program.logged())
	}
	program.terminate(t)
	program.expectEnd(t)
}
