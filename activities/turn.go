package activities

import (
	"context"
	"time"

	"emissor/fiscal"
	"emissor/store"
)

const (
	// turnOutlasts is by how much a turn is longer than the call that it is for.
	turnOutlasts = 2 * time.Second
	// waitInLine is how long an attempt waits for its turn where it is; then it is made
	// again later.
	waitInLine = 10 * time.Second
	// turnLook is how often the first in line looks whether another process has ended its
	// turn.
	turnLook = 50 * time.Millisecond
	// shortestTurn and longestTurn bound how long one waits before the next look whether it
	// is its turn. Of a long backlog few look: their attempts count in the authority's rate.
	shortestTurn, longestTurn = 250 * time.Millisecond, 10 * time.Minute
	// numbersCount is how long what the authority said of a number counts: another
	// program may use it meanwhile.
	numbersCount = time.Hour
)

// waitsForTurns reports whether what is sent goes one at a time, because a second
// sending under a number destroys what the first one made.
func waitsForTurns(authority fiscal.Authority, kind fiscal.Kind) bool {
	return kind == fiscal.Issue && authority.Capabilities().AsksFirst
}

// turn is a turn to send that was taken.
type turn struct {
	store.SeriesTurn
	exchange *store.Exchange
	taken    time.Time
}

// callLasts is how long a turn lasts from the begin of a call on, whatever becomes of
// this process. Until there is a call it is given back as soon as a lease is.
func (t *transmission) callLasts(authority string) time.Duration {
	return t.CallTimeouts[authority] + turnOutlasts
}

// takeTurn takes the turn of the exchange's series, or keeps it for the next call, and
// says in the exchange whether the number is known to be free. What can be done before
// the turn is: the message is signed while it is waited for. again is true when the
// exchange is to be read again first.
func (t *transmission) takeTurn(ctx context.Context, live store.LiveNote, authority fiscal.Authority,
	session fiscal.Session, stop <-chan struct{}) (again bool, err error) {
	e, series := live.Exchange, seriesOf(live.Exchange)
	var taken store.SeriesTurn
	tries := t.turn != nil || !t.inLine && !t.turns.sends(series)
	if tries {
		taken, err = t.Store.TakeSeriesTurn(ctx, e, t.lease, numbersCount)
	}
	if err == nil && (!tries || taken.Busy > 0) {
		t.inLine, t.series = t.inLine || t.turns.enter(series, t), series
		switch {
		case t.inLine && e.State == fiscal.Unsigned:
			return true, t.sign(ctx, live, authority, session)
		case t.inLine:
			taken, err = t.awaitTurn(ctx, e, stop)
			again = e.Ambiguous // how long ago the authority was asked counts
		case !tries:
			taken, err = t.Store.TakeSeriesTurn(ctx, e, t.lease, numbersCount)
		}
	}
	switch {
	case err != nil:
		return false, err
	case taken.Held != "":
		return false, &ActionRequired{Reason: heldSeries(e.Profile.Series, taken.Held)}
	case !taken.Taken():
		// Rather too early than too late: who is early waits in line, or hears a better guess.
		return false, RetryLater{Code: "turn", Reason: "another note of the series is sent: one at a time",
			After: min(max(taken.Busy/2, shortestTurn), longestTurn), Turn: true}
	}
	began := time.Now()
	if t.turn != nil {
		began = t.turn.taken
	} else {
		t.turns.begin(series)
	}
	t.turn = &turn{taken, e, began}
	e.NumberFree = taken.Free
	return again, nil
}

// awaitTurn waits in line until the turn is there, or the wait too long.
func (t *transmission) awaitTurn(ctx context.Context, e *store.Exchange, stop <-chan struct{}) (taken store.SeriesTurn,
	err error) {
	within, cancel := context.WithTimeout(ctx, waitInLine)
	defer cancel()
	go t.keepLease(within)
	defer t.leaveLine()
	for {
		mine, changed := t.turns.look(t.series, t)
		if mine {
			if taken, err = t.tryTurn(ctx, e); err != nil || taken.Busy == 0 {
				return taken, err
			}
		}
		var look <-chan time.Time
		if mine {
			look = time.After(turnLook)
		}
		select {
		case <-changed:
		case <-look:
		case <-within.Done():
			return t.Store.TakeSeriesTurn(ctx, e, t.lease, numbersCount)
		case <-stop:
			return store.SeriesTurn{Busy: shortestTurn}, nil
		}
	}
}

// tryTurn takes the turn, unless a look says that somebody has it.
func (t *transmission) tryTurn(ctx context.Context, e *store.Exchange) (taken store.SeriesTurn, err error) {
	busy, err := t.Store.SeriesBusy(ctx, e.Profile)
	if err != nil || busy {
		return store.SeriesTurn{Busy: shortestTurn}, err
	}
	return t.Store.TakeSeriesTurn(ctx, e, t.lease, numbersCount)
}

// leaveLine lets the next one in line try.
func (t *transmission) leaveLine() {
	if t.inLine {
		t.turns.leave(t.series, t)
		t.inLine = false
	}
}

// endTurn gives the turn back.
func (t *transmission) endTurn(ctx context.Context) {
	if t.turn == nil {
		return
	}
	e := t.turn.exchange
	if err := t.Store.EndSeriesTurn(ctx, e.Profile, t.lease, time.Since(t.turn.taken)); err != nil {
		t.Logger.WarnContext(ctx, "a turn was not given back, and ends by itself", "note_id", e.NoteID, "error", err)
	}
	t.turns.end(seriesOf(e))
	t.turn = nil
}

// askNumber asks which numbers of the series around this one are free, as many as one
// question may be about, and stores it for the others: numbers are not sent in the
// order in which they were taken.
func (t *transmission) askNumber(ctx context.Context, e *store.Exchange, authority fiscal.Authority,
	session fiscal.Session) (decision fiscal.Decision, ok bool, err error) {
	finder := authority.(fiscal.NumberFinder)
	from := e.Number
	if !t.turn.Restored { // then those before may be used by us, and not be on record
		from = max(1, from-int64(finder.MaxNumbers()/2))
	}
	asked := make([]int64, finder.MaxNumbers())
	for i := range asked {
		asked[i] = from + int64(i)
	}
	during := store.Lease{Token: t.lease.Token, For: t.callLasts(authority.Name())}
	if kept, err := t.Store.TakeSeriesTurn(ctx, e, during, numbersCount); err != nil || !kept.Taken() {
		return decision, false, err
	}
	callID, err := t.Store.StartAsking(ctx, e, fiscal.AskNumber)
	if err != nil {
		return decision, false, err
	}
	var numbers fiscal.Numbers
	answer := t.bounded(ctx, authority.Name(), e.Kind.CallName(fiscal.AskNumber),
		func(ctx context.Context) fiscal.Answer {
			numbers = finder.FindNumbers(ctx, session, e.Profile, asked)
			if len(numbers.Free)+len(numbers.Used) == 0 {
				return fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: numbers.Reason}
			}
			return fiscal.Answer{Outcome: fiscal.OutcomeAccepted}
		})
	numbers.Restored = t.turn.Restored
	if !numbers.Restored || len(numbers.Used) == 0 {
		if err := t.Store.SaveNumbers(ctx, e.Profile, t.lease, from, numbers, numbersCount); err != nil {
			return decision, false, err
		}
	}
	return t.save(ctx, e, authority.Name(), callID, answer, e.AfterAskingNumber(numbers))
}

func heldSeries(series int, reason string) string {
	return "the series is held: " + reason + "; emissor series says what to do"
}

type seriesKey struct {
	authority, taxID, registration string
	production                     bool
	series                         int
}

func seriesOf(e *store.Exchange) seriesKey {
	p := e.Profile
	return seriesKey{p.Authority, string(p.TaxID), orEmpty(p.MunicipalRegistration), p.Production, p.Series}
}
