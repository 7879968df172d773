package exchange

import (
	"context"

	"emissor/fiscal"
	"emissor/internal/panics"
	"emissor/store/lifecycle"
)

// withTotalsAlarm adds to a decision that issues a note by a document an alarm of each total that is
// not the one its declaration leads to. Nothing else of the decision depends on them.
func (t *exchangeAttempt) withTotalsAlarm(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	decision fiscal.Decision) fiscal.Decision {
	e := decision.Exchange
	comparer, compares := authority.(fiscal.TotalsComparer)
	if !compares || e.Kind != fiscal.Issue || e.State != fiscal.Accepted || e.Document.Authorization.Totals == nil {
		return decision
	}
	err := panics.Caught(func() error {
		alarm := comparer.CompareTotals(declaration(live, live.Exchange.Profile), *e.Document)
		decision.Alarm = decision.Alarm.And(alarm)
		return nil
	})
	if err != nil {
		t.Logger.ErrorContext(ctx, "the totals of a document could not be compared", "note_id", live.ID, "error", err)
	}
	return decision
}
