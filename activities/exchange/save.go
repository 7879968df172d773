package exchange

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/internal/metrics"
	"emissor/nfse"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
)

// saver stores what follows from answers for an exchange.
type saver struct {
	store interface {
		SaveDecision(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease, callID int64, answer fiscal.Answer,
			decision fiscal.Decision, extras lifecycle.DecisionExtras) (lifecycle.Saved, error)
	}
	certificates interface {
		RefuseCertificate(ctx context.Context, certificateID, reason string) error
	}
	exchangeLease *exchangeLease
	metrics       *metrics.Metrics
	logger        *slog.Logger
}

// save stores a decision, and reports its alarm. RetryLater says that another attempt has
// taken the lease.
func (s *saver) save(ctx context.Context, e *exchanges.Exchange, callID int64, answer fiscal.Answer,
	decision fiscal.Decision, extras lifecycle.DecisionExtras) (lifecycle.Saved, error) {
	saved, err := s.store.SaveDecision(ctx, e, s.exchangeLease.lease, callID, answer, decision, extras)
	if err != nil {
		return saved, err
	}
	s.exchangeLease.leased = decision.GoesOn()
	if !decision.Alarm.None() {
		s.metrics.Alarmed(e.Profile.Authority)
		s.logger.ErrorContext(ctx, "a person should look at a note", "note_id", e.NoteID, "alarm", decision.Alarm)
	}
	if saved.Lost {
		return saved, activities.RetryLater{Code: "leased", Reason: "the lease of the exchange was lost"}
	}
	return saved, nil
}

// refuseCertificate keeps the certificate that the authority refuses, by which a message or
// question was signed, from signing again.
func (s *saver) refuseCertificate(ctx context.Context, decision fiscal.Decision, answer fiscal.Answer,
	certificate string, access fiscal.Access) error {
	if !decision.RefuseCertificate || certificate != access.Credentials.ID {
		return nil
	}
	return s.certificates.RefuseCertificate(ctx, certificate, answer.Rejection.Code)
}

// save stores a decision, gives the turn back and follows the decision. Where a cancellation
// came first the attempt ends, and the note is read again. With asks a question about the call
// is recorded with it, and asking is that call. Sent are the messages of the exchange, where they are at hand.
func (t *exchangeAttempt) save(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority, callID int64,
	answer fiscal.Answer, decision fiscal.Decision, sent []fiscal.Message, asks bool) (asking int64, done bool,
	err error) {
	if live.Exchange.Kind == fiscal.Issue {
		t.doubtCities(ctx, declaration(live, live.Exchange.Profile), authority, decision.Exchange)
	}
	decision = t.withTotalsAlarm(ctx, live, authority, decision)
	extras := lifecycle.DecisionExtras{PollAfter: pollAfter(authority), TurnTook: t.turns.took(), RecordsQuestion: asks,
		Sent: sent}
	saved, err := t.saver.save(ctx, live.Exchange, callID, answer, decision, extras)
	switch {
	case err == nil && saved.TurnEnded:
		t.turns.freeLocally()
	case err == nil:
		t.turns.end(ctx)
	}
	switch {
	case err != nil || saved.Cancelled:
		return 0, true, err
	case saved.Settled != nil:
		return 0, true, t.reportSettled(ctx, *saved.Settled, nil)
	}
	// Until there is another kind of answer, the note waits for the same.
	waits := decision.Action == fiscal.Hold || decision.GoesOn() || decision.Exchange.Handling == fiscal.Uncatalogued
	if !waits {
		if err := t.releaseNote(ctx, live); err != nil {
			return 0, true, err
		}
	}
	done, err = t.follow(decision)
	return saved.QuestionCallID, done, err
}

// settle ends a note, or its cancellation, whose exchange has ended before.
func (t *exchangeAttempt) settle(ctx context.Context, e *exchanges.Exchange) error {
	t.authority = e.Profile.Authority
	settled, err := t.Store.Lifecycle.SettleEnded(ctx, e, pollAfter(t.Authorities[e.Profile.Authority]))
	return t.reportSettled(ctx, settled, err)
}

// reportSettled keeps the state in which a step that settled something left the note.
func (t *exchangeAttempt) reportSettled(ctx context.Context, settled lifecycle.Settled, err error) error {
	end := metrics.End{Authority: cmp.Or(t.authority, metrics.NoAuthority), Held: t.held}
	t.state, err = t.ReportEnd(ctx, t.input.NoteID, settled, end, err)
	return err
}

// pollAfter is after how long an issued document is asked about, where its authority does
// not distribute external events; 0 where it does.
func pollAfter(authority fiscal.Authority) time.Duration {
	finder, asks := authority.(fiscal.StandingFinder)
	if !asks {
		return 0
	}
	every, _ := finder.PollInterval()
	return every
}

// doubtCities has the parameters that an issuance used fetched again, when the authority's
// rejection suggests that they have changed. It comes before the note is settled, so that a
// crash between the two does not lose it.
func (a *Exchanges) doubtCities(ctx context.Context, declared fiscal.Declaration, authority fiscal.Authority,
	ended fiscal.Exchange) {
	autoFixed := ended.State == fiscal.Unsigned && ended.Handling == fiscal.AutoFixed
	if (autoFixed || ended.Refused() ||
		ended.State == fiscal.Rejected) && ended.Rejection.Source == nfse.RejectedByAuthority {
		a.Cities.Doubt(ctx, authority, declared, ended.Rejection.Code)
	}
}
