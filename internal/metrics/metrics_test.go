package metrics_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"emissor/internal/metrics"
	"emissor/nfse"
	"emissor/store/operate"
)

// scrape returns the lines of Emissor's own series.
func scrape(t *testing.T, m *metrics.Metrics) []string {
	t.Helper()
	answer := httptest.NewRecorder()
	promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{}).ServeHTTP(answer,
		httptest.NewRequest("GET", "/metrics", nil))
	if answer.Code != 200 {
		t.Fatalf("the scrape is answered %d: %s", answer.Code, answer.Body)
	}
	var series []string
	for line := range strings.Lines(answer.Body.String()) {
		if strings.HasPrefix(line, "emissor_") {
			series = append(series, strings.TrimSpace(line))
		}
	}
	return series
}

func expect(t *testing.T, series []string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !slices.Contains(series, line) {
			t.Errorf("the scrape lacks %q; it has\n%s", line, strings.Join(series, "\n"))
		}
	}
}

func answering(f operate.Gauges, err error) func(context.Context) (operate.Gauges, error) {
	return func(context.Context) (operate.Gauges, error) { return f, err }
}

func TestMetrics_Request(t *testing.T) {
	m := metrics.New()
	m.Request("/v1/nfse/{id}", "GET", "200", 3*time.Millisecond)
	m.Request("/v1/nfse/{id}", "GET", "404", time.Minute)
	m.ConnectionClosed("address")
	expect(t, scrape(t, m),
		`emissor_http_request_seconds_bucket{method="GET",route="/v1/nfse/{id}",status="200",le="0.0025"} 0`,
		`emissor_http_request_seconds_bucket{method="GET",route="/v1/nfse/{id}",status="200",le="0.005"} 1`,
		`emissor_http_request_seconds_count{method="GET",route="/v1/nfse/{id}",status="200"} 1`,
		`emissor_http_request_seconds_bucket{method="GET",route="/v1/nfse/{id}",status="404",le="10"} 0`,
		`emissor_http_request_seconds_bucket{method="GET",route="/v1/nfse/{id}",status="404",le="+Inf"} 1`,
		`emissor_http_connections_evicted_total{full="address"} 1`,
	)
}

func TestMetrics_Settled(t *testing.T) {
	m := metrics.New()
	accepted := time.Now()
	for _, livemode := range []bool{false, true} {
		m.Settled(nfse.Note{
			Status: nfse.StatusIssued, Livemode: livemode,
			CreatedAt: nfse.Timestamp{Time: accepted},
			UpdatedAt: nfse.Timestamp{Time: accepted.Add(1500 * time.Millisecond)},
		}, metrics.End{Authority: "national", Held: livemode})
	}
	const ofTest = `authority="simulation",environment="test",held="false",status="issued"`
	expect(t, scrape(t, m),
		`emissor_note_seconds_bucket{`+ofTest+`,le="1"} 0`,
		`emissor_note_seconds_bucket{`+ofTest+`,le="2"} 1`,
		`emissor_note_seconds_sum{authority="national",environment="live",held="true",status="issued"} 1.5`,
	)
}

func TestMetrics_FirstAttempt(t *testing.T) {
	m := metrics.New()
	m.FirstAttempt(20*time.Millisecond, false)
	m.FirstAttempt(11*time.Second, true)
	expect(t, scrape(t, m),
		`emissor_delivery_first_attempt_seconds_bucket{environment="test",le="0.05"} 1`,
		`emissor_delivery_first_attempt_seconds_bucket{environment="live",le="10"} 0`,
		`emissor_delivery_first_attempt_seconds_bucket{environment="live",le="20"} 1`,
	)
}

func TestMetrics_Engine(t *testing.T) {
	m := metrics.New()
	connected := false
	m.RegisterEngine(func() bool { return connected })
	expect(t, scrape(t, m), `emissor_engine_connected 0`)
	connected = true
	m.EngineAnswered("StartWorkflowExecution", "Unavailable", 30*time.Second)
	expect(t, scrape(t, m), `emissor_engine_connected 1`,
		`emissor_engine_request_seconds_bucket{code="Unavailable",operation="StartWorkflowExecution",le="10"} 0`,
		`emissor_engine_request_seconds_bucket{code="Unavailable",operation="StartWorkflowExecution",le="35"} 1`,
	)
}

func TestMetrics_ClockAhead(t *testing.T) {
	m := metrics.New()
	m.ClockAhead("national", time.Hour)
	m.ClockAhead("national", -1500*time.Millisecond)
	expect(t, scrape(t, m), `emissor_clock_ahead_seconds{authority="national"} -1.5`)
}

func TestMetrics_Pool(t *testing.T) {
	m := metrics.New()
	m.RegisterPool(func() sql.DBStats {
		return sql.DBStats{MaxOpenConnections: 20, OpenConnections: 7, InUse: 5, WaitDuration: 1500 * time.Millisecond}
	})
	expect(t, scrape(t, m), `emissor_database_connections_limit 20`, `emissor_database_connections_open 7`,
		`emissor_database_connections_used 5`, `emissor_database_connections_wait_seconds_total 1.5`)
}

func TestMetrics_Started(t *testing.T) {
	m := metrics.New()
	m.Started("note", "started")
	m.Started("note", "started")
	m.Started("note", "failed")
	expect(t, scrape(t, m),
		`emissor_dispatch_starts_total{kind="note",outcome="started"} 2`,
		`emissor_dispatch_starts_total{kind="note",outcome="failed"} 1`,
	)
}

func TestMetrics_Delivered(t *testing.T) {
	m := metrics.New()
	m.Delivered("pending", false)
	m.Delivered("delivered", true)
	expect(t, scrape(t, m),
		`emissor_delivery_attempts_total{environment="test",outcome="pending"} 1`,
		`emissor_delivery_attempts_total{environment="live",outcome="delivered"} 1`,
	)
}

func TestMetrics_Database(t *testing.T) {
	m := metrics.New()
	m.RegisterDatabase(answering(operate.Gauges{
		OpenNotes: []operate.OpenNotes{
			{Status: nfse.StatusQueued, Livemode: true, Count: 3}, {Status: nfse.StatusProcessing, Count: 4},
		},
		Waiting:        []operate.Waiting{{Livemode: true, Rows: 7, Paused: 5, Failing: 1, OldestSeconds: 12.5}},
		OpenDeliveries: 8, DisabledEndpoints: 2,
	}, nil), slog.New(slog.DiscardHandler))
	expect(t, scrape(t, m),
		`emissor_database_up 1`,
		`emissor_notes_open{environment="live",status="queued"} 3`,
		`emissor_notes_open{environment="live",status="processing"} 0`,
		`emissor_notes_open{environment="test",status="queued"} 0`,
		`emissor_notes_open{environment="test",status="processing"} 4`,
		`emissor_outbox_rows{environment="live"} 7`,
		`emissor_outbox_rows{environment="test"} 0`,
		`emissor_outbox_paused_rows{environment="live"} 5`,
		`emissor_outbox_paused_rows{environment="test"} 0`,
		`emissor_outbox_failing_rows{environment="live"} 1`,
		`emissor_outbox_failing_rows{environment="test"} 0`,
		`emissor_outbox_oldest_seconds{environment="live"} 12.5`,
		`emissor_outbox_oldest_seconds{environment="test"} 0`,
		`emissor_deliveries_open 8`,
		`emissor_webhook_endpoints_disabled 2`,
	)
}

// An alarm must see the difference between nothing waits and nobody knows.
func TestMetrics_DatabaseDown(t *testing.T) {
	m := metrics.New()
	m.RegisterDatabase(answering(operate.Gauges{}, errors.New("out")), slog.New(slog.DiscardHandler))
	series := scrape(t, m)
	if !slices.Equal(series, []string{"emissor_certificate_opens_total 0", "emissor_database_up 0",
		"emissor_requests_not_logged_total 0"}) {
		t.Errorf("the scrape has %q", series)
	}
}

func TestMetrics_DatabaseSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where time passes when everybody waits
		m := metrics.New()
		m.RegisterDatabase(func(ctx context.Context) (operate.Gauges, error) {
			<-ctx.Done()
			return operate.Gauges{}, ctx.Err()
		}, slog.New(slog.DiscardHandler))
		started := time.Now()
		expect(t, scrape(t, m), "emissor_database_up 0")
		if waited := time.Since(started); waited > 5*time.Second {
			t.Errorf("the scrape took %s", waited)
		}
	})
}

// databaseAccount is the name of a role or an account of the database.
var databaseAccount = regexp.MustCompile(`^emissor_(api|worker|dashboard|operator)(_user)?$`)

// recorded is the name of a series that rules record: test/system/watch looks for those.
var recorded = regexp.MustCompile(`^emissor_slo$`)

// operatorsGuide is the text of all pages of docs/operations.
func operatorsGuide(t *testing.T) string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/operations/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var guide strings.Builder
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		guide.Write(text)
	}
	return guide.String()
}

// An alarm on a metric that does not exist never sounds, and a metric that no page
// explains is watched by nobody.
func TestMetrics_OperatorsGuide(t *testing.T) {
	guide := operatorsGuide(t)
	m := metrics.New()
	m.RegisterDatabase(answering(operate.Gauges{Certificates: []operate.CertificateExpiry{{}},
		Distributions: []operate.DistributionLag{{LastSuccess: new(1.0)}}, PartsAhead: 1}, nil),
		slog.New(slog.DiscardHandler))
	m.RegisterAdmission(func() int { return 8 }, func() int { return 0 })
	m.Request("/", "GET", "200", 0)
	m.ConnectionClosed("all")
	m.RegisterEngine(func() bool { return true })
	m.RegisterPool(func() sql.DBStats { return sql.DBStats{} })
	m.Settled(nfse.Note{}, metrics.End{})
	m.FirstAttempt(0, false)
	m.ClockAhead("national", 0)
	m.EngineAnswered("StartWorkflowExecution", "OK", 0)
	m.Started("note", "started")
	m.Delivered("delivered", false)
	m.RecordAuthorityCall("national", "issue", "issued", 0)
	m.Alarmed("national")
	m.Drifted("national", "issue")
	m.ExternalEvent("305101")
	m.ExternalEventFlagged("national")
	m.RowFailed("outbox")
	m.KeyRefused("unknown")
	m.SpansLost("queue_full", 1)
	m.ArchiveReadFailed("away")
	families, err := m.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	for _, family := range families {
		exists[family.GetName()] = true
	}
	named := regexp.MustCompile("`(emissor_[a-z_]+)").FindAllStringSubmatch(guide, -1)
	if len(named) == 0 {
		t.Error("the guide names no metric")
	}
	for _, name := range named {
		if databaseAccount.MatchString(name[1]) || recorded.MatchString(name[1]) {
			continue
		}
		if !exists[name[1]] {
			t.Errorf("there is no %s", name[1])
		}
	}
	for name := range exists {
		if strings.HasPrefix(name, "emissor_") && !strings.Contains(guide, "`"+name) {
			t.Errorf("no page says what %s means", name)
		}
	}
}

func TestMetrics_Process(t *testing.T) {
	families, err := metrics.New().Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, family := range families {
		names[family.GetName()] = true
	}
	for _, name := range []string{"go_goroutines", "process_open_fds", "process_resident_memory_bytes"} {
		if !names[name] {
			t.Errorf("there is no %s", name)
		}
	}
}
