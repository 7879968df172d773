package store_test

import (
	"log/slog"
	"testing"

	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

// A row of the outbox has the trace of what asked for it last, and nothing else.
func TestOutbox_Trace(t *testing.T) {
	tenant := newTenant(t)
	tracer, err := trace.New(trace.Options{URL: "http://127.0.0.1:1/v1/traces", Ratio: 1,
		Logger: slog.New(slog.DiscardHandler), Lost: func(string, int) {}})
	must(t, err)
	t.Cleanup(tracer.Close)
	expect := func(what, expected string) {
		t.Helper()
		tenant.expire(t)
		starts := tenant.claim(t, 10)
		if len(starts) != 1 || starts[0].Traceparent != expected {
			t.Errorf("%s: claimed is %+v, expected the trace %s", what, starts, expected)
		}
	}
	accepting, _ := tracer.Begin(t.Context(), "")
	accepted, _, err := tenant.Store.Lifecycle.AcceptNote(accepting, tenant.note("order"))
	must(t, err)
	expect("accepted", *trace.Parent(accepting))

	redriving, _ := tracer.Begin(t.Context(), "")
	must(t, tenant.Changes().Lifecycle.RedriveNote(redriving, accepted.ID))
	expect("asked for again", *trace.Parent(redriving))
	must(t, tenant.Changes().Lifecycle.RedriveNote(t.Context(), accepted.ID))
	expect("asked for again, without a trace", *trace.Parent(redriving))

	tenant.Exec(t, `DELETE FROM outbox`)
	cancelling, _ := tracer.Begin(t.Context(), "")
	_, _, err = tenant.Changes().Lifecycle.RequestCancellation(cancelling, accepted.ID,
		lifecycle.NewCancellation{Key: tenant.key,
			RequestID: nfse.NewID(nfse.PrefixRequest), ReasonCode: "1", ReasonText: "The amount is wrong"})
	must(t, err)
	expect("cancelled", *trace.Parent(cancelling))

	for _, wrong := range []string{"", "x", *trace.Parent(cancelling) + " ", "01" + (*trace.Parent(cancelling))[2:]} {
		if _, err := tenant.SQL.Exec(`UPDATE outbox SET traceparent = $1`, wrong); err == nil {
			t.Errorf("%q is taken for a trace", wrong)
		}
	}
}
