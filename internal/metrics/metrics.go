// Package metrics defines what Emissor measures. The admin listener serves it to
// Prometheus; docs/operations/alarms.md says what each metric means and when it should
// raise an alarm.
//
// A process has one Metrics. What happens in the process is counted where it
// happens, by a method for each kind of event; what waits in the database is read
// from it at each scrape:
//
//	m := metrics.New()
//	m.RegisterDatabase(db.Gauges, logger)
//	m.Started("note", "started")
//	promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{})
//
// Labels hold no note ids and no paths, so that the number of time series stays small.
package metrics

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"emissor/nfse"
)

// Metrics are the metrics of one process. Its methods may be called by many at
// once.
type Metrics struct {
	Registry *prometheus.Registry

	requests *prometheus.HistogramVec
	closed   *prometheus.CounterVec
	settled  *prometheus.HistogramVec
	starts   *prometheus.CounterVec
	attempts *prometheus.CounterVec
	first    *prometheus.HistogramVec
	opens    prometheus.Counter
	calls    *prometheus.HistogramVec
	ahead    *prometheus.GaugeVec
	engine   *prometheus.HistogramVec
	alarms   *prometheus.CounterVec
	drift    *prometheus.CounterVec
	external *prometheus.CounterVec
	flagged  *prometheus.CounterVec
	failed   *prometheus.CounterVec
	unlogged prometheus.Counter
	unread   *prometheus.CounterVec
	refused  *prometheus.CounterVec
	spans    *prometheus.CounterVec
}

// New makes the metrics and registers them.
func New() *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		requests: histogram("emissor_http_request_seconds",
			"Requests by route, method and status, and how long they took.",
			[]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
			"route", "method", "status"),
		closed: counter("emissor_http_connections_evicted_total",
			"Connections without a valid key that were evicted for others, by what was full: "+
				"address (what one address may have), strangers, or all.",
			"full"),
		settled: histogram("emissor_note_seconds",
			"Time from accepting a note to its final state, by that state, by the authority that it went to (or "+
				"simulation, or none) and by whether it was held for a person on its way.",
			[]float64{.05, .1, .25, .5, 1, 2, 5, 10, 30, 60, 300, 900, 3600, 6 * 3600, 24 * 3600, 72 * 3600},
			"status", "environment", "authority", "held"),
		starts: counter("emissor_dispatch_starts_total",
			"Outbox rows handed to the workflow engine, by outcome.",
			"kind", "outcome"),
		attempts: counter("emissor_delivery_attempts_total",
			"Attempts to deliver an event, by the delivery's state after them: "+
				"delivered, pending (tried again), failed (given up).",
			"outcome", "environment"),
		first: histogram("emissor_delivery_first_attempt_seconds",
			"Time from an event to the first attempt to deliver it, whatever the receiver answered.",
			[]float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 20, 60, 300, 3600},
			"environment"),
		opens: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "emissor_certificate_opens_total",
			Help: "Times an organization's certificate was asked for, to sign or to connect. " +
				"A note of the test environment never does.",
		}),
		calls: histogram("emissor_authority_call_seconds",
			"Calls to a tax authority, by what was asked and its outcome, and how long they took.",
			[]float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30, 45, 60},
			"authority", "call", "outcome"),
		ahead: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "emissor_clock_ahead_seconds",
			Help: "By how much the clock of this process was ahead of an authority's, by the Date of its last answer.",
		}, []string{"authority"}),
		engine: histogram("emissor_engine_request_seconds",
			"Requests to the workflow engine but for polls, by operation and gRPC code, and how long they took.",
			[]float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 35},
			"operation", "code"),
		alarms: counter("emissor_authority_alarms_total",
			"Answers that a person should look at: about another document, a number in use elsewhere, "+
				"a signature that does not verify. `emissor note show` tells which.",
			"authority"),
		drift: counter("emissor_authority_drift_total",
			"Answers in forms that the product was not told of, each form once. Notes wait for none. "+
				"`emissor authority drift list` tells which.",
			"authority", "call"),
		external: counter("emissor_external_events_total",
			"Events that an authority told of, whoever made them, by type: 305101 is a city's cancellation; "+
				"other is a type that is not known, unread what could not be read.",
			"type"),
		flagged: counter("emissor_external_events_flagged_total",
			"Of what an authority told, entries that are stored and not applied, because they cannot be read "+
				"or their signature does not verify. `emissor events list --flagged` tells which.",
			"authority"),
		failed: counter("emissor_row_failures_total",
			"Rows that a loop could not handle, each time: they are tried again by themselves, later and "+
				"later, while the loop goes on with the others. The log names them.",
			"loop"),
		unread: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "emissor_archive_reads_failed_total",
			Help: "Documents that could not be read from the archive; whoever asked for one is told to repeat it.",
		}, []string{"problem"}),
		unlogged: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "emissor_requests_not_logged_total",
			Help: "Requests to the API that are missing in the request log of the dashboard: too many waited to be " +
				"written, or the database did not take them. They were answered all the same.",
		}),
		refused: counter("emissor_refused_keys_total",
			"Requests to the API that were refused because of their key, by whether it is on record: "+
				"known (revoked, expired, or from an address that it is not allowed from) or unknown.",
			"key"),
		spans: counter("emissor_trace_spans_lost_total",
			"Spans of traces that did not reach the collector: queue_full, because more ended than it took, or "+
				"not_taken, because it is away, too slow, or refused them. Notes wait for none.",
			"reason"),
	}
	m.Registry.MustRegister(m.requests, m.closed, m.settled, m.starts, m.attempts, m.first, m.opens, m.calls, m.ahead,
		m.engine, m.alarms, m.drift, m.external, m.flagged, m.failed, m.unlogged, m.unread, m.refused, m.spans,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// counter counts by labels.
func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// histogram counts by labels how long something took, in seconds.
func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
}

// Request counts an answered request. route is the pattern, not the path.
func (m *Metrics) Request(route, method, status string, took time.Duration) {
	m.requests.WithLabelValues(route, method, status).Observe(took.Seconds())
}

// ConnectionClosed counts a client connection that was closed because something
// was full: address, strangers or all.
func (m *Metrics) ConnectionClosed(full string) { m.closed.WithLabelValues(full).Inc() }

// RegisterAdmission registers the gauges of the workflow runs that the process may have
// open, and has.
func (m *Metrics) RegisterAdmission(limit, open func() int) {
	gauge := func(name, help string, value func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(value()) })
	}
	m.Registry.MustRegister(
		gauge("emissor_admission_limit",
			"Runs that this process may have open at once; it follows the engine's latency.",
			limit),
		gauge("emissor_admission_open", "Runs whose workflow task this process works on, or is about to begin.", open))
}

// End is how a note that has just reached a final state came to it.
type End struct {
	Authority string // that it went to, or NoAuthority; in the test environment it is always Simulation
	Held      bool   // a person was waited for, or what came of a refusal that may be false
}

// What stands for the authority of notes that went to none, and of the test environment.
const NoAuthority, Simulation = "none", "simulation"

// Settled counts a note that has just reached a final state.
func (m *Metrics) Settled(note nfse.Note, end End) {
	took := note.UpdatedAt.Sub(note.CreatedAt.Time)
	if !note.Livemode {
		end.Authority = Simulation
	}
	m.settled.WithLabelValues(string(note.Status), nfse.Environment(note.Livemode), end.Authority,
		strconv.FormatBool(end.Held)).Observe(took.Seconds())
}

// Started counts an outbox row handed to the workflow engine: outcome is started,
// open (it was running already) or failed (it will be tried again).
func (m *Metrics) Started(kind, outcome string) { m.starts.WithLabelValues(kind, outcome).Inc() }

// Delivered counts an attempt to deliver an event, by the delivery's state after
// it: delivered, pending or failed.
func (m *Metrics) Delivered(outcome string, livemode bool) {
	m.attempts.WithLabelValues(outcome, nfse.Environment(livemode)).Inc()
}

// FirstAttempt counts the first attempt to deliver an event, by how long after the event it was made.
func (m *Metrics) FirstAttempt(waited time.Duration, livemode bool) {
	m.first.WithLabelValues(nfse.Environment(livemode)).Observe(waited.Seconds())
}

// ClockAhead keeps by how much this process's clock was ahead of an authority's.
func (m *Metrics) ClockAhead(authority string, ahead time.Duration) {
	m.ahead.WithLabelValues(authority).Set(ahead.Seconds())
}

// EngineAnswered counts a request to the workflow engine. code is a code of gRPC.
func (m *Metrics) EngineAnswered(operation, code string, took time.Duration) {
	m.engine.WithLabelValues(operation, code).Observe(took.Seconds())
}

// RegisterEngine registers whether the process has a connection to the workflow engine.
func (m *Metrics) RegisterEngine(connected func() bool) {
	m.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "emissor_engine_connected",
		Help: "1 while this process has a connection to the workflow engine.",
	}, func() float64 {
		if connected() {
			return 1
		}
		return 0
	}))
}

// RecordAuthorityCall counts a call to an authority: issue, find, cancel, find_cancellation or distribution. outcome
// is the outcome of its answer.
func (m *Metrics) RecordAuthorityCall(authority, call, outcome string, took time.Duration) {
	m.calls.WithLabelValues(authority, call, outcome).Observe(took.Seconds())
}

// Alarmed counts an answer of an authority that a person should look at.
func (m *Metrics) Alarmed(authority string) { m.alarms.WithLabelValues(authority).Inc() }

// Drifted counts an answer of an authority in a form that is new.
func (m *Metrics) Drifted(authority, call string) { m.drift.WithLabelValues(authority, call).Inc() }

// ExternalEvent counts an event that an authority distributed, by its type.
func (m *Metrics) ExternalEvent(kind string) { m.external.WithLabelValues(kind).Inc() }

// ExternalEventFlagged counts an event that an authority distributed and that is not applied.
func (m *Metrics) ExternalEventFlagged(authority string) { m.flagged.WithLabelValues(authority).Inc() }

// RowFailed counts a row that a loop could not handle: outbox, roll-ups, and so on, as
// docs/architecture/loops.md names them.
func (m *Metrics) RowFailed(loop string) { m.failed.WithLabelValues(loop).Inc() }

// ArchiveReadFailed counts a document that could not be read from the archive: away, refused, broken, missing or other.
func (m *Metrics) ArchiveReadFailed(problem string) { m.unread.WithLabelValues(problem).Inc() }

// RequestsNotLogged counts requests that the request log lost.
func (m *Metrics) RequestsNotLogged(requests int) { m.unlogged.Add(float64(requests)) }

// KeyRefused counts a request that was refused because of its key: known or unknown.
func (m *Metrics) KeyRefused(key string) { m.refused.WithLabelValues(key).Inc() }

// SpansLost counts spans of traces that did not reach the collector: queue_full or not_taken.
func (m *Metrics) SpansLost(reason string, spans int) {
	m.spans.WithLabelValues(reason).Add(float64(spans))
}

// CertificateOpened counts that an organization's certificate was asked for.
func (m *Metrics) CertificateOpened() { m.opens.Inc() }
