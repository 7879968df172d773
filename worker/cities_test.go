package worker_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

const (
	rio      = "3304557" // of the issuer, and its service
	saoPaulo = "3550308"
	campinas = "3509502"
)

// newNationalWithCities also asks the ADN for the parameters of cities.
func newNationalWithCities(t *testing.T) nationally {
	t.Helper()
	t.Parallel()
	return newNationalIn(t, func(o *national.Options, _ *sefin.Simulator) {
		o.RestrictedADNURL = strings.TrimSuffix(o.RestrictedURL, "/SefinNacional")
	}, testkit.Options{NoRounds: true})
}

// agreed sets what cities agreed, at the authority.
func (n nationally) agreed(cities map[string]sefin.Agreement) {
	n.authority.SetRegistry(sefin.Registry{Municipalities: cities})
}

// asked counts the questions for the agreement of a city.
func (n nationally) asked(city string) (count int) {
	for _, path := range n.authority.ParametersAsked() {
		if path == city+"/convenio" {
			count++
		}
	}
	return count
}

// eventsService is one whose ISS is due where it is rendered: in Campinas.
func (n nationally) eventsService(t *testing.T, rate any) string {
	t.Helper()
	body := testkit.Body{
		"name": "Vigilância", "description": "Vigilância de bens", "municipality_code": campinas,
		"default_amount_cents": 15000, "national_tax_code": "11.02.01",
	}
	if rate != nil {
		body["iss_rate"] = rate
	}
	return n.Call(t, http.MethodPost, "/v1/services", n.LiveKey, body).Expect(t, http.StatusCreated).Text("id")
}

// Without an address of the ADN nothing is asked, and nothing known.
func TestCities_NotConfigured(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.Await(t, n.LiveKey, n.issue(t), nfse.StatusIssued)
	runMaintenance(t, n.System)
	if asked := n.authority.ParametersAsked(); len(asked) > 0 || n.Count(t, `SELECT (SELECT count(*) FROM
		municipal_service_parameters) + (SELECT count(*) FROM municipal_parameters)`) > 0 {
		t.Errorf("asked was %q", asked)
	}
}

// Whether the rate is sent follows from the parameters of the city that the ISS is
// due to, without a word in the profile.
func TestCities_InactiveCityOfIncidence(t *testing.T) {
	n := newNationalWithCities(t)
	n.agreed(map[string]sefin.Agreement{campinas: {Inactive: true}})
	service := n.eventsService(t, 2.01)
	id := n.Issue(t, n.LiveKey, testkit.Issuance(service, "order"))
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if sent := string(n.xml(t, id)); !strings.Contains(sent,
		"<pAliq>2.01</pAliq>") {
		t.Errorf("sent was\n%s", sent)
	}
	if n.asked(rio) != 1 || n.asked(campinas) != 1 {
		t.Errorf("asked was %q", n.authority.ParametersAsked())
	}

	// What is known costs the next note nothing: it is issued at once, and nobody is asked.
	at := n
	at.service = service
	at.atOnce(t, "next")
	if n.asked(rio) != 1 || n.asked(campinas) != 1 {
		t.Errorf("asked again was %q", n.authority.ParametersAsked())
	}

	// Without a rate it waits, and takes no number: parameters do not reject.
	before := n.Count(t, `SELECT count(*) FROM fiscal_exchanges`)
	n.Issue(t, n.LiveKey, testkit.Issuance(n.eventsService(t, nil), "no rate"))
	n.awaitHeld(t, "E0619: by its parameters the city that the ISS is due to, "+campinas)
	if taken := n.Count(t, `SELECT count(*) FROM fiscal_exchanges`) - before; taken != 0 {
		t.Errorf("%d numbers are taken", taken)
	}
	n.agreed(nil)
	n.refresh(t, campinas)
	runMaintenance(t, n.System)
	n.Await(t, n.LiveKey, n.Text(t, `SELECT id FROM notes WHERE reference = 'no rate'`), nfse.StatusIssued)
}

func (n nationally) refresh(t *testing.T, city string) {
	t.Helper()
	key := companies.CityKey{Authority: national.Name, MunicipalityCode: city}
	if err := n.Changes().Companies.RefreshCity(t.Context(), key); err != nil {
		t.Fatal(err)
	}
}

// A company outside Simples in São Paulo waits without a number, and goes on by itself
// when the city lets it issue: the maintenance sees that.
func TestCities_IssuersCityRefuses(t *testing.T) {
	n := newNationalWithCities(t)
	profile := n.NewProfile(t, national.Name)
	profile.MunicipalityCode = saoPaulo
	n.SetProfile(t, profile)
	id := n.issue(t)
	n.awaitHeld(t, "E0084: by its parameters (situacaoEmissaoPadraoContribuintesRFB 0) the issuer's city, "+saoPaulo)
	if n.Count(t, `SELECT count(*) FROM fiscal_exchanges`) != 0 || len(n.authority.Posts()) != 0 {
		t.Error("a number is taken, or something was sent")
	}
	n.agreed(map[string]sefin.Agreement{saoPaulo: {}})
	n.Exec(t, `UPDATE municipal_parameters SET next_fetch_at = now() - interval '1 minute'`) // a day has passed
	runMaintenance(t, n.System)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if waits := n.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'waits'`); waits != 1 {
		t.Errorf("it waited %d times", waits)
	}
	testkit.Eventually(t, "the rates of its service are kept", func() bool {
		return n.Count(t, `SELECT count(*) FROM municipal_service_parameters WHERE municipality_code = $1
			AND service_code = '01.07.01.000' AND service->'rates'->0->>'percent' = '2'`, saoPaulo) == 1
	})

	// Who knows better goes on all the same; then the authority decides.
	n.authority.SetRegistry(sefin.Registry{})
	n.refresh(t, saoPaulo)
	runMaintenance(t, n.System)
	testkit.Eventually(t, "the city is fetched", func() bool { return n.asked(saoPaulo) == 3 })
	n.Worker.Stop()
	n.StartWorker(t) // what it knows by heart it would go by for a minute
	n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "override"))
	n.awaitHeld(t, "E0084")
	profile.IgnoreMunicipalParameters = true
	n.SetProfile(t, profile)
	n.awaitHeld(t, "the authority refuses the document by its rule E0084")
}

// Parameters that cannot be had decide nothing, and are not asked for again for a while.
func TestCities_Down(t *testing.T) {
	n := newNationalWithCities(t)
	n.faults(t, sefin.Fault{Kind: sefin.Status, Scope: sefin.Parameters, Status: 404, Body: "html"})
	n.Await(t, n.LiveKey, n.issue(t), nfse.StatusIssued)
	if n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE city IS NULL AND failure = $1
		AND next_fetch_at > now() + interval '4 minutes' AND fetching_until IS NULL`,
		fact.AnswerNotUnderstood.With("status", 404)) != 1 {
		t.Error("the failure is not kept")
	}
	n.faults(t)
	n.atOnce(t, "next")
	if asked := n.authority.ParametersAsked(); len(asked) > 0 {
		t.Errorf("asked was %q", asked)
	}
}

// A refusal that other parameters would explain has them fetched again; the note is corrected by
// what the authority has answered.
func TestCities_Doubted(t *testing.T) {
	n := newNationalWithCities(t)
	service := n.eventsService(t, 2.01)
	n.Await(t, n.LiveKey, n.Issue(t, n.LiveKey, testkit.Issuance(service, "before")), nfse.StatusIssued)
	n.agreed(map[string]sefin.Agreement{campinas: {Inactive: true}})
	during := n.Issue(t, n.LiveKey, testkit.Issuance(service, "during"))
	n.Await(t, n.LiveKey, during, nfse.StatusIssued)
	if steps := n.steps(t, during); !strings.Contains(steps,
		"after the refusal E0619: the service's ISS rate is sent") {
		t.Errorf("its steps are\n%s", steps)
	}
	if n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE doubted_by = 'E0619'`) != 2 {
		t.Error("the cities are not doubted")
	}
	n.Await(t, n.LiveKey, n.Issue(t, n.LiveKey, testkit.Issuance(service, "after")), nfse.StatusIssued)
	if n.asked(campinas) != 2 || n.asked(rio) != 2 ||
		n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE doubted_by IS NOT NULL`) != 0 ||
		n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE confirmed_at IS NOT NULL`) != 1 {
		t.Errorf("asked was %q", n.authority.ParametersAsked())
	}
}

// The next note goes by what an operator has had refreshed, although what was known still counts.
func TestCities_RefreshedForNextNote(t *testing.T) {
	n := newNationalWithCities(t)
	service := n.eventsService(t, 2.01)
	n.Await(t, n.LiveKey, n.Issue(t, n.LiveKey, testkit.Issuance(service, "before")), nfse.StatusIssued)
	n.agreed(map[string]sefin.Agreement{campinas: {Inactive: true}})
	n.refresh(t, campinas)
	n.Worker.Stop()
	n.StartWorker(t) // what it knows by heart it would go by for a minute
	n.Await(t, n.LiveKey, n.Issue(t, n.LiveKey, testkit.Issuance(service, "after")), nfse.StatusIssued)
	if n.asked(campinas) != 2 || n.asked(rio) != 1 {
		t.Errorf("asked was %q", n.authority.ParametersAsked())
	}
}

// However many workers and notes need it, a city is asked for once.
func TestCities_FetchedOnce(t *testing.T) {
	n := newNationalWithCities(t)
	n.StartWorker(t)
	n.faults(t, sefin.Fault{Kind: sefin.Latency, Scope: sefin.Parameters, Delay: sefin.Duration(time.Second)})
	var ids []string
	for i := range 12 {
		ids = append(ids, n.Issue(t, n.LiveKey, testkit.Issuance(n.service, fmt.Sprint("order-", i))))
	}
	for _, id := range ids {
		n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	}
	if asked := n.asked(rio); asked != 1 {
		t.Errorf("it was asked for %d times", asked)
	}
}

// What is missing only when the message is built holds the note, with its number, in
// words that a person understands; and it goes on when the city changes.
func TestCities_RateMissingAtSigning(t *testing.T) {
	n := newNationalWithCities(t)
	n.Worker.Stop()
	profile := n.NewProfile(t, national.Name)
	id := n.Issue(t, n.LiveKey, testkit.Issuance(n.eventsService(t, nil), "order"))
	if _, err := n.Store.Lifecycle.BeginNote(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	takeNumber(t, n.Store, id, profile)
	n.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, city, fetched_at,
		next_fetch_at) VALUES ('national', false, $1, '{"active": false}', now(), now() + interval '1 day')`, campinas)
	n.StartWorker(t)
	n.awaitHeld(t, "E0619: by its parameters the city that the ISS is due to, "+campinas)
	n.refresh(t, campinas)
	runMaintenance(t, n.System)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if taken := n.Count(t, `SELECT count(*) FROM fiscal_exchanges`); taken != 1 {
		t.Errorf("%d numbers are taken", taken)
	}
}

// What a city has set in the national system is asked for the companies that issue by the city itself,
// too, with the certificate of one: that it has turned to the national system is told, and changes nothing.
func TestCities_OfACompanyOfACity(t *testing.T) {
	n := newNationalWithCities(t)
	profile := n.NewProfile(t, "campinas")
	profile.MunicipalityCode, profile.Series = campinas, 10001
	n.SetProfile(t, profile)
	n.agreed(map[string]sefin.Agreement{campinas: {}})
	n.Exec(t, `DELETE FROM municipal_parameters`)
	runMaintenance(t, n.System)
	testkit.Eventually(t, "the city is asked about", func() bool { return n.asked(campinas) == 1 })
	testkit.Eventually(t, "it is told that the city has turned", func() bool {
		turned, err := n.Store.Notes.TurnedCities(t.Context(), 10)
		return err == nil && len(turned) == 1 && turned[0].Authority == "campinas"
	})
	if now, err := n.Store.Companies.FiscalProfile(t.Context(), n.Organization.ID); err != nil ||
		now.Authority != "campinas" {
		t.Errorf("the profile is %+v, %v", now, err)
	}
}
