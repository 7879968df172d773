package worker_test

import (
	"errors"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"emissor/activities"
	"emissor/activities/exchange"
	"emissor/fiscal/national"
	"emissor/store/received"
	"emissor/test/testkit"
	"emissor/workflows"
)

// While another issuer is asked about, a distribution waits longer each time that it loses its turn. Earlier failures
// do not make it wait longer, and after a turn of its own the pauses start from the shortest.
func TestExternalEvents_TurnLost(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	testkit.Eventually(t, "the issuer is asked about", func() bool {
		return n.Count(t, `SELECT count(*) FROM distributions WHERE succeeded_at IS NOT NULL`) == 1
	})
	n.Worker.Stop()
	id := n.Text(t, `SELECT id FROM distributions`)
	distributions := &exchange.Distributions{
		Store: n.Store, Authorities: exchange.Authorities{national.Name: n.Authorities[0].Authority},
		Certificates: activities.NewCertificateCache(n.Store, n.Sealer, n.Metrics),
		CallTimeout:  time.Minute, Interval: time.Minute, Metrics: n.Metrics, Logger: testkit.Logger(t),
	}
	engine := new(testsuite.WorkflowTestSuite).NewTestActivityEnvironment()
	engine.RegisterActivity(distributions.PollDistribution)
	lost := func() time.Duration {
		t.Helper()
		_, err := engine.ExecuteActivity(distributions.PollDistribution, id)
		var later *temporal.ApplicationError
		if !errors.As(err, &later) || later.Type() != "leased" {
			t.Fatalf("while another issuer is asked about: %v", err)
		}
		return later.NextRetryDelay()
	}
	const first, longest = 500 * time.Millisecond, 30 * time.Second
	for range 2 {
		other := received.NewPollLease(national.Name, false, time.Hour)
		if leased, paused, err := n.Store.Received.TakePollLease(t.Context(), other); err != nil || leased+paused > 0 {
			t.Fatalf("the lease of another issuer: %v, %v, %v", leased, paused, err)
		}
		for pause := first; pause < 2*longest; pause *= 2 {
			if got, base := lost(), min(pause, longest); got < base/2 || got > base*3/2 {
				t.Errorf("the pause is %s, of %s", got, base)
			}
		}
		if err := n.Store.Received.EndPollLease(t.Context(), other, false, 0); err != nil {
			t.Fatal(err)
		}
		value, err := engine.ExecuteActivity(distributions.PollDistribution, id)
		var asked workflows.Polled
		if err == nil {
			err = value.Get(&asked)
		}
		if err != nil || asked.Pause < time.Minute {
			t.Fatalf("its own turn: %+v, %v", asked, err)
		}
	}
}
