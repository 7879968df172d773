package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store"
	"emissor/workflows"
)

// CancelAtAuthority brings the pending cancellation of an issued live note to
// its end. The request is stored before it is sent, and after an unknown outcome
// the authority is asked before it is sent again. That nothing final is known yet
// is an error, so that it is tried later.
func (a *Issuance) CancelAtAuthority(ctx context.Context, noteID string) (workflows.Standing, error) {
	c := cancelling{Issuance: a, noteID: noteID, lease: store.Lease{Token: uuid.New(), For: a.Call + leaseMargin}}
	defer heartbeat(ctx)()
	uncut := context.WithoutCancel(ctx)
	defer c.release(uncut)
	for range callsAnAttempt {
		standing, again, err := c.step(uncut)
		var later Later
		var missing *Hold
		switch {
		case errors.As(err, &later):
			return standing, later.error(ctx)
		case errors.As(err, &missing):
			fresh, err := a.hold(uncut, noteID, missing)
			if err == nil && fresh {
				continue // what it misses may have come just before
			}
			standing.Held = true
			return standing, a.failure(ctx, noteID, err)
		case err != nil:
			return standing, a.failure(ctx, noteID, err)
		case !again:
			return standing, nil
		case stopping(ctx):
			return standing, Later{Reason: "the worker stops", Kind: "stopped"}.error(ctx)
		}
	}
	return workflows.Standing{}, Later{Reason: "there is more to do than one attempt does", Kind: "unknown"}.error(ctx)
}

// cancelling is one attempt, by the only sender of its request.
type cancelling struct {
	*Issuance
	noteID    string
	requestID string
	lease     store.Lease
	leasedAt  time.Time
}

func (c *cancelling) release(ctx context.Context) {
	if c.requestID != "" {
		_ = c.Store.ReleaseCancellation(ctx, c.noteID, c.requestID, c.lease)
	}
}

// step does the next thing with the request: renders it, sends it, asks for it,
// or settles what came of it.
func (c *cancelling) step(ctx context.Context) (standing workflows.Standing, again bool, err error) {
	live, err := c.Store.LiveNote(ctx, c.noteID)
	if err != nil {
		return standing, false, err
	}
	standing = standingOf(live)
	if live.Status != nfse.StatusIssued || !standing.CancellationPending {
		return standing, false, nil
	}
	if live.Document == nil {
		return standing, false, fmt.Errorf("the issued live note %s has no document", c.noteID)
	}
	c.requestID, c.leasedAt = live.CancellationRequestID, time.Now()
	request, found, ok, err := c.Store.LeaseCancellation(ctx, c.noteID, c.requestID, c.lease)
	if err != nil {
		return standing, false, err
	}
	toRender := !found || request.State == string(fiscal.Numbered)
	if !toRender && !ok {
		return c.withoutLease(ctx, standing, request)
	}
	authority, session, err := c.session(ctx, live)
	if err != nil {
		return standing, false, err
	}
	if live.HeldReason != nil {
		if err := c.Store.ReleaseNote(ctx, c.noteID); err != nil {
			return standing, false, err
		}
	}
	switch {
	case !authority.Capabilities().Cancels:
		settled, err := c.Store.RefuseCancellation(ctx, c.noteID, c.requestID, nfse.Refusal{
			Code: "cancellation_not_supported", Message: "the authority takes no cancellations from programs",
			Explanation: "The authority that issued the note has no way for a program to cancel it, so it was not asked.",
			Action:      "Cancel the note at the authority's own site.",
		})
		standing, err = c.report(ctx, c.noteID, settled, err)
		return standing, false, err
	case toRender:
		return standing, true, c.render(ctx, live, authority, session)
	case request.State == string(fiscal.Ready):
		again, err = c.send(ctx, live, request, authority, session)
	default:
		again, err = c.ask(ctx, live, request, authority, session)
	}
	return standing, again, err
}

// withoutLease: the request has ended, or somebody else is at it.
func (c *cancelling) withoutLease(ctx context.Context, standing workflows.Standing, request store.FiscalCancellation) (workflows.Standing, bool, error) {
	switch fiscal.State(request.State) {
	case fiscal.CancelDone:
		settled, err := c.Store.AcceptCancellation(ctx, c.noteID, c.requestID)
		standing, err = c.report(ctx, c.noteID, settled, err)
		return standing, false, err
	case fiscal.CancelRefused:
		settled, err := c.Store.RefuseCancellation(ctx, c.noteID, c.requestID, *request.Refusal)
		standing, err = c.report(ctx, c.noteID, settled, err)
		return standing, false, err
	}
	return standing, false, Later{Reason: "another sender of this request is at work, or was cut off", Kind: "leased", In: c.lease.For / 4}
}

func (c *cancelling) render(ctx context.Context, live store.LiveNote, authority fiscal.Authority, session fiscal.Session) error {
	rendering, err := authority.RenderCancellation(fiscal.Cancellation{
		AccessKey: *live.Document.AccessKey, Issuer: live.Document.Profile,
		ReasonCode: live.Cancellation.ReasonCode, ReasonText: live.Cancellation.ReasonText,
	}, session.Credentials, time.Now())
	if err != nil {
		return fmt.Errorf("render the cancellation: %w", err)
	}
	return c.Store.SaveCancellationRendering(ctx, store.FiscalCancellation{
		NoteID: c.noteID, RequestID: c.requestID, EventID: rendering.ID, Layout: rendering.Layout, Digest: rendering.Digest,
		XML: rendering.XML, CertificateID: session.Credentials.ID,
	})
}

func (c *cancelling) send(ctx context.Context, live store.LiveNote, request store.FiscalCancellation, authority fiscal.Authority, session fiscal.Session) (again bool, err error) {
	call, ok, err := c.Store.StartCancelling(ctx, request, c.lease)
	if err != nil || !ok {
		return true, err
	}
	answer := c.call(ctx, authority, store.CallCancel, func(ctx context.Context) fiscal.CancelAnswer {
		return authority.Cancel(ctx, session, *live.Document.AccessKey, fiscal.Rendering{
			ID: request.EventID, Layout: request.Layout, Digest: request.Digest, XML: request.XML,
		})
	})
	after := cancelProgressOf(request).Answered(answer)
	if after.Treatment == fiscal.Certificate && request.CertificateID == session.Credentials.ID {
		if err := c.Store.RefuseCertificate(ctx, request.CertificateID, after.Refusal.Code); err != nil {
			return false, err
		}
	}
	return c.save(ctx, authority.Name(), request, call, answer, after)
}

func (c *cancelling) ask(ctx context.Context, live store.LiveNote, request store.FiscalCancellation, authority fiscal.Authority, session fiscal.Session) (again bool, err error) {
	call, err := c.Store.StartCall(ctx, c.noteID, store.CallFindCancellation)
	if err != nil {
		return false, err
	}
	answer := c.call(ctx, authority, store.CallFindCancellation, func(ctx context.Context) fiscal.CancelAnswer {
		return authority.FindCancellation(ctx, session, *live.Document.AccessKey)
	})
	again, err = c.save(ctx, authority.Name(), request, call, answer, cancelProgressOf(request).Found(answer, request.SinceSent, c.Quiet))
	var later Later
	if remains := c.Quiet - request.SinceSent; answer.Outcome == fiscal.Absent && remains > 0 && errors.As(err, &later) {
		later.In = remains + time.Second
		err = later
	}
	return again, err
}

// call asks the authority, and ends well before the lease.
func (c *cancelling) call(ctx context.Context, authority fiscal.Authority, what string, ask func(context.Context) fiscal.CancelAnswer) fiscal.CancelAnswer {
	ctx, cancel := context.WithDeadline(ctx, c.leasedAt.Add(c.Call))
	defer cancel()
	started := time.Now()
	answer := ask(ctx)
	c.Metrics.Asked(authority.Name(), what, string(answer.Outcome), time.Since(started))
	return answer
}

// save stores what an answer made of the request, and says whether the attempt
// goes on.
func (c *cancelling) save(ctx context.Context, authority string, request store.FiscalCancellation, call int64, answer fiscal.CancelAnswer, after fiscal.CancelProgress) (again bool, err error) {
	reason := answer.Reason
	if answer.Refusal != nil {
		reason = answer.Refusal.Code
	}
	ok, err := c.Store.SaveCancellationProgress(ctx, request, c.lease,
		store.Call{ID: call, Outcome: string(answer.Outcome), Status: answer.Status, Reason: reason, Body: answer.Body},
		store.CancellationProgress{
			State: string(after.State), Doubtful: after.Doubtful, Refusal: after.Refusal, Treatment: string(after.Treatment),
			EventXML: after.XML, Alarm: answer.Alarm,
		})
	if err != nil {
		return false, err
	}
	if answer.Alarm != "" {
		c.Metrics.Alarmed(authority)
		c.Logger.ErrorContext(ctx, "a person should look at a note", "note_id", c.noteID, "alarm", answer.Alarm)
	}
	switch {
	case !ok:
		return false, Later{Reason: "the lease of the request was lost", Kind: "leased"}
	case after.State == fiscal.CancelDone, after.State == fiscal.CancelRefused, after.State == fiscal.Numbered,
		after.State == fiscal.Asking && answer.Outcome == fiscal.Rejected && answer.Treatment != fiscal.TryLater,
		after.State == fiscal.Ready && answer.Outcome == fiscal.Absent:
		return true, nil
	}
	return false, Later{Reason: string(answer.Outcome) + ": " + reason, Kind: string(answer.Outcome), In: answer.RetryIn}
}

func cancelProgressOf(request store.FiscalCancellation) fiscal.CancelProgress {
	return fiscal.CancelProgress{
		State: fiscal.State(request.State), Doubtful: request.Doubtful, Refusal: request.Refusal, Treatment: fiscal.Treatment(request.Treatment),
	}
}
