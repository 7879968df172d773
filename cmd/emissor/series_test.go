package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/issuing/company/series"
	"emissor/nfse/fact"
	"emissor/store/audit"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/testkit"
)

// Going live in São Paulo as the operator's guide says it: what a held series means,
// what to look at, and letting it go on.
func TestSeriesCommand_HeldAndReleased(t *testing.T) {
	t.Parallel()
	c := newCityCase(t)
	program := start(t, c.settings, "serve")
	s, caller := c.settings, caller{program.api, c.key}
	c.setProfile(t, "--environment", "production")
	c.addCertificate(t)
	service := c.newService(t, program.api, testkit.Body{"municipal_tax_code": "2919", "municipal_taxation": "T",
		"iss_rate": 2.9})
	c.classify(t, service)
	issue := func(reference string) string {
		t.Helper()
		return caller.post(t, "/v1/nfse", testkit.Issuance(service, reference), http.StatusAccepted)["id"].(string)
	}
	await := func(id, words string) string {
		t.Helper()
		return eventuallyShows(t, s, id, words)
	}
	fails(t, s, "no series of the organization is held", "series", "release", "--organization", c.organization)
	first := issue("first")
	shown := await(first, "nf=1&verificacao=")
	entry := c.city.Ledger()[0]
	page := "https://nfe.prefeitura.sp.gov.br/contribuinte/notaprint.aspx?inscricao=31000000&nf=1&verificacao=" +
		entry.VerificationCode
	if !strings.Contains(shown, page) {
		t.Errorf("the note is shown without %s\n%s", page, shown)
	}
	fails(t, s, "has no DANFSe; the city shows it at "+page, "note", "danfse", first, "-o", "-")

	// Another program takes a number, and the city shows a note later than is waited for.
	_, err := c.city.IssueOnSite(simulator.SiteNote{Registration: cityRegistration, Series: "1", RPSNumber: "4",
		Issuer: string(issuerTaxID), AmountCents: 100, ServiceCode: "2919"})
	must(t, err)
	must(t, c.city.SetFaultProfile(simulator.FaultProfile{Seed: 7, Faults: []simulator.Fault{
		{Kind: simulator.Drop, Scope: simulator.Issue, After: true, Next: 1},
		{Kind: simulator.Hide, Scope: simulator.Query, Delay: simulator.Duration(time.Hour)}}}))
	second := issue("second")
	if shown := await(second, "ALARM: "); !strings.Contains(shown, "the city cancelled the note") {
		t.Errorf("the alarm is shown as %s", shown)
	}
	must(t, c.city.SetFaultProfile(simulator.FaultProfile{}))
	await(second, "nf=4&verificacao=")
	third := issue("third")
	waits := await(third, "the series is held")
	if !strings.Contains(waits, "emissor series says what to do") {
		t.Errorf("the held note is shown as %s", waits)
	}
	if help := succeeds(t, s, "series"); !strings.Contains(help, "emissor series release") {
		t.Errorf("emissor series says %s", help)
	}

	list := printed[[]struct {
		Series     int
		Held       bool
		HeldReason fact.Fact `json:"held_reason"`
	}](t, s, "series", "list", "--organization", c.organization)
	if len(list) != 1 || list[0].Series != 1 || !list[0].Held ||
		!strings.Contains(list[0].HeldReason.English(), "the city cancelled the note") {
		t.Errorf("the series are %+v", list)
	}
	if table := succeeds(t, s, "series", "list"); !strings.Contains(table, "the city cancelled the note") {
		t.Errorf("the table is %s", table)
	}
	checked := printed[struct {
		From, Through int64
		Numbers       []series.Number
		HeldReason    fact.Fact `json:"held_reason"`
	}](t, s, "series", "check", "--organization", c.organization)
	if checked.From != 3 || checked.Through != 52 || checked.HeldReason.None() || len(checked.Numbers) != 1 ||
		checked.Numbers[0] != (series.Number{Number: 4, State: "used", Document: "2"}) {
		t.Errorf("checked is %+v", checked)
	}
	if table := succeeds(t, s, "series", "check", "--organization", c.organization); !strings.Contains(table,
		"3 to 52, the city says that 49 are free") || !strings.Contains(table, "The series is held") {
		t.Errorf("the check says %s", table)
	}

	release := []string{"series", "release", "--organization", c.organization}
	if said := succeeds(t, s, release...); !strings.HasPrefix(said, "NOTHING WAS RELEASED") ||
		!strings.Contains(said, "the city cancelled the note") {
		t.Errorf("without --yes it says %s", said)
	}
	await(third, "waits")
	fails(t, s, "the series 2 of the organization is not held", append(release, "--series", "2")...)
	if said := succeeds(t, s, append(release, "--yes")...); !strings.HasPrefix(said, "RELEASED:") {
		t.Errorf("with --yes it says %s", said)
	}
	await(third, "3 of series 1 is issued")
	if audit := printed[[]audit.Entry](t, s, "audit", "list", "--action", "series.release"); len(audit) != 1 {
		t.Errorf("the audit log has %+v", audit)
	}
	fails(t, s, "no series of the organization is held", append(release, "--yes")...)
}

// At the end of a series only the numbers are asked about that it still has.
func TestSeriesCommand_LastNumbers(t *testing.T) {
	t.Parallel()
	c := newCityCase(t)
	c.settings = c.settings.withoutTemporal()
	c.setProfile(t)
	c.addCertificate(t)
	c.setProfile(t, "--next-number", "999999999990")
	said := succeeds(t, c.settings, "series", "check", "--organization", c.organization)
	if !strings.Contains(said, "999999999990 to 999999999999, the city says that 10 are free") {
		t.Errorf("the check says %s", said)
	}
}

// Which of several held series is released is said by its number, or where that is not enough by its name.
func TestSeriesCommand_SeveralHeld(t *testing.T) {
	t.Parallel()
	c := newCityCase(t)
	c.settings = c.settings.withoutTemporal()
	c.setProfile(t)
	c.addCertificate(t)
	first := "sao-paulo/restricted/" + string(issuerTaxID) + "/3550308/1/31000000"
	second, other := strings.Replace(first, "31000000", "41000000", 1), strings.Replace(first, "/1/", "/7/", 1)
	c.database.Exec(t, `INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series,
			registration, held_reason, held_at)
		SELECT 'sao-paulo', false, $1, '3550308', series, registration, '{"code": "x"}', now()
		FROM (VALUES (1, '31000000'), (1, '41000000'), (7, '31000000')) held (series, registration)`,
		string(issuerTaxID))
	release := func(more ...string) []string {
		return append([]string{"series", "release", "--organization", c.organization, "--yes"}, more...)
	}
	fails(t, c.settings, "several series of the organization are held, say which by --series: "+
		strings.Join([]string{first, second, other}, ", "), release()...)
	fails(t, c.settings, "several series", release("--series", "1")...)
	misused(t, c.settings, "--series must be AUTHORITY/", release("--series", "one")...)
	fails(t, c.settings, "is not held", release("--series", strings.Replace(other, "/7/", "/8/", 1))...)
	succeeds(t, c.settings, release("--series", second)...)
	succeeds(t, c.settings, release("--series", "7")...)
	if left := c.database.Count(t, `SELECT count(*) FROM fiscal_series WHERE held_reason IS NOT NULL
		AND registration = '31000000' AND series = 1`); left != 1 {
		t.Error("the series that nobody named was released")
	}
}

// Series are for the city; a profile of the national system has nothing to check.
func TestSeriesCommand_Refused(t *testing.T) {
	t.Parallel()
	c := newCityCase(t)
	s := c.settings.withoutTemporal()
	c.settings = s
	check := []string{"series", "check", "--organization", c.organization}
	fails(t, s, "has no fiscal profile", check...)
	c.setProfile(t)
	fails(t, s, "certificate", check...)
	fails(t, s.with("EMISSOR_SAO_PAULO_URL", ""), "EMISSOR_SAO_PAULO_URL is not set", check...)
	c.setProfile(t, "--authority", "national")
	fails(t, s, "there is nothing to check", check...)
	fails(t, s, "there is no organization", "series", "release", "--organization", "org_x")
	if list := succeeds(t, s, "series", "list", "--json"); list != "[]\n" {
		t.Errorf("no series are listed as %s", list)
	}
}
