package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"emissor/cmd/emissor/company"
	"emissor/issuing/company/readiness"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/testkit"
)

// cityCase is an organization that is about to issue by the city of São Paulo, played
// by its simulator.
type cityCase struct {
	city         *simulator.Simulator
	database     *testkit.Database
	settings     settings
	organization string
	key          string // live
}

const cityRegistration = "31000000"

func newCityCase(t *testing.T) cityCase {
	t.Helper()
	city, err := simulator.Start(simulator.Options{Registry: simulator.Registry{
		Taxpayers: map[string]simulator.Taxpayer{cityRegistration: {TaxID: string(issuerTaxID)}},
	}})
	must(t, err)
	t.Cleanup(func() { _ = city.Close() })
	return newCityCaseAt(t, city)
}

func newCityCaseAt(t *testing.T, city *simulator.Simulator) cityCase {
	t.Helper()
	database := testkit.NewDatabase(t)
	organization, _, key := database.NewOrganization(t, "Clínica Exemplo")
	roots := write(t, "roots.pem", city.RootsPEM())
	return cityCase{city, database, withKeyset(t, settingsOf(database)).with("EMISSOR_SAO_PAULO_URL", city.URL()).
		with("EMISSOR_AUTHORITY_CA", roots).with("EMISSOR_AUTHORITY_GRACE_PERIOD", "1s").
		with("EMISSOR_CERTIFICATE_ROOTS", roots), organization.ID, key}
}

func (c cityCase) setProfile(t *testing.T, more ...string) {
	t.Helper()
	succeeds(t, c.settings, append([]string{"fiscal-profile", "set", "--organization", c.organization, "--authority",
		"sao-paulo", "--document", string(issuerTaxID), "--municipality", "3550308", "--municipal-registration",
		cityRegistration, "--simples", "none", "--series", "1", "--environment", "restricted"}, more...)...)
}

func (c cityCase) addCertificate(t *testing.T) {
	t.Helper()
	pfx, err := c.city.NewPFX(simulator.Subject{TaxID: string(issuerTaxID)}, "secret")
	must(t, err)
	succeeds(t, c.settings, "certificate", "add", write(t, "a1.pfx", pfx), "--organization", c.organization,
		"--password-file", write(t, "password", []byte("secret\n")))
}

func (c cityCase) newService(t *testing.T, api string, more testkit.Body) string {
	t.Helper()
	body := testkit.Body{"name": "Suporte", "description": "Suporte técnico em informática",
		"municipality_code": "3550308", "default_amount_cents": 15000}
	for field, value := range more {
		body[field] = value
	}
	return caller{api, c.key}.post(t, "/v1/services", body, http.StatusCreated)["id"].(string)
}

func (c cityCase) classify(t *testing.T, service string) {
	t.Helper()
	succeeds(t, c.settings, "service", "classify", service, "--organization", c.organization, "--nbs", "115022000",
		"--cindop", "100301", "--cclasstrib", "000001", "--indfinal", "false")
}

// checkedProfile is what a script reads of `fiscal-profile check`.
type checkedProfile struct {
	Ready  bool
	Checks []company.ProfileCheck
}

// check expects that the organization can issue, or else cannot.
func (c cityCase) check(t *testing.T, ready bool, more ...string) checkedProfile {
	t.Helper()
	result := execute(t, c.settings, append([]string{"fiscal-profile", "check", "--organization", c.organization,
		"--json"}, more...)...)
	var checked checkedProfile
	if err := json.Unmarshal([]byte(result.stdout), &checked); err != nil || checked.Ready != ready ||
		(result.code == 0) != ready {
		t.Errorf("expected ready %v, it ended with %d\n%s%s", ready, result.code, result.stdout, result.stderr)
	}
	return checked
}

// expect expects a check's state and words in what was found or is to be done.
func (p checkedProfile) expect(t *testing.T, check string, state readiness.State, words string) {
	t.Helper()
	i := slices.IndexFunc(p.Checks, func(one company.ProfileCheck) bool { return one.Check == check })
	if i < 0 || p.Checks[i].State != state ||
		!strings.Contains(p.Checks[i].Found+p.Checks[i].Explanation+p.Checks[i].Action, words) {
		t.Errorf("of %s expected is %s, %q\n%+v", check, state, words, p.Checks)
	}
}

// Before the first note everything that it needs is checked at the city, which makes no
// note of it: under the restricted environment, too.
func TestFiscalProfileCommand_CheckInSaoPaulo(t *testing.T) {
	t.Parallel()
	c := newCityCase(t)
	api := start(t, c.settings.withoutTemporal(), "api").api
	c.settings = c.settings.withoutTemporal()
	c.setProfile(t)
	lacking := c.check(t, false)
	lacking.expect(t, "profile", readiness.Passed, "sao-paulo, series 1, environment restricted")
	lacking.expect(t, "certificate", readiness.Failed, "certificate add")
	lacking.expect(t, "document", readiness.Failed, "is not shown to be the organization's")
	lacking.expect(t, "registration", readiness.Skipped, "")
	lacking.expect(t, "series", readiness.Skipped, "not shown")
	lacking.expect(t, "service", readiness.Failed, "no active live service")
	lacking.expect(t, "test", readiness.Skipped, "")

	c.addCertificate(t)
	national := c.newService(t, api, testkit.Body{"national_tax_code": "01.07.01"})
	c.check(t, false).expect(t, "service", readiness.Failed, "municipal_tax_code_missing")
	service := c.newService(t, api, testkit.Body{"municipal_tax_code": "2919", "municipal_taxation": "T",
		"iss_rate": 2.9})
	c.check(t, false).expect(t, "service", readiness.Failed, "emissor service classify")
	c.classify(t, service)
	ready := c.check(t, true)
	ready.expect(t, "registration", readiness.Passed, "knows "+cityRegistration)
	ready.expect(t, "service", readiness.Passed, service)
	ready.expect(t, "test", readiness.Passed, "none was made")
	c.check(t, false, "--service", national).expect(t, "service", readiness.Failed, "municipal_tax_code_missing")
	fails(t, c.settings, "has no live service srv_x", "fiscal-profile", "check", "--organization", c.organization,
		"--service", "srv_x")
	c.setProfile(t, "--environment", "production")
	// Which the certificate shows there, too.
	c.check(t, true).expect(t, "document", readiness.Passed, "the organization's")

	c.setProfile(t, "--municipal-registration", "42000000")
	c.check(t, false).expect(t, "registration", readiness.Failed, "but under "+cityRegistration)
	c.setProfile(t)
	taxpayer := simulator.Taxpayer{TaxID: string(issuerTaxID), NoNotes: true}
	c.city.SetRegistry(simulator.Registry{Taxpayers: map[string]simulator.Taxpayer{cityRegistration: taxpayer}})
	refused := c.check(t, false)
	refused.expect(t, "registration", readiness.Failed, "does not let it issue")
	refused.expect(t, "test", readiness.Failed, "the city answered 1207")
	taxpayer = simulator.Taxpayer{TaxID: string(issuerTaxID), Simples: true}
	c.city.SetRegistry(simulator.Registry{Taxpayers: map[string]simulator.Taxpayer{cityRegistration: taxpayer}})
	c.check(t, false).expect(t, "test", readiness.Failed, "national")
	printed := execute(t, c.settings, "fiscal-profile", "check", "--organization", c.organization)
	if printed.code != 1 || !strings.Contains(printed.stdout, "the city answered 641") ||
		!strings.Contains(printed.stderr, "cannot issue live notes yet: 1 of 9 checks failed") {
		t.Errorf("printed is %+v", printed)
	}

	c.settings = c.settings.with("EMISSOR_SAO_PAULO_URL", "")
	c.check(t, false).expect(t, "address", readiness.Failed, "EMISSOR_SAO_PAULO_URL is not set")
	if len(c.city.Ledger()) != 0 {
		t.Errorf("the city has issued %+v", c.city.Ledger())
	}
}

// Services of a company of the city are classified by the city's table and layout: as one, in
// a file, and in the list.
func TestServiceCommand_ClassifyInSaoPaulo(t *testing.T) {
	t.Parallel()
	c := newCityCase(t)
	api := start(t, c.settings.withoutTemporal(), "api").api
	c.settings = c.settings.withoutTemporal()
	service := c.newService(t, api, testkit.Body{"municipal_tax_code": "2919", "municipal_taxation": "T"})
	classify := func(cIndOp string, more ...string) []string {
		return append([]string{"service", "classify", service, "--organization", c.organization, "--nbs", "115022000",
			"--cindop", cIndOp, "--cclasstrib", "000001", "--indfinal", "false"}, more...)
	}
	misused(t, c.settings, "--cindop 010101 is not in Annex C", classify("010101")...) // no profile: the national system
	c.setProfile(t)
	misused(t, c.settings, "--cindop 030103 is not in Annex VII as the city goes by it (630)", classify("030103")...)
	misused(t, c.settings, "--pdif-uf must not be given: the city's layout has no deferral (schema)",
		classify("100301", "--pdif-uf", "1", "--pdif-mun", "1", "--pdif-cbs", "1")...)
	file := write(t, "services.csv", []byte("service,nbs,cindop,cclasstrib,indfinal\n"+
		service+",115022000,050104,000001,false\n"))
	fails(t, c.settings, "line 2: cindop 050104 is not in Annex VII", "service", "classify", "--organization",
		c.organization, "--csv", file)
	succeeds(t, c.settings, classify("010101")...)
	if listed := succeeds(t, c.settings, "service", "list", "--organization", c.organization); strings.Contains(listed,
		"Annex") || !strings.Contains(listed, "010101") {
		t.Errorf("listed is %s", listed)
	}
	c.setProfile(t, "--authority", "national", "--tax-federal", "13.45", "--tax-municipal", "2.90")
	if listed := succeeds(t, c.settings, "service", "list", "--organization", c.organization); !strings.Contains(listed,
		"(E0901)") {
		t.Errorf("listed is %s", listed)
	}
}

// What can be checked of a profile of the national system without asking it.
func TestFiscalProfileCommand_CheckNational(t *testing.T) {
	t.Parallel()
	c := newCityCase(t)
	api := start(t, c.settings.withoutTemporal(), "api").api
	c.settings = c.settings.withoutTemporal()
	c.setProfile(t, "--authority", "national", "--tax-federal", "13.45", "--tax-municipal", "2.90")
	lacking := c.check(t, false)
	lacking.expect(t, "profile", readiness.Passed, "national")
	lacking.expect(t, "certificate", readiness.Failed, "certificate add")
	lacking.expect(t, "city", readiness.Skipped, "not known here yet")
	lacking.expect(t, "services", readiness.Failed, "0 of 0 active live services are ready")
	c.addCertificate(t)
	service := c.newService(t, api, testkit.Body{"national_tax_code": "01.07.01"})
	c.check(t, false).expect(t, "services", readiness.Failed, service+" (unclassified)")
	c.classify(t, service)
	second := c.newService(t, api, nil)
	c.check(t, true).expect(t, "services", readiness.Passed,
		"1 of 2 active live services are ready; these are not: "+second)
	if messages := c.city.Messages(); len(messages) != 0 {
		t.Errorf("the city was asked: %+v", messages)
	}
}
