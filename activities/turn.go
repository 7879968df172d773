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
	t.Budget.spend(ctx, authority.Name())
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
