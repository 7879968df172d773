package activities

import (
	"context"
	"time"

	"emissor/fiscal"
	"emissor/nfse/fact"
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
	// numbersCount is how long what the authority said of a number counts. Another program
	// may use it meanwhile, and our sending would destroy what that one made: so no longer
	// than a few sendings take, one after the other, which share the question.
	numbersCount = 5 * time.Second
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
	case !taken.Held.None():
		return false, &ActionRequired{Reason: fact.SeriesHeld.With("why", taken.Held)}
	case !taken.Taken():
		// Rather too early than too late: who is early waits in line, or hears a better guess.
		return false, RetryLater{Code: "turn", Reason: "another note of the series is sent: one at a time",
			After: min(max(taken.Busy/2, shortestTurn), longestTurn), NotFailed: true}
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
// order in which they were taken. Of a number that the answer does not tell of it asks
// alone.
func (t *transmission) askNumber(ctx context.Context, e *store.Exchange, authority fiscal.Authority,
	session fiscal.Session) (decision fiscal.Decision, ok bool, err error) {
	finder := authority.(fiscal.NumberFinder)
	if t.turn.Unchecked {
		return t.checkSeries(ctx, e, finder, session, greatestNumber(authority))
	}
	asked := numbersAround(e.Number, int64(finder.MaxNumbers()), greatestNumber(authority))
	numbers, callID, answer, ok, err := t.findNumbers(ctx, e, finder, session, asked)
	if err != nil || !ok {
		return decision, false, err
	}
	decision = e.AfterAskingNumber(numbers)
	if decision.Action == fiscal.Wait && numbers.KnowsSomething() {
		if _, _, err := t.save(ctx, e, authority.Name(), callID, answer, decision.GoingOn()); err != nil {
			return decision, false, err
		}
		asked = []int64{e.Number}
		if numbers, callID, answer, ok, err = t.findNumbers(ctx, e, finder, session, asked); err != nil || !ok {
			return decision, false, err
		}
		decision = e.AfterAskingNumber(numbers)
	}
	if err := t.refuseCertificate(ctx, decision, answer, session.Credentials.ID, session); err != nil {
		return decision, false, err
	}
	from, through := numbers.KnownAround(e.Number)
	if err := t.Store.SaveNumbers(ctx, e.Profile, t.lease, from, through, numbers.Used, numbersCount); err != nil {
		return decision, false, err
	}
	return t.save(ctx, e, authority.Name(), callID, answer, decision)
}

// numbersAround are at most so many numbers around one of a series, none above the greatest
// that a question can name.
func numbersAround(number, most, greatest int64) (numbers []int64) {
	for next := max(1, number-most/2); int64(len(numbers)) < most && next <= greatest; next++ {
		numbers = append(numbers, next)
	}
	return numbers
}

// checkSeries asks about every number of the series of which nothing was sent, as far as
// this database knows, and about those that are taken next: in the time that a copy of
// it does not know of they may have been. What is used holds the series. No number
// is above the greatest that a question can name.
func (t *transmission) checkSeries(ctx context.Context, e *store.Exchange, finder fiscal.NumberFinder,
	session fiscal.Session, greatest int64) (decision fiscal.Decision, ok bool, err error) {
	after, more := int64(0), true
	for more {
		var asked []int64
		asked, more, err = t.Store.NumbersToCheck(ctx, e.Profile, after, finder.MaxNumbers(), greatest)
		if err != nil {
			return decision, false, err
		}
		if len(asked) == 0 { // behind a full question, and no number is left to be taken
			return e.AfterCheckingSeries(nil, fiscal.Numbers{}), true, t.Store.SeriesChecked(ctx, e.Profile, t.lease)
		}
		numbers, callID, answer, ok, err := t.findNumbers(ctx, e, finder, session, asked)
		if err != nil || !ok {
			return decision, false, err
		}
		decision = e.AfterCheckingSeries(asked, numbers)
		if err := t.refuseCertificate(ctx, decision, answer, session.Credentials.ID, session); err != nil {
			return decision, false, err
		}
		goesOn := decision.Action == fiscal.AskNumber && !decision.RefuseCertificate
		if goesOn && !more {
			if err := t.Store.SeriesChecked(ctx, e.Profile, t.lease); err != nil {
				return decision, false, err
			}
		}
		decision, ok, err = t.save(ctx, e, e.Profile.Authority, callID, answer, decision)
		if err != nil || !ok || !goesOn {
			return decision, ok, err
		}
		after = asked[len(asked)-1]
	}
	return decision, true, nil
}

// findNumbers asks about numbers of the exchange's series, within its turn. ok is false
// when the turn is lost.
func (t *transmission) findNumbers(ctx context.Context, e *store.Exchange, finder fiscal.NumberFinder,
	session fiscal.Session, asked []int64) (numbers fiscal.Numbers, callID int64, answer fiscal.Answer, ok bool,
	err error) {
	authority := e.Profile.Authority
	during := store.Lease{Token: t.lease.Token, For: t.callLasts(authority)}
	kept, err := t.Store.TakeSeriesTurn(ctx, e, during, numbersCount)
	if err != nil || !kept.Taken() {
		return numbers, 0, answer, false, err
	}
	if callID, err = t.Store.StartAsking(ctx, e, fiscal.AskNumber); err != nil {
		return numbers, 0, answer, false, err
	}
	found := make(chan fiscal.Numbers, 1)
	answer = t.bounded(ctx, authority, e.Kind.CallName(fiscal.AskNumber), time.Now(),
		func(ctx context.Context) fiscal.Answer {
			numbers := finder.FindNumbers(ctx, session, e.Profile, asked)
			found <- numbers
			return numbers.Answer()
		})
	select {
	case numbers = <-found:
	default: // the call did not come to its end
		numbers.Reason = answer.Reason
	}
	return numbers, callID, answer, true, nil
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
