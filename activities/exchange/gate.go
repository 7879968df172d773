package exchange

import (
	"context"
	"time"

	"emissor/activities"
	"emissor/nfse"
)

// gate grants an attempt at an exchange what it may do. The first attempt, within the workflow task, and those on the
// authority's queue take the same steps, and ask it where they differ.
type gate interface {
	// mayCall reports whether the authority may be called now; if not, the exchange goes on at its queue.
	mayCall(ctx context.Context, authority string) bool
	// spend counts a call that is made in the budget of its authority.
	spend(ctx context.Context, authority string)
	// mayGoOn reports whether another call may follow at once.
	mayGoOn() bool
	// nextStep is the error of an attempt that may not take another step.
	nextStep(ctx context.Context) error
	// joinLine has a first attempt take a place in line for the turn of a profile's series, and reports whether the
	// attempt goes on to wait for the turn; patience is for how long.
	joinLine(profile nfse.FiscalProfile) bool
	patience() time.Duration
	// first reports whether this is the first attempt: mostly there is no exchange yet, and what takes long is left to
	// the queue.
	first() bool
}

// firstGate is of a first attempt. It grants calls while the authority's budget and the slots of this process allow
// it: one, or, where what is sent takes turns, as many as a note needs that has its turn soon.
type firstGate struct {
	attempt *exchangeAttempt
	waits   func() // reports that the run waits for an authority

	asked   bool
	slotOf  string // the authority whose slot was taken; empty for none
	granted bool
}

func (g *firstGate) mayCall(ctx context.Context, authority string) bool {
	if g.attempt.caller.called && !g.mayGoOn() {
		return false
	}
	if g.asked {
		return g.granted
	}
	g.asked = true
	if !g.attempt.First.Take(ctx, authority, activities.AuthoritySlots) {
		return false
	}
	g.slotOf = authority
	if g.granted = g.attempt.Budget.take(ctx, authority); g.granted {
		g.waits()
	}
	return g.granted
}

// spend counts a call after the first one, which was taken out of the budget already.
func (g *firstGate) spend(ctx context.Context, authority string) {
	if g.attempt.caller.called {
		g.attempt.Budget.spend(ctx, authority)
	}
}

// mayGoOn: where what is sent takes turns a note is several calls, made here as long as they are answered soon.
func (g *firstGate) mayGoOn() bool {
	made := &g.attempt.caller
	return g.attempt.turns.series != (nfse.SeriesKey{}) && !made.failed && made.took < activities.SlowCall/2
}

func (g *firstGate) nextStep(context.Context) error { return nil }

// joinLine does so where there is a place; else the exchange goes on at the queue.
func (g *firstGate) joinLine(profile nfse.FiscalProfile) bool {
	if !g.attempt.turns.join(profile) {
		return false
	}
	g.waits()
	return true
}

func (g *firstGate) patience() time.Duration { return waitAtOnce }

func (g *firstGate) first() bool { return true }

// close gives the slot back, with how long the calls took and whether the last one failed.
func (g *firstGate) close() {
	if g.slotOf != "" {
		g.attempt.First.Done(g.slotOf, g.attempt.caller.took, g.attempt.caller.failed)
	}
}

// queueGate is of attempts at the authority's queue, which begins them at the authority's rate: they do all there is
// to do, until the worker stops or their time is over.
type queueGate struct {
	attempt  *exchangeAttempt
	stopping func() bool // the attempt is asked to end
}

func (g *queueGate) mayCall(context.Context, string) bool { return true }

func (g *queueGate) spend(ctx context.Context, authority string) {
	g.attempt.Budget.spend(ctx, authority)
}

func (g *queueGate) mayGoOn() bool { return !g.stopping() }

func (g *queueGate) nextStep(ctx context.Context) error {
	switch {
	case g.stopping():
		return activities.RetryLater{Code: "stopped", Reason: "the worker stops", After: time.Second, NotFailed: true}
	case !g.attempt.hasTimeForAStep(ctx):
		return outOfTime
	}
	return nil
}

func (g *queueGate) joinLine(nfse.FiscalProfile) bool { return true }

func (g *queueGate) patience() time.Duration { return waitInLine }

func (g *queueGate) first() bool { return false }
