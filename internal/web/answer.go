package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"time"

	"emissor/internal/metrics"
	"emissor/internal/trace"
	"emissor/nfse"
)

// Requests are the requests to one server. Each has an id, is logged and counted once it
// is answered, and a panic that it causes is one answer and one line of the log.
type Requests struct {
	Name    string // of one of them in the log: request, page
	Metrics *metrics.Metrics
	Logger  *slog.Logger
	Proxies Networks // that are trusted to say who the client is
	Traces  *trace.Tracer
}

// Answer is what a request is answered with.
type Answer struct {
	http.ResponseWriter
	ID      string     // of the request, which the answer names
	Client  netip.Addr // that it comes from
	Started time.Time
	Span    *trace.Span // nil where the request is not traced

	requests Requests
	status   int // 0: nothing is written yet
}

// Begin makes the Answer of a request, and returns it with the request, which has its trace from then on.
func (q Requests) Begin(w http.ResponseWriter, r *http.Request) (*Answer, *http.Request) {
	answer := &Answer{ResponseWriter: w, ID: nfse.NewID(nfse.PrefixRequest), Client: Client(r, q.Proxies),
		Started: time.Now(), requests: q}
	w.Header().Set("X-Request-Id", answer.ID)
	if q.Traces != nil {
		ctx, span := q.Traces.Begin(r.Context(), r.Header.Get("traceparent"))
		span.Request(answer.ID)
		answer.Span, r = span, r.WithContext(ctx)
	}
	return answer, r
}

// Give lets handle answer. A panic of it is a bug: it is logged, and fail answers.
// http.ErrAbortHandler, which ends a request without an answer, is left to the server.
func (a *Answer) Give(ctx context.Context, handle, fail func()) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if cause == http.ErrAbortHandler {
			panic(cause)
		}
		a.requests.Logger.ErrorContext(ctx, "a handler panicked", "request_id", a.ID, "cause", cause,
			"stack", string(debug.Stack()))
		fail()
	}()
	handle()
}

// Record logs and counts an answered request; more are names and values for the log. The
// status is 0 where nothing is written because the caller has left, which ends ctx. The
// method must be one of a table, or KnownMethod, as clients may send any text.
func (a *Answer) Record(ctx context.Context, route, method string, more ...any) {
	took := time.Since(a.Started)
	if a.status == 0 && ctx.Err() == nil {
		a.status = http.StatusOK // which the server answers where nothing is written
	}
	status := a.status
	a.requests.Metrics.Request(route, method, strconv.Itoa(status), took)
	a.Span.Answered(method, route, status)
	a.Span.End(nil)
	line := []any{"request_id", a.ID, "method", method, "route", route, "status", status,
		"duration_ms", took.Milliseconds(), "client", a.Client.String()}
	a.requests.Logger.InfoContext(ctx, a.requests.Name, append(line, more...)...)
}

// Status is what the request was answered with; 0 where nothing was written.
func (a *Answer) Status() int { return a.status }

// WriteHeader implements http.ResponseWriter.
func (a *Answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *Answer) Write(content []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(content)
}

// Unwrap gives http.ResponseController access to the writer.
func (a *Answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// KnownMethod keeps unknown methods out of logs and metrics.
func KnownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}
