// Package temporalmetrics hands the metrics of Temporal's SDK to Prometheus. The SDK names a metric and its tags each time
// that it counts; the handler looks the name up among those that it keeps and adds to the series of the tags' values.
// It stands apart from metrics because the API and the dashboard count too and are not linked with Temporal.
package temporalmetrics

import (
	"maps"

	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"
)

// Handler registers the metrics and returns the handler by which Temporal's client and workers say how they do: free and
// used slots, pollers, the cache of open runs, workflow tasks that fail. The metrics have Temporal's own names, as
// dashboards for it expect; what it measures beside them is left out, as emissor_engine_request_seconds has it, or it has
// a series for each type of workflow and activity. It is called once for a process.
func Handler(registry prometheus.Registerer) client.MetricsHandler {
	kept := handler{gauges: map[string]labelled[*prometheus.GaugeVec]{},
		counters: map[string]labelled[*prometheus.CounterVec]{}}
	gauge := func(name, help string, labels ...string) {
		vec := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
		registry.MustRegister(vec)
		kept.gauges[name] = labelled[*prometheus.GaugeVec]{vec, labels}
	}
	counts := func(name, help string, labels ...string) {
		vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		registry.MustRegister(vec)
		kept.counters[name] = labelled[*prometheus.CounterVec]{vec, labels}
	}
	gauge("temporal_worker_task_slots_available", "Tasks that a worker could run besides those it runs.",
		"worker_type", "task_queue")
	gauge("temporal_worker_task_slots_used", "Tasks that a worker runs.", "worker_type", "task_queue")
	gauge("temporal_num_pollers", "Polls of a worker that wait for a task.", "poller_type", "task_queue")
	gauge("temporal_sticky_cache_size", "Open runs whose state this process keeps.")
	counts("temporal_sticky_cache_hit", "Workflow tasks of a run whose state was kept.")
	counts("temporal_sticky_cache_miss", "Workflow tasks for which a run was replayed from its history.")
	counts("temporal_sticky_cache_total_forced_eviction", "Open runs whose state made room for another.")
	counts("temporal_workflow_task_execution_failed", "Workflow tasks that failed, by the reason.", "failure_reason")
	return kept
}

// labelled is a metric and the names of its labels, in order.
type labelled[Metric any] struct {
	metric Metric
	labels []string
}

// handler passes on what Temporal says of the metrics that are there.
type handler struct {
	gauges   map[string]labelled[*prometheus.GaugeVec]
	counters map[string]labelled[*prometheus.CounterVec]
	tags     map[string]string
}

// WithTags implements client.MetricsHandler.
func (h handler) WithTags(tags map[string]string) client.MetricsHandler {
	all := map[string]string{}
	maps.Copy(all, h.tags)
	maps.Copy(all, tags)
	h.tags = all
	return h
}

func (h handler) values(labels []string) (values []string) {
	for _, name := range labels {
		values = append(values, h.tags[name])
	}
	return values
}

// Counter implements client.MetricsHandler.
func (h handler) Counter(name string) client.MetricsCounter {
	known, found := h.counters[name]
	if !found {
		return client.MetricsNopHandler.Counter(name)
	}
	return countsUp{known.metric.WithLabelValues(h.values(known.labels)...)}
}

// Gauge implements client.MetricsHandler.
func (h handler) Gauge(name string) client.MetricsGauge {
	known, found := h.gauges[name]
	if !found {
		return client.MetricsNopHandler.Gauge(name)
	}
	return updates{known.metric.WithLabelValues(h.values(known.labels)...)}
}

// Timer implements client.MetricsHandler.
func (h handler) Timer(string) client.MetricsTimer { return client.MetricsNopHandler.Timer("") }

type countsUp struct{ prometheus.Counter }

// Inc implements client.MetricsCounter.
func (c countsUp) Inc(by int64) { c.Add(float64(by)) }

type updates struct{ prometheus.Gauge }

// Update implements client.MetricsGauge.
func (g updates) Update(value float64) { g.Set(value) }
