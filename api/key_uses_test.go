package api

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"emissor/metrics"
	"emissor/nfse"
)

// Uses that cannot be written keep no later ones from being written.
func TestKeyUses_NotWritten(t *testing.T) {
	for name, bad := range map[string]func(context.Context) error{
		"fails":          func(context.Context) error { return errors.New("bad") },
		"panics":         func(context.Context) error { panic("bad") },
		"takes for ever": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			a := New(Options{Metrics: metrics.New(), Logger: slog.New(slog.DiscardHandler)})
			var written []string
			write := func(ctx context.Context, ids []string) error {
				if slices.Contains(ids, "key_bad") {
					return bad(ctx)
				}
				written = append(written, ids...)
				return nil
			}
			for _, id := range []string{"key_1", "key_bad", "key_2"} {
				a.uses.add(nfse.APIKey{ID: id}, time.Now())
				a.keepKeyUses(t.Context(), 10*time.Millisecond, write)
			}
			if !slices.Equal(written, []string{"key_1", "key_2"}) {
				t.Errorf("written are %v", written)
			}
			if failed := failedLoops(t, a.metrics); !slices.Equal(failed, []string{"key uses"}) {
				t.Errorf("failures are counted of %q", failed)
			}
		})
	}
}

// failedLoops are the loops of which failures are counted.
func failedLoops(t *testing.T, m *metrics.Metrics) (loops []string) {
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
