package trace_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lib/pq"

	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/test/testkit"
)

func newTracer(t testing.TB, url string, ratio float64, lost func(string, int)) *trace.Tracer {
	t.Helper()
	if lost == nil {
		lost = func(reason string, spans int) { t.Errorf("%d spans are lost: %s", spans, reason) }
	}
	tracer, err := trace.New(trace.Options{URL: url, Ratio: ratio, Process: "test",
		Headers: map[string]string{"X-Api-Key": "secret"}, Logger: slog.New(slog.DiscardHandler), Lost: lost})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tracer.Close)
	return tracer
}

// A trace goes on where its traceparent is, and is its own where that is none.
func TestTracer_Continue(t *testing.T) {
	collector := testkit.NewCollector(t)
	api, worker := newTracer(t, collector.URL, 1, nil), newTracer(t, collector.URL, 0, nil)
	ctx, request := api.Begin(t.Context(), "")
	_, dispatched := worker.Continue(t.Context(), *trace.Parent(ctx), "dispatch note") // regardless of its own ratio
	within, call := trace.StartCall(ctx, "call")
	_, other := worker.Continue(t.Context(), "not a traceparent", "dispatch other")
	if !trace.Recorded(within) || dispatched == nil || other != nil {
		t.Errorf("recorded are %v, %v and %v", call, dispatched, other)
	}
	call.End(errors.New("the words of an error"))
	dispatched.End(nil)
	request.Answered("POST", "/v1/nfse", http.StatusAccepted)
	request.End(nil)
	api.Close()
	worker.Close()
	collector.AwaitWays(t, "dispatch note", "POST /v1/nfse > dispatch note")
	collector.AwaitWays(t, "call", "POST /v1/nfse > call")
	if call := collector.Only(t, "call"); !call.Failed || call.Attributes["error.type"] != "internal_error" {
		t.Errorf("the failed call says %v", call.Attributes)
	}
	for _, header := range collector.Headers() {
		if header.Get("X-Api-Key") != "secret" || header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("the collector is called with %v", header)
		}
	}
}

// The library has settings of its own in the environment; none of them decides what is recorded.
func TestTracer_EnvironmentDecidesNothing(t *testing.T) {
	t.Setenv("OTEL_TRACES_SAMPLER", "always_on")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:1/elsewhere")
	collector := testkit.NewCollector(t)
	never, always := newTracer(t, collector.URL, 0, nil), newTracer(t, collector.URL, 1, nil)
	if _, span := never.Begin(t.Context(), "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"); span != nil {
		t.Error("a trace is recorded by the environment, or by its caller")
	}
	_, span := always.Begin(t.Context(), "")
	span.End(nil)
	always.Close()
	collector.Only(t, "request")
}

// The ratio is the share of the traces that are recorded.
func TestTracer_Ratio(t *testing.T) {
	tracer := newTracer(t, "http://127.0.0.1:1/v1/traces", 0.1, func(string, int) {})
	recorded := 0
	for range 10_000 {
		if _, span := tracer.Begin(t.Context(), ""); span != nil {
			recorded++
		}
	}
	if recorded < 800 || recorded > 1200 { // beyond six standard deviations
		t.Errorf("of 10,000 traces %d are recorded", recorded)
	}
}

// What waits for a collector that does not answer is bounded, and what is lost is counted to the last span. Nobody
// who ends a span waits.
func TestTracer_QueueIsBounded(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(server.Close)
	var lost atomic.Int64
	tracer := newTracer(t, server.URL, 1, func(reason string, spans int) {
		if reason != trace.LostFull {
			t.Errorf("%d spans are lost: %s", spans, reason)
		}
		lost.Add(int64(spans))
	})
	const more = 1000
	for range trace.MostWaiting + more {
		_, span := tracer.Begin(context.Background(), "")
		span.End(nil)
	}
	if lost.Load() != more {
		t.Errorf("%d spans are lost, expected %d", lost.Load(), more)
	}
	close(release)
	tracer.Close()
}

// Off is off: nothing is recorded, handed on or allocated.
func TestOff(t *testing.T) {
	tracer, err := trace.New(trace.Options{})
	if tracer != nil || err != nil {
		t.Fatalf("a tracer without a collector is %v, %v", tracer, err)
	}
	ctx := t.Context()
	if cost := testing.AllocsPerRun(100, func() {
		ctx, request := tracer.Begin(ctx, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
		ctx, dispatched := tracer.Continue(ctx, "", "dispatch note")
		_, call := trace.StartCall(ctx, "call")
		call.Authority("national", "issue")
		dispatched.Scope(nfse.Scope{OrganizationID: "org"})
		dispatched.Attempt(1)
		call.End(context.Canceled)
		request.Answered("GET", "/", 200)
		if trace.Parent(ctx) != nil || trace.Recorded(ctx) || trace.Of(ctx) != nil || trace.Apart(ctx) != ctx {
			t.Error("there is a trace")
		}
	}); cost != 0 {
		t.Errorf("it allocates %v times", cost)
	}
	tracer.Close()
}

// What is begun apart has a trace of its own.
func TestApart(t *testing.T) {
	tracer := newTracer(t, "http://127.0.0.1:1/v1/traces", 1, func(string, int) {})
	ctx, _ := tracer.Begin(t.Context(), "")
	if apart := trace.Apart(ctx); trace.Parent(ctx) == nil || trace.Parent(apart) != nil || trace.Recorded(apart) {
		t.Error("it is not apart")
	}
}

// An error is named, never quoted.
func TestCode(t *testing.T) {
	for expected, err := range map[string]error{
		"idempotency_conflict": fmt.Errorf("Maria: %w", nfse.NewError(nfse.CodeIdempotencyConflict, "reference", "Maria")),
		"sql_23505":            fmt.Errorf("Maria: %w", &pq.Error{Code: "23505", Detail: "Maria"}),
		"canceled":             context.Canceled,
		"out_of_time":          fmt.Errorf("Maria: %w", context.DeadlineExceeded),
		"internal_error":       fmt.Errorf("Maria: %w", sql.ErrConnDone),
	} {
		if code := trace.Code(err); code != expected {
			t.Errorf("%v is %s, expected %s", err, code, expected)
		}
	}
}

// A wrong ratio is no tracer.
func TestNew_Ratio(t *testing.T) {
	for _, ratio := range []float64{-0.1, 1.1} {
		if _, err := trace.New(trace.Options{URL: "http://127.0.0.1:1", Ratio: ratio}); err == nil {
			t.Errorf("the ratio %v is taken", ratio)
		}
	}
}

// A stopping process does not wait for a collector that does not answer.
func TestTracer_Close(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(server.Close)
	tracer := newTracer(t, server.URL, 1, func(string, int) {})
	_, span := tracer.Begin(t.Context(), "")
	span.End(nil)
	ended := make(chan struct{})
	go func() { defer close(ended); tracer.Close() }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("it waits for the collector")
	}
	close(release)
}
