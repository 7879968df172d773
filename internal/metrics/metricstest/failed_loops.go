// Package metricstest reads metrics in tests.
package metricstest

import (
	"testing"

	"emissor/internal/metrics"
)

// FailedLoops are the loops of which failures are counted.
func FailedLoops(t testing.TB, m *metrics.Metrics) (loops []string) {
	t.Helper()
	families, err := m.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, counter := range family.GetMetric() {
			if family.GetName() == "emissor_row_failures_total" {
				loops = append(loops, counter.GetLabel()[0].GetValue())
			}
		}
	}
	return loops
}

// Value is the value of a counter, of its only series or of the one with this label.
func Value(t testing.TB, m *metrics.Metrics, name, label string) float64 {
	t.Helper()
	families, err := m.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, one := range family.GetMetric() {
			if family.GetName() == name && (label == "" || one.GetLabel()[0].GetValue() == label) {
				return one.GetCounter().GetValue()
			}
		}
	}
	return 0
}
