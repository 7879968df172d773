package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"emissor/nfse"
	"emissor/test/testkit"
)

// caller calls the API of a program with a key.
type caller struct{ url, key string }

// post sends a body and expects an answer with this status.
func (c caller) post(t *testing.T, path string, body any, status int) (answer map[string]any) {
	t.Helper()
	encoded, err := json.Marshal(body)
	must(t, err)
	request, err := http.NewRequest(http.MethodPost, c.url+path, bytes.NewReader(encoded))
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	must(t, err)
	if response.StatusCode != status {
		t.Fatalf("POST %s is answered %d %s", path, response.StatusCode, raw)
	}
	must(t, json.Unmarshal(raw, &answer))
	return answer
}

// newService makes a service and returns its id.
func (c caller) newService(t *testing.T) string {
	t.Helper()
	return c.post(t, "/v1/services", testkit.Body{
		"name": "Consulta", "description": "Consulta médica", "municipality_code": "3550308",
		"default_amount_cents": 15000,
	}, http.StatusCreated)["id"].(string)
}

// issue issues a note and returns its id.
func (c caller) issue(t *testing.T, service, reference string, scenario nfse.Scenario) string {
	t.Helper()
	body := testkit.Issuance(service, reference)
	body["sandbox_scenario"] = scenario
	return c.post(t, "/v1/nfse", body, http.StatusAccepted)["id"].(string)
}

func TestServe_Everything(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, liveKey := database.NewOrganization(t, "Clínica Exemplo")
	p := start(t, settingsOf(database), "serve")
	if body := awaitStatus(t, p.api+"/v1/health", http.StatusOK); body != `{"status":"ok"}` {
		t.Errorf("the health is %s", body)
	}
	if body := awaitStatus(t, p.admin+"/readyz", http.StatusOK); body != "ready\n" {
		t.Errorf("ready is %q", body)
	}
	if status, body := answer(t, p.admin+"/livez"); status != http.StatusOK || body != "ok\n" {
		t.Errorf("alive is %d %q", status, body)
	}

	caller := caller{p.api, key}
	id := caller.issue(t, caller.newService(t), "pedido-1", nfse.ScenarioAuthorized)
	live := caller
	live.key = liveKey
	body := testkit.Issuance(live.newService(t), "pedido-1")
	live.post(t, "/v1/nfse", body, http.StatusAccepted)
	testkit.Eventually(t, "the note is issued", func() bool {
		return database.Text(t, `SELECT status FROM notes WHERE id = $1`, id) == "issued"
	})
	testkit.Eventually(t, "only the live note is in the outbox", func() bool {
		return database.Count(t, `SELECT count(*) FROM outbox`) == 1
	})
	testkit.Eventually(t, "the live note is paused, with a reason", func() bool {
		return database.Count(t, `SELECT count(*) FROM outbox JOIN paused_backlogs USING (livemode, kind)
			WHERE livemode AND reason ->> 'code' = 'no_authority'`) == 1
	})

	testkit.Eventually(t, "the end is counted", func() bool { // after it is on record
		_, scrape := answer(t, p.admin+"/metrics")
		return strings.Contains(scrape, "emissor_note_seconds_count{") &&
			strings.Contains(scrape, `emissor_dispatch_starts_total{kind="note",outcome="started"}`) &&
			strings.Contains(scrape, `temporal_worker_task_slots_used{`) && // as Temporal's SDK says
			strings.Contains(scrape, `temporal_num_pollers{poller_type="workflow_task"`)
	})
	expectSeries(t, p,
		`emissor_database_up 1`,
		`emissor_http_request_seconds_count{method="POST",route="/v1/nfse",status="202"} 2`,
		`emissor_note_seconds_count{authority="simulation",environment="test",held="false",status="issued"} 1`,
		`emissor_dispatch_starts_total{kind="note",outcome="started"} 1`,
		`emissor_notes_open{environment="test",status="queued"} 0`,
		`emissor_notes_open{environment="test",status="processing"} 0`,
		`emissor_notes_open{environment="live",status="queued"} 1`,
		`emissor_notes_open{environment="live",status="processing"} 0`,
		`emissor_outbox_rows{environment="test"} 0`,
		`emissor_outbox_rows{environment="live"} 1`,
		`emissor_outbox_paused_rows{environment="test"} 0`,
		`emissor_outbox_paused_rows{environment="live"} 1`,
		`emissor_outbox_oldest_seconds{environment="test"} 0`,
		`emissor_outbox_oldest_seconds{environment="live"} 0`,
	)
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/goroutine?debug=1", "/debug/pprof/heap",
		"/debug/pprof/cmdline", "/debug/pprof/symbol"} {
		if status, body := answer(t, p.admin+path); status != http.StatusOK || body == "" {
			t.Errorf("%s is answered %d", path, status)
		}
	}
	for _, path := range []string{"/metrics", "/readyz", "/debug/pprof/", "/livez"} {
		if status, _ := answer(t, p.api+path); status != http.StatusNotFound {
			t.Errorf("the world is shown %s: %d", path, status)
		}
	}

	p.terminate(t)
	p.expectEnd(t)
	for _, secret := range []string{key, liveKey, "52998224725", "529.982.247-25", "Maria", "Paulista", database.URL} {
		if strings.Contains(p.logged(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if !strings.Contains(p.logged(), `"note_id":"`+id+`"`) {
		t.Errorf("the log does not know the note %s", id)
	}
}

// expectSeries expects lines in a scrape of the program's metrics.
func expectSeries(t *testing.T, p *program, lines ...string) {
	t.Helper()
	scrape := freshScrape(t, p, slices.Contains(lines, "emissor_database_up 0"))
	series := slices.Collect(strings.Lines(scrape))
	for _, line := range lines {
		if !slices.Contains(series, line+"\n") {
			name := line[:strings.IndexAny(line, "{ ")]
			t.Errorf("the scrape lacks %s; it has\n%s", line,
				strings.Join(regexp.MustCompile(`(?m)^`+name+`.*$`).FindAllString(scrape, -1), "\n"))
		}
	}
}

// readAge is how old what a scrape says of the database is.
var readAge = regexp.MustCompile(`(?m)^emissor_database_read_age_seconds (.*)$`)

// freshScrape is a scrape of the program's metrics that says how the database is now: a busy one is shown as it was some
// seconds ago, or as one that is away.
func freshScrape(t *testing.T, p *program, away bool) (scrape string) {
	t.Helper()
	began := time.Now()
	testkit.Eventually(t, "the database was read since", func() bool {
		var status int
		if status, scrape = answer(t, p.admin+"/metrics"); status != http.StatusOK {
			t.Fatalf("the scrape is answered %d", status)
		}
		age := readAge.FindStringSubmatch(scrape)
		if age == nil {
			return away
		}
		seconds, err := strconv.ParseFloat(age[1], 64)
		must(t, err)
		return !away && seconds < time.Since(began).Seconds()
	})
	return scrape
}

func TestServe_APIWithoutTemporal(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	settings := settingsOf(database).withoutTemporal()
	for _, part := range []string{"api", "serve"} {
		p := start(t, settings, part)
		caller := caller{p.api, key}
		id := caller.issue(t, caller.newService(t), part, nfse.ScenarioAuthorized)
		const query = `SELECT status FROM notes JOIN outbox ON subject_id = notes.id WHERE notes.id = $1`
		if status := database.Text(t, query, id); status != "queued" {
			t.Errorf("%s: the note is %s", part, status)
		}
		awaitStatus(t, p.api+"/v1/health", http.StatusOK)
		if part == "api" {
			awaitStatus(t, p.admin+"/readyz", http.StatusOK)
		} else if body := awaitStatus(t, p.admin+"/readyz",
			http.StatusServiceUnavailable); body != "the worker is not up\n" {
			t.Errorf("%s: not ready because %q", part, body)
		}
		p.terminate(t)
		p.expectEnd(t)
	}
}

func TestServe_DatabaseOut(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	address, err := url.Parse(database.URL)
	must(t, err)
	network := toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), "database",
		"127.0.0.1:0", address.Host)
	must(t, network.Start())
	t.Cleanup(network.Stop)
	address.Host = network.Listen
	p := start(t, settingsOf(database).withoutTemporal().with("EMISSOR_DATABASE_URL", address.String()), "api")

	awaitStatus(t, p.admin+"/readyz", http.StatusOK)
	network.Stop()
	if body := awaitStatus(t, p.admin+"/readyz",
		http.StatusServiceUnavailable); body != "the database does not answer\n" {
		t.Errorf("not ready because %q", body)
	}
	if body := awaitStatus(t, p.api+"/v1/health", http.StatusServiceUnavailable); !strings.Contains(body,
		`"code":"service_unavailable"`) {
		t.Errorf("the health is %s", body)
	}
	expectSeries(t, p, "emissor_database_up 0")
	if status, _ := answer(t, p.admin+"/livez"); status != http.StatusOK {
		t.Errorf("a process whose database is out is not alive: %d", status)
	}
	must(t, network.Start())
	awaitStatus(t, p.admin+"/readyz", http.StatusOK)
	awaitStatus(t, p.api+"/v1/health", http.StatusOK)
	p.terminate(t)
	p.expectEnd(t)
}

func TestServe_TakenPort(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	for _, wrong := range []struct{ part, variable string }{
		{"api", "EMISSOR_LISTEN"}, {"api", "EMISSOR_ADMIN_LISTEN"}, {"serve", "EMISSOR_LISTEN"},
		{"serve", "EMISSOR_ADMIN_LISTEN"}, {"worker", "EMISSOR_ADMIN_LISTEN"},
	} {
		result := execute(t, settings.with(wrong.variable, taken.Addr().String()), wrong.part)
		expected := fmt.Sprintf("emissor: %s: listen tcp %s: bind: address already in use\n", wrong.variable,
			taken.Addr())
		if result.code != 1 || !strings.HasSuffix(result.stderr, expected) {
			t.Errorf("%s ended with %d and\n%s\nexpected %s", wrong.part, result.code, result.stderr, expected)
		}
	}
}
