package temporalmetrics_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"emissor/internal/metrics/temporalmetrics"
)

// The metrics that are kept have Temporal's names and their own labels, no matter what else it adds.
func TestHandler(t *testing.T) {
	registry := prometheus.NewRegistry()
	handler := temporalmetrics.Handler(registry).WithTags(map[string]string{"namespace": "emissor", "task_queue": "notes"})
	workflows := handler.WithTags(map[string]string{"worker_type": "WorkflowWorker", "failure_reason": "WorkflowError"})
	workflows.Gauge("temporal_worker_task_slots_used").Update(3)
	workflows.Counter("temporal_workflow_task_execution_failed").Inc(2)
	handler.Gauge("temporal_worker_task_slots_used").Update(1) // the labels of another handler are not its own
	handler.Gauge("temporal_sticky_cache_size").Update(7)
	handler.Counter("temporal_request").Inc(1)
	handler.Timer("temporal_request_latency").Record(time.Second)

	answer := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	series := strings.Split(answer.Body.String(), "\n")
	for _, line := range []string{
		`temporal_worker_task_slots_used{task_queue="notes",worker_type="WorkflowWorker"} 3`,
		`temporal_worker_task_slots_used{task_queue="notes",worker_type=""} 1`,
		`temporal_workflow_task_execution_failed{failure_reason="WorkflowError"} 2`,
		`temporal_sticky_cache_size 7`,
	} {
		if !slices.Contains(series, line) {
			t.Errorf("the scrape lacks %q; it has\n%s", line, answer.Body)
		}
	}
	if strings.Contains(answer.Body.String(), "temporal_request") {
		t.Errorf("what a metric of ours has is there too:\n%s", answer.Body)
	}
}
