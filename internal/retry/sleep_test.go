package retry_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"emissor/internal/retry"
)

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := retry.Sleep(t.Context(), time.Hour); err != nil || time.Since(began) != time.Hour {
			t.Errorf("slept for %s: %v", time.Since(began), err)
		}
		why := errors.New("enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, why)
		defer cancel()
		if err := retry.Sleep(ctx, time.Hour); !errors.Is(err, why) {
			t.Errorf("the context ended, and the reason is %v", err)
		}
	})
}

// What is done often is done at every interval, however long it takes, and not after the context has ended.
func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute+time.Second)
		defer cancel()
		began := time.Now()
		var done []time.Duration
		retry.Every(ctx, 2*time.Minute, func() {
			done = append(done, time.Since(began))
			time.Sleep(30 * time.Second)
		})
		if len(done) != 5 || done[0] != 2*time.Minute || done[4] != 10*time.Minute {
			t.Errorf("done after %v", done)
		}
	})
}
