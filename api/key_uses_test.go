package api

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"emissor/internal/metrics"
	"emissor/internal/metrics/metricstest"
	"emissor/nfse"
	"emissor/store"
)

// Uses that cannot be written keep no later ones from being written.
func TestKeyUses_NotWritten(t *testing.T) {
	for name, bad := range map[string]func(context.Context) error{
		"fails":          func(context.Context) error { return errors.New("bad") },
		"panics":         func(context.Context) error { panic("bad") },
		"takes for ever": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			a := New(Options{Store: &store.Store{}, Metrics: metrics.New(), Logger: slog.New(slog.DiscardHandler)})
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
			if failed := metricstest.FailedLoops(t, a.metrics); !slices.Equal(failed, []string{"key uses"}) {
				t.Errorf("failures are counted of %q", failed)
			}
		})
	}
}
