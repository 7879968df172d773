package worker_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"

	"emissor/nfse"
	"emissor/test/testkit"
	"emissor/worker"
	"emissor/workflows"
)

// callsOfAttempts is an interceptor that knows the most calls to an authority that one attempt on its
// queue made.
type callsOfAttempts struct {
	interceptor.WorkerInterceptorBase
	authority *testkit.ScriptedAuthority
	most      atomic.Int64
}

func (c *callsOfAttempts) InterceptActivity(_ context.Context,
	next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	return &countedAttempt{interceptor.ActivityInboundInterceptorBase{Next: next}, c}
}

type countedAttempt struct {
	interceptor.ActivityInboundInterceptorBase
	all *callsOfAttempts
}

func (a *countedAttempt) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	if activity.GetInfo(ctx).ActivityType.Name != workflows.ActivityExchange {
		return a.Next.ExecuteActivity(ctx, in)
	}
	before := a.all.calls()
	defer func() { a.all.most.Store(max(a.all.most.Load(), a.all.calls()-before)) }()
	return a.Next.ExecuteActivity(ctx, in)
}

func (c *callsOfAttempts) calls() int64 {
	issues, finds, cancels := c.authority.Counts()
	return int64(issues + finds + cancels)
}

// What calls of minutes leave no time for is done by another attempt: the question, and then the
// sending of what the authority does not have.
func TestLiveNote_LongCalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		longest time.Duration
		most    int64
	}{
		"there is time for both": {5 * time.Minute, 2},
		"there is time for one":  {workflows.AuthorityAttempt / 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			authority := &testkit.ScriptedAuthority{Issuing: each(testkit.Lost)}
			counted := &callsOfAttempts{authority: authority}
			s := testkit.NewSystem(t, testkit.Options{
				Worker: true, Interceptors: []interceptor.WorkerInterceptor{counted},
				Authorities: []worker.Authority{{Authority: authority, Rate: 1000, CallTimeout: c.longest}},
			})
			s, service := issuing(t, s, authority)
			id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
			s.Await(t, s.LiveKey, id, nfse.StatusIssued)
			if sendings, _, _ := authority.Counts(); sendings != 2 || len(authority.Issued()) != 1 {
				t.Errorf("it was sent %d times, and %d are issued", sendings, len(authority.Issued()))
			}
			if most := counted.most.Load(); most != c.most {
				t.Errorf("an attempt made %d calls, want %d", most, c.most)
			}
		})
	}
}
