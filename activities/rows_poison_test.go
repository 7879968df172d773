package activities

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"

	"emissor/internal/metrics"
	"emissor/nfse/fact"
)

// What fails on our side is recorded, and made again after a pause of ours; what says when
// it is due, is final or succeeds stays as it is.
func TestRows(t *testing.T) {
	final := temporal.NewNonRetryableApplicationError("final", "final", nil)
	for name, c := range map[string]struct {
		attempt func() error
		ours    bool
		code    string
	}{
		"a success":         {func() error { return nil }, false, ""},
		"a panic":           {func() error { panic("a poison row") }, true, "internal_error"},
		"an error":          {func() error { return errors.New("a poison row") }, true, "internal_error"},
		"an error of a row": {func() error { return temporal.NewApplicationError("row", "row") }, true, "row"},
		"a planned attempt": {func() error { return RetryAfter("later", "later", time.Hour) }, false, "later"},
		"one that is final": {func() error { return final }, false, "final"},
	} {
		t.Run(name, func(t *testing.T) {
			var recorded []fact.Fact
			var waited time.Duration
			rows := &RowGuard{Metrics: metrics.New(), Logger: slog.New(slog.DiscardHandler), Loops: map[string]Loop{
				"attempt": {Name: "test", ID: "row_id",
					Record: func(_ context.Context, id string, problem fact.Fact, wait time.Duration) error {
						if id != "row-1" {
							t.Errorf("recorded at %s", id)
						}
						recorded, waited = append(recorded, problem), wait
						return nil
					}}}}
			engine := new(testsuite.WorkflowTestSuite).NewTestActivityEnvironment()
			engine.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{rows}})
			engine.RegisterActivityWithOptions(func(context.Context, string) error { return c.attempt() },
				activity.RegisterOptions{Name: "attempt"})
			_, err := engine.ExecuteActivity("attempt", "row-1")
			var failed *temporal.ApplicationError
			if errors.As(err, &failed) && failed.Type() != c.code || c.code != "" && failed == nil {
				t.Errorf("the engine hears of %v", err)
			}
			if !c.ours {
				if recorded != nil {
					t.Errorf("recorded is %v", recorded)
				}
				return
			}
			if len(recorded) != 1 || !recorded[0].Is(fact.FailedHere) ||
				failed.Message() != recorded[0].English() || failed.NextRetryDelay() != waited {
				t.Errorf("recorded is %v, %s; the engine hears of %v, %s", recorded, waited, failed,
					failed.NextRetryDelay())
			}
			if waited < 1800*time.Millisecond || waited > 2200*time.Millisecond {
				t.Errorf("the first pause is %s", waited)
			}
		})
	}
	// The engine cuts a longer pause to a quarter of an hour.
	if longest := RowPauses.After(1000); longest < 12*time.Minute || longest > 15*time.Minute {
		t.Errorf("the longest pause is %s", longest)
	}
}

// What hangs is not waited for, and what panics is an error.
func TestGuarded(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	hangs := make(chan struct{})
	defer close(hangs)
	if _, err := Guarded(over, func(context.Context) int { <-hangs; return 1 }); !errors.Is(err, ErrNeverEnds) {
		t.Errorf("what hangs: %v", err)
	}
	if _, err := Guarded(t.Context(), func(context.Context) int { panic("a poison row") }); err == nil {
		t.Error("a panic is no error")
	}
	if n, err := Guarded(t.Context(), func(context.Context) int { return 7 }); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
