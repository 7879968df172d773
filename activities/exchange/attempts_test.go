package exchange

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"emissor/activities"
)

// A pause grows with the attempts that failed, as heartbeats have them from one to the next: not with those that
// waited, and not with what another version has recorded.
func TestExchangeAttempts(t *testing.T) {
	for name, c := range map[string]struct {
		recorded any
		later    activities.RetryLater
		pause    time.Duration
	}{
		"the first":             {nil, activities.RetryLater{}, time.Second},
		"the fourth that fails": {exchangeAttempts{Failed: 3}, activities.RetryLater{}, 8 * time.Second},
		"one that waits": {exchangeAttempts{Failed: 3}, activities.RetryLater{After: time.Second,
			NotFailed: true}, time.Second},
		"recorded as a number":      {7, activities.RetryLater{}, time.Second},
		"no less than is asked for": {exchangeAttempts{Failed: 1}, activities.RetryLater{After: time.Minute}, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			var suite testsuite.WorkflowTestSuite
			engine := suite.NewTestActivityEnvironment()
			if c.recorded != nil {
				engine.SetHeartbeatDetails(c.recorded)
			}
			attempt := func(ctx context.Context) error {
				before := attemptsBefore(ctx)
				return before.recordFailure(ctx, c.later)
			}
			engine.RegisterActivity(attempt)
			_, err := engine.ExecuteActivity(attempt)
			var later *temporal.ApplicationError
			if !errors.As(err, &later) || later.NextRetryDelay() < c.pause*9/10 || later.NextRetryDelay() > c.pause*6/5 {
				t.Errorf("the next one comes after %v, expected about %s", err, c.pause)
			}
		})
	}
}
