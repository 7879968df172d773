package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/activity"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store"
	"emissor/workflows"
)

const (
	// leaseMargin is how much longer a lease is than the call it covers.
	leaseMargin = 15 * time.Second
	// callsAnAttempt bounds the questions and sendings of one attempt.
	callsAnAttempt = 3
)

// Transmit brings a signed document to an end known to both sides: it sends, and
// asks before it sends again. That nothing final is known yet is an error, so
// that it is tried later.
func (a *Issuance) Transmit(ctx context.Context, noteID string) (workflows.Transmission, error) {
	t := transmission{Issuance: a, noteID: noteID, lease: store.Lease{Token: uuid.New(), For: a.Call + leaseMargin}}
	defer heartbeat(ctx)()
	// A call under way is finished, whatever asks the activity to stop: its outcome is worth a few seconds.
	uncut := context.WithoutCancel(ctx)
	defer func() { _ = a.Store.ReleaseDocument(uncut, noteID, t.lease) }()
	for range callsAnAttempt {
		result, again, err := t.step(uncut)
		var later Later
		var missing *Hold
		switch {
		case errors.As(err, &later):
			return result, later.error(ctx)
		case errors.As(err, &missing):
			fresh, err := a.hold(uncut, noteID, missing)
			if err == nil && fresh {
				continue // what it misses may have come just before
			}
			return workflows.Transmission{Held: true}, a.failure(ctx, noteID, err)
		case err != nil:
			return result, a.failure(ctx, noteID, err)
		case !again:
			return result, nil
		case stopping(ctx):
			return result, Later{Reason: "the worker stops", Kind: "stopped"}.error(ctx)
		}
	}
	return workflows.Transmission{}, Later{Reason: "there is more to do than one attempt does", Kind: "unknown"}.error(ctx)
}

// transmission is one attempt, by the only sender of its document.
type transmission struct {
	*Issuance
	noteID   string
	lease    store.Lease
	leasedAt time.Time
}

// step does the next thing with the document: sends it, or asks for it.
func (t *transmission) step(ctx context.Context) (result workflows.Transmission, again bool, err error) {
	t.leasedAt = time.Now()
	leased, ok, err := t.Store.LeaseDocument(ctx, t.noteID, t.lease)
	if err != nil {
		return result, false, err
	}
	live, err := t.Store.LiveNote(ctx, t.noteID)
	if err != nil {
		return result, false, err
	}
	if !ok {
		return t.withoutLease(live)
	}
	authority, session, err := t.session(ctx, live)
	if err != nil {
		return result, false, err
	}
	if leased.State == store.DocumentReady {
		return t.send(ctx, leased, authority, session)
	}
	return t.ask(ctx, leased, authority, session)
}

// withoutLease: there is nothing to send or ask, or somebody else is at it.
func (t *transmission) withoutLease(live store.LiveNote) (result workflows.Transmission, again bool, err error) {
	if live.Document == nil {
		return result, false, nil
	}
	switch live.Document.State {
	case store.DocumentReady, store.DocumentAsking:
		return result, false, Later{Reason: "another sender of this document is at work, or was cut off", Kind: "leased", In: t.lease.For / 4}
	}
	result.Settled = isSettled(live.Document.State)
	return result, false, nil
}

func (t *transmission) send(ctx context.Context, d store.FiscalDocument, authority fiscal.Authority, session fiscal.Session) (result workflows.Transmission, again bool, err error) {
	kept, err := t.Store.LastRendering(ctx, d.ID)
	if err != nil {
		return result, false, err
	}
	call, ok, err := t.Store.StartSending(ctx, d, t.lease)
	if err != nil || !ok {
		return result, false, err // a cancellation came first: the note is looked at again
	}
	before := progressOf(d)
	answer := t.call(ctx, t.leasedAt, authority, store.CallIssue, func(ctx context.Context) fiscal.Answer {
		return authority.Issue(ctx, session, fiscal.Rendering{ID: kept.DocumentID, Layout: kept.Layout, Digest: kept.Digest, XML: kept.XML})
	})
	whose, err := t.whose(ctx, d, answer)
	if err != nil {
		return result, false, err
	}
	after := before.Answered(answer, whose)
	if after.Treatment == fiscal.Certificate && kept.CertificateID == session.Credentials.ID {
		if err := t.Store.RefuseCertificate(ctx, kept.CertificateID, after.Refusal.Code); err != nil {
			return result, false, err
		}
	}
	return t.save(ctx, d, call, answer, after)
}

func (t *transmission) ask(ctx context.Context, d store.FiscalDocument, authority fiscal.Authority, session fiscal.Session) (result workflows.Transmission, again bool, err error) {
	if !authority.Capabilities().Queryable {
		return result, false, &Hold{Reason: fmt.Sprintf("the authority %q cannot be asked what became of a document: a person must find out", authority.Name())}
	}
	call, err := t.Store.StartCall(ctx, t.noteID, store.CallFind)
	if err != nil {
		return result, false, err
	}
	answer := t.call(ctx, t.leasedAt, authority, store.CallFind, func(ctx context.Context) fiscal.Answer {
		return authority.Find(ctx, session, *d.DocumentID)
	})
	whose, err := t.whose(ctx, d, answer)
	if err != nil {
		return result, false, err
	}
	after := progressOf(d).Found(answer, whose, d.SinceSent, t.Quiet)
	switch {
	case after.State == fiscal.Taken:
		answer.Alarm = fmt.Sprintf("the number %d of series %d belongs to a document of another system; the next one is taken", d.Number, d.Profile.Series)
	case whose == fiscal.Unclear && answer.Document != nil && answer.Document.XML != nil:
		answer.Alarm = fmt.Sprintf("a document exists under the number %d of series %d that is this note's or cannot be compared, and is not one that was sent from here", d.Number, d.Profile.Series)
	case answer.Outcome == fiscal.Absent && after.State == fiscal.Ready && d.Treatment == string(fiscal.Collision):
		answer.Alarm = fmt.Sprintf("the authority says that the number %d of series %d is in use, and finds nothing under it", d.Number, d.Profile.Series)
	}
	result, again, err = t.save(ctx, d, call, answer, after)
	var later Later
	if remains := t.Quiet - d.SinceSent; answer.Outcome == fiscal.Absent && remains > 0 && errors.As(err, &later) {
		later.In = remains + time.Second
		err = later
	}
	return result, again, err
}

// call asks the authority, and ends well before the lease that was taken then.
func (a *Issuance) call(ctx context.Context, leasedAt time.Time, authority fiscal.Authority, what string, ask func(context.Context) fiscal.Answer) fiscal.Answer {
	ctx, cancel := context.WithDeadline(ctx, leasedAt.Add(a.Call))
	defer cancel()
	started := time.Now()
	answer := ask(ctx)
	a.Metrics.Asked(authority.Name(), what, string(answer.Outcome), time.Since(started))
	return answer
}

// save stores what an answer made of the document, and says how it goes on.
func (t *transmission) save(ctx context.Context, d store.FiscalDocument, call int64, answer fiscal.Answer, after fiscal.Progress) (result workflows.Transmission, again bool, err error) {
	reason := reasonOf(answer)
	alarm := alarmOf(answer)
	progress := store.DocumentProgress{
		State: store.DocumentState(after.State), Doubtful: after.Doubtful, Layout: after.Layout, Refusal: after.Refusal,
		Treatment: string(after.Treatment), AccessKey: after.AccessKey, NothingExists: after.NothingExists(), Alarm: alarm,
	}
	if after.Document != nil {
		progress.Issued, progress.XML = &after.Document.Authority, after.Document.XML
	}
	ok, cancelled, err := t.Store.SaveProgress(ctx, d, t.lease,
		store.Call{ID: call, Outcome: string(answer.Outcome), Status: answer.Status, Reason: reason, Body: answer.Body}, progress)
	if err != nil {
		return result, false, err
	}
	if alarm != "" {
		t.Metrics.Alarmed(d.Authority)
		t.Logger.ErrorContext(ctx, "a person should look at a note", "note_id", t.noteID, "alarm", alarm)
	}
	switch {
	case !ok:
		return result, false, Later{Reason: "the lease of the document was lost", Kind: "leased"}
	case isSettled(progress.State):
		result.Settled = true
		return result, false, nil
	case cancelled, after.State == fiscal.Numbered, after.State == fiscal.Taken:
		return result, false, nil // the note is looked at again
	case after.State == fiscal.Asking && answer.Outcome == fiscal.Rejected && answer.Treatment == fiscal.Collision,
		after.State == fiscal.Ready && answer.Outcome == fiscal.Absent:
		return result, true, nil
	}
	return result, false, Later{Reason: string(answer.Outcome) + ": " + reason, Kind: string(answer.Outcome), In: answer.RetryIn}
}

// whose tells whose the document in an answer is. That it is another system's
// takes evidence: a digest that is none of ours, and not this note's mark.
func (t *transmission) whose(ctx context.Context, d store.FiscalDocument, answer fiscal.Answer) (fiscal.Ownership, error) {
	if answer.Document == nil || answer.Document.Digest == "" {
		return fiscal.Unclear, nil
	}
	ours, err := t.Store.IsOurs(ctx, d.ID, answer.Document.Digest)
	switch {
	case err != nil:
		return fiscal.Unclear, err
	case ours:
		return fiscal.Ours, nil
	case answer.Document.Mark == fiscal.Mark(d.NoteID):
		return fiscal.Unclear, nil
	}
	return fiscal.Foreign, nil
}

// SettleDocument ends a note as its document ended.
func (a *Issuance) SettleDocument(ctx context.Context, noteID string) (workflows.Standing, error) {
	live, err := a.Store.LiveNote(ctx, noteID)
	if err != nil {
		return workflows.Standing{}, a.failure(ctx, noteID, err)
	}
	d := live.Document
	switch {
	case d != nil && d.State == store.DocumentIssued:
		settled, err := a.Store.SettleIssued(ctx, noteID, nfse.Authorization{
			Number: d.AuthorityNumber, VerificationCode: d.VerificationCode, AccessKey: d.AccessKey, IssuedAt: *d.IssuedAt,
		}, d.XML)
		return a.report(ctx, noteID, settled, err)
	case d != nil && d.State == store.DocumentRejected:
		settled, err := a.Store.SettleRejected(ctx, noteID, *d.Refusal)
		return a.report(ctx, noteID, settled, err)
	}
	return standingOf(live), nil
}

func isSettled(state store.DocumentState) bool {
	return state == store.DocumentIssued || state == store.DocumentRejected
}

func progressOf(d store.FiscalDocument) fiscal.Progress {
	progress := fiscal.Progress{
		State: fiscal.State(d.State), Doubtful: d.Doubtful, Layout: d.Layout,
		Refusal: d.Refusal, Treatment: fiscal.Treatment(d.Treatment),
	}
	if d.AccessKey != nil {
		progress.AccessKey = *d.AccessKey
	}
	return progress
}

// reasonOf is an answer in a few words: the code of a rejection, or why nothing
// is known.
func reasonOf(answer fiscal.Answer) string {
	if answer.Rejection != nil {
		return answer.Rejection.Code
	}
	return answer.Reason
}

func alarmOf(answer fiscal.Answer) string {
	if answer.Alarm == "" && answer.Document != nil {
		return answer.Document.SignatureProblem
	}
	return answer.Alarm
}

// stopping reports that the activity should begin nothing more: it was
// cancelled, or its worker stops.
func stopping(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-activity.GetWorkerStopChannel(ctx):
		return true
	default:
		return false
	}
}
