package activities

import (
	"context"
	"sync"
	"time"

	"emissor/fiscal"
	"emissor/store"
)

const (
	// turnOutlasts is by how much a turn is longer than the call that it is for.
	turnOutlasts = 2 * time.Second
	// waitInPlace is how long an attempt waits for its turn where it is; then it is made
	// again later. So many of a series wait so, in a process: the next is ready when a
	// turn ends, and the others hold nothing.
	waitInPlace, waitersInPlace = 10 * time.Second, 2
	// turnLook is how often one who waits looks whether another process has ended its
	// turn.
	turnLook = 50 * time.Millisecond
	// shortestTurn and longestTurn bound how long one waits before the next look whether it
	// is its turn.
	shortestTurn, longestTurn = 250 * time.Millisecond, 30 * time.Second
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
// says in the exchange whether the number is known to be free. waited is true when
// that took time, so that the exchange is read again.
func (t *transmission) takeTurn(ctx context.Context, e *store.Exchange, stop <-chan struct{}) (waited bool, err error) {
	series := seriesOf(e)
	taken, err := t.Store.TakeSeriesTurn(ctx, e, t.lease, numbersCount)
	if err == nil && taken.Busy > 0 && t.turns.enter(series) {
		defer t.turns.leave(series)
		waited = true
		taken, err = t.awaitTurn(ctx, e, stop)
	}
	switch {
	case err != nil:
		return waited, err
	case taken.Held != "":
		return waited, &ActionRequired{Reason: heldSeries(e.Profile.Series, taken.Held)}
	case !taken.Taken():
		return waited, RetryLater{Code: "turn", Reason: "another note of the series is sent: one at a time",
			After: min(max(taken.Busy, shortestTurn), longestTurn), Turn: true}
	}
	began := time.Now()
	if t.turn != nil {
		began = t.turn.taken
	}
	t.turn = &turn{taken, e, began}
	e.NumberFree = taken.Free
	return waited, nil
}

// awaitTurn tries to take the turn until it is there, or the wait too long.
func (t *transmission) awaitTurn(ctx context.Context, e *store.Exchange, stop <-chan struct{}) (taken store.SeriesTurn,
	err error) {
	within, cancel := context.WithTimeout(ctx, waitInPlace)
	defer cancel()
	go t.keepLease(within)
	series := seriesOf(e)
	for {
		ended := t.turns.ended(series)
		if taken, err = t.Store.TakeSeriesTurn(ctx, e, t.lease, numbersCount); err != nil || taken.Busy == 0 {
			return taken, err
		}
		select {
		case <-ended:
		case <-time.After(turnLook):
		case <-within.Done():
			return taken, nil
		case <-stop:
			return taken, nil
		}
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
		return t.checkSeries(ctx, e, finder, session)
	}
	most := int64(finder.MaxNumbers())
	from := max(1, e.Number-most/2)
	asked := make([]int64, most)
	for i := range asked {
		asked[i] = from + int64(i)
	}
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
	from, through := numbers.KnownAround(e.Number)
	if err := t.Store.SaveNumbers(ctx, e.Profile, t.lease, from, through, numbers.Used, numbersCount); err != nil {
		return decision, false, err
	}
	return t.save(ctx, e, authority.Name(), callID, answer, decision)
}

// checkSeries asks about every number of the series of which nothing was sent, as far as
// this database knows, and about those that are taken next: in the time that a copy of
// it does not know of they may have been. What is used holds the series.
func (t *transmission) checkSeries(ctx context.Context, e *store.Exchange, finder fiscal.NumberFinder,
	session fiscal.Session) (decision fiscal.Decision, ok bool, err error) {
	after, more := int64(0), true
	for more {
		var asked []int64
		if asked, more, err = t.Store.NumbersToCheck(ctx, e.Profile, after, finder.MaxNumbers()); err != nil {
			return decision, false, err
		}
		numbers, callID, answer, ok, err := t.findNumbers(ctx, e, finder, session, asked)
		if err != nil || !ok {
			return decision, false, err
		}
		decision = e.AfterCheckingSeries(asked, numbers)
		if decision.Action == fiscal.AskNumber && !more {
			if err := t.Store.SeriesChecked(ctx, e.Profile, t.lease); err != nil {
				return decision, false, err
			}
		}
		if decision, ok, err = t.save(ctx, e, e.Profile.Authority, callID, answer, decision); err != nil || !ok ||
			decision.Action != fiscal.AskNumber {
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
	t.Budget.spend(ctx, authority)
	during := store.Lease{Token: t.lease.Token, For: t.callLasts(authority)}
	kept, err := t.Store.TakeSeriesTurn(ctx, e, during, numbersCount)
	if err != nil || !kept.Taken() {
		return numbers, 0, answer, false, err
	}
	if callID, err = t.Store.StartAsking(ctx, e, fiscal.AskNumber); err != nil {
		return numbers, 0, answer, false, err
	}
	answer = t.bounded(ctx, authority, e.Kind.CallName(fiscal.AskNumber), time.Now(),
		func(ctx context.Context) fiscal.Answer {
			numbers = finder.FindNumbers(ctx, session, e.Profile, asked)
			if !numbers.KnowsSomething() {
				return fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: numbers.Reason}
			}
			return fiscal.Answer{Outcome: fiscal.OutcomeAccepted}
		})
	return numbers, callID, answer, true, nil
}

func heldSeries(series int, reason string) string {
	return "the series is held: " + reason + "; emissor series says what to do"
}

// turns are those of this process who wait for a turn, by series.
type turns struct {
	mu      sync.Mutex
	waiting map[seriesKey]int
	ends    map[seriesKey]chan struct{} // closed when a turn ends
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

// enter counts one who waits in place, unless there are enough.
func (t *turns) enter(series seriesKey) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting[series] >= waitersInPlace {
		return false
	}
	if t.waiting == nil {
		t.waiting = map[seriesKey]int{}
	}
	t.waiting[series]++
	return true
}

func (t *turns) leave(series seriesKey) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting[series]--; t.waiting[series] == 0 {
		delete(t.waiting, series)
	}
}

// ended is closed when the next turn of a series ends in this process.
func (t *turns) ended(series seriesKey) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ends == nil {
		t.ends = map[seriesKey]chan struct{}{}
	}
	if t.ends[series] == nil {
		t.ends[series] = make(chan struct{})
	}
	return t.ends[series]
}

func (t *turns) end(series seriesKey) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ends := t.ends[series]; ends != nil {
		close(ends)
		delete(t.ends, series)
	}
}
