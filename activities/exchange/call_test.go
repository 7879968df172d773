package exchange

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/internal/metrics"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
)

// What an authority says of one organization's certificate or account keeps nobody
// else from being answered at once; that it is out does.
func TestCall_FailedForAll(t *testing.T) {
	refused := fiscal.Numbers{Reason: fact.CityAnsweredCodes.With("codes", "1054"),
		CertificateRefused: &nfse.Rejection{Code: "1054"}}
	for name, c := range map[string]struct {
		answer fiscal.Answer
		failed bool
	}{
		"issued":                  {fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Status: 201}, false},
		"rejected":                {fiscal.Answer{Outcome: fiscal.OutcomeRejected, Status: 400}, false},
		"no answer":               {fiscal.Answer{Outcome: fiscal.OutcomeUnknown}, true},
		"out":                     {fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Status: 503}, true},
		"not reached":             {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered}, true},
		"too many requests":       {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Status: 429}, true},
		"not let in":              {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Status: 401}, false},
		"not allowed":             {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Status: 403}, false},
		"refused about numbers":   {refused.Answer(), false},
		"nothing said of numbers": {fiscal.Numbers{Reason: fact.NoAnswerInTime.Fact()}.Answer(), true},
		"free numbers":            {fiscal.Numbers{Free: []int64{1}}.Answer(), false},
		"its certificate is refused": {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered,
			NeedsPerson: fact.AddCertificateItTakes.With("why", fact.TLSHandshakeFailed.Fact())}, false},
	} {
		if failed := failedForAll(c.answer); failed != c.failed {
			t.Errorf("%s: failed for all is %v", name, failed)
		}
	}
}

// leases counts what is done with the lease of an exchange.
type leases struct{ kept, released int }

func (l *leases) KeepExchange(context.Context, string, exchanges.Lease) error { l.kept++; return nil }

func (l *leases) ReleaseExchange(context.Context, string, exchanges.Lease) error {
	l.released++
	return nil
}

func newCaller(t *testing.T) *caller {
	return &caller{
		exchangeLease: &exchangeLease{store: &leases{}, noteID: "nfse_1"},
		timeouts:      map[string]time.Duration{"scripted": time.Minute},
		metrics:       metrics.New(), logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
}

func answering(answer fiscal.Answer) func(context.Context) fiscal.Answer {
	return func(context.Context) fiscal.Answer { return answer }
}

// A call whose time is over is not made: others may have gone on with the exchange.
func TestCall_TimeIsOver(t *testing.T) {
	c := newCaller(t)
	answer := c.call(t.Context(), "scripted", "issue", time.Now().Add(-2*time.Minute),
		func(context.Context) fiscal.Answer { t.Error("it was called"); return fiscal.Answer{} })
	if answer.Outcome != fiscal.OutcomeNotDelivered || !c.called || !c.failed {
		t.Errorf("%+v, called %v, failed %v", answer, c.called, c.failed)
	}
}

// What panics on our side may have been done, and says nothing of the authority.
func TestCall_OwnError(t *testing.T) {
	c := newCaller(t)
	answer := c.call(t.Context(), "scripted", "issue", time.Now(),
		func(context.Context) fiscal.Answer { panic("poison") })
	if answer.Outcome != fiscal.OutcomeUnknown || c.failed {
		t.Errorf("%+v, failed %v", answer, c.failed)
	}
}

// A call of the queue is counted in the budget of its authority, once; the first one was
// taken out of it before.
func TestCall_Budget(t *testing.T) {
	c, spent := newCaller(t), 0
	c.call(t.Context(), "scripted", "find", time.Now(), answering(fiscal.Answer{Outcome: fiscal.OutcomeNotFound}))
	c.spend = func(context.Context, string) { spent++ }
	c.call(t.Context(), "scripted", "find", time.Now(), answering(fiscal.Answer{Outcome: fiscal.OutcomeNotFound}))
	if spent != 1 {
		t.Errorf("%d calls are counted", spent)
	}
}
