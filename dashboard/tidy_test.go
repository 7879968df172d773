package dashboard

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"emissor/dashboard/frame"
	"emissor/internal/metrics"
	"emissor/internal/metrics/metricstest"
)

// What becomes of one part of keeping tidy is nothing to those before and after it.
func TestTidy_PartsAreApart(t *testing.T) {
	for name, bad := range map[string]func(context.Context) error{
		"fails":          func(context.Context) error { return errors.New("bad") },
		"panics":         func(context.Context) error { panic("bad") },
		"takes for ever": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			d := &frame.Dashboard{Options: frame.Options{Metrics: metrics.New(), Logger: slog.New(slog.DiscardHandler)}}
			var done []string
			part := func(loop string) tidying {
				return tidying{loop, func(context.Context) error { done = append(done, loop); return nil }}
			}
			for range 2 {
				tidy(t.Context(), d, 10*time.Millisecond, []tidying{part("before"), {"bad", bad}, part("after")})
			}
			if !slices.Equal(done, []string{"before", "after", "before", "after"}) {
				t.Errorf("done are %v", done)
			}
			if failed := metricstest.FailedLoops(t, d.Metrics); !slices.Equal(failed, []string{"bad"}) {
				t.Errorf("failures are counted of %q", failed)
			}
		})
	}
}
