package exchange

import (
	"context"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
)

// findBlockingEvent asks for the event because of which the authority refuses to cancel a note, to have
// that analysed, or to have it replaced, and stores it. done is true where the note is to be read
// again: the event has cancelled it.
func (t *exchangeAttempt) findBlockingEvent(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access) (done bool, err error) {
	e := live.Exchange
	finder, asks := authority.(fiscal.EventFinder)
	noteID, accessKey := live.ID, ""
	if live.Authority != nil {
		accessKey = nfse.OrEmpty(live.Authority.AccessKey)
	}
	if replaces := live.Details.Replaces; e.Kind == fiscal.Issue && replaces != nil {
		noteID, accessKey = replaces.NoteID, replaces.AccessKey
	}
	if !asks || accessKey == "" || !e.AsksBlockingEvent(authority.Capabilities()) {
		return false, nil
	}
	callID, err := t.Store.Lifecycle.StartAsking(ctx, e, fiscal.AskBlockingEvent)
	if err != nil {
		return true, err
	}
	answers := make(chan fiscal.FoundEvent, 1)
	answer := t.caller.call(ctx, authority.Name(), e.Kind.CallName(fiscal.AskBlockingEvent), time.Now(),
		func(ctx context.Context) fiscal.Answer {
			found := finder.FindBlockingEvent(ctx, access, e.Profile.TaxID, accessKey)
			answers <- found
			return found.Answer()
		})
	var found fiscal.FoundEvent
	select {
	case found = <-answers:
	default: // the call did not come to its end
	}
	decision := fiscal.Decision{Exchange: e.Exchange, Action: fiscal.Ask}
	if answer.Outcome == fiscal.OutcomeUnknown || answer.Outcome == fiscal.OutcomeNotDelivered {
		decision = e.AfterAsking(answer, authority.Capabilities())
	}
	fresh := false
	if found.Event != nil {
		if fresh, err = t.Store.Received.SaveFoundEvent(ctx, noteID, *found.Event); err != nil {
			return true, err
		}
		decision.Alarm = notApplied(*found.Event)
	}
	if _, err := t.saver.save(ctx, e, callID, answer, decision, lifecycle.DecisionExtras{}); err != nil {
		return true, err
	}
	if decision.Action != fiscal.Ask {
		return t.follow(decision)
	}
	ended := found.Event != nil && found.Event.Problem.None() && (found.Event.Event.Effect == fiscal.EffectCancels ||
		found.Event.Event.Effect == fiscal.EffectReplaces)
	return fresh && ended && e.Kind != fiscal.Issue, nil
}

// notApplied is the alarm of an event that must not be used; none where it may.
func notApplied(item fiscal.Distributed) fact.Fact {
	if item.Problem.None() {
		return fact.Fact{}
	}
	return fact.ExternalNotApplied.With("title", item.Title, "why", item.Problem)
}
