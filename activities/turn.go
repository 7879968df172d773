package activities

import (
	"context"
	"log/slog"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
)

const (
	// turnOutlasts is by how much a turn is longer than the call that it is for.
	turnOutlasts = 2 * time.Second
	// waitInLine is how long an attempt waits in this process for its turn; then it is made
	// again later.
	waitInLine = 10 * time.Second
	// turnLook is how often the first in line looks whether another process has ended its
	// turn.
	turnLook = 50 * time.Millisecond
	// shortestTurn and longestTurn bound the pause before an attempt looks again whether it is
	// its turn. Of a long backlog few should look: attempts count in the authority's rate.
	shortestTurn, longestTurn = 250 * time.Millisecond, 10 * time.Minute
	// numbersCount is how long what the authority said of a number is relied on. Another
	// program may use the number meanwhile, and our sending would destroy its document: so
	// no longer than the few sendings take that share one question.
	numbersCount = 5 * time.Second
)

// waitsForTurns reports whether messages of a series are sent one at a time, because a
// second one under a number destroys the document of the first.
func waitsForTurns(authority fiscal.Authority, kind fiscal.Kind) bool {
	return kind == fiscal.Issue && authority.Capabilities().AsksFirst
}

// turnTaker takes the turn of the series that an attempt sends under, and gives it back.
type turnTaker struct {
	store interface {
		TakeSeriesTurn(ctx context.Context, e *store.Exchange, lease store.Lease,
			numbersCount time.Duration) (store.SeriesTurn, error)
		EndSeriesTurn(ctx context.Context, series nfse.SeriesKey, lease store.Lease, took time.Duration) error
		SeriesBusy(ctx context.Context, series nfse.SeriesKey) (bool, error)
		SeriesHeld(ctx context.Context, series nfse.SeriesKey) (fact.Fact, error)
	}
	exchangeLease *exchangeLease
	lines         *lines // of this process
	logger        *slog.Logger
	stop          <-chan struct{} // closed when no turn is to be waited for any more

	taken  *takenTurn
	inLine bool // for a turn, at series
	series nfse.SeriesKey
}

// takenTurn is a turn to send, the exchange that it is for, and since when it lasts.
type takenTurn struct {
	store.SeriesTurn
	exchange *store.Exchange
	since    time.Time
}

// during is how long a turn lasts from the beginning of a call, even when this process is
// killed; 0 without a turn. Before a call a turn lasts as long as a lease.
func (t *turnTaker) during(call time.Duration) time.Duration {
	if t.taken == nil {
		return 0
	}
	return call + turnOutlasts
}

// notHeld is ActionRequired where nothing may be sent under a series before a person has
// looked.
func (t *turnTaker) notHeld(ctx context.Context, series nfse.SeriesKey) error {
	held, err := t.store.SeriesHeld(ctx, series)
	if err == nil && !held.None() {
		err = &ActionRequired{Reason: fact.SeriesHeld.With("why", held)}
	}
	return err
}

// take takes the turn of the exchange's series, or keeps it for the next call, and sets in
// the exchange whether the number is known to be free. While the turn is waited for, the
// message is signed already. again is true when the exchange is to be read again first.
func (t *turnTaker) take(ctx context.Context, live store.LiveNote, sign func() error) (again bool, err error) {
	e, series := live.Exchange, live.Exchange.Profile.SeriesKey()
	var turn store.SeriesTurn
	tries := t.taken != nil || !t.inLine && !t.lines.sends(series)
	if tries {
		turn, err = t.store.TakeSeriesTurn(ctx, e, t.exchangeLease.lease, numbersCount)
	}
	if err == nil && (!tries || turn.Busy > 0) {
		t.inLine, t.series = t.inLine || t.lines.enter(series, t), series
		switch {
		case t.inLine && e.State == fiscal.Unsigned:
			return true, sign()
		case t.inLine:
			turn, err = t.await(ctx, e)
			again = e.Ambiguous // by now too much time may have passed since the authority was asked
		case !tries:
			turn, err = t.store.TakeSeriesTurn(ctx, e, t.exchangeLease.lease, numbersCount)
		}
	}
	switch {
	case err != nil:
		return false, err
	case !turn.Held.None():
		return false, &ActionRequired{Reason: fact.SeriesHeld.With("why", turn.Held)}
	case !turn.Taken():
		// An attempt that comes too early waits in line, or gets a better estimate.
		return false, RetryLater{Code: "turn", Reason: "another note of the series is sent: one at a time",
			After: min(max(turn.Busy/2, shortestTurn), longestTurn), NotFailed: true}
	}
	since := time.Now()
	if t.taken != nil {
		since = t.taken.since
	} else {
		t.lines.begin(series)
	}
	t.taken = &takenTurn{turn, e, since}
	e.NumberFree = turn.Free
	return again, nil
}

// keep keeps the turn for a call that lasts so long. ok is false when it is lost.
func (t *turnTaker) keep(ctx context.Context, e *store.Exchange, call time.Duration) (ok bool, err error) {
	during := store.Lease{Token: t.exchangeLease.lease.Token, For: t.during(call)}
	kept, err := t.store.TakeSeriesTurn(ctx, e, during, numbersCount)
	return err == nil && kept.Taken(), err
}

// await waits in line until the turn is taken, or the wait gets too long.
func (t *turnTaker) await(ctx context.Context, e *store.Exchange) (turn store.SeriesTurn, err error) {
	within, cancel := context.WithTimeout(ctx, waitInLine)
	defer cancel()
	go t.exchangeLease.keep(within)
	defer t.leaveLine()
	for {
		mine, changed := t.lines.look(t.series, t)
		if mine {
			if turn, err = t.tryTurn(ctx, e); err != nil || turn.Busy == 0 {
				return turn, err
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
			return t.store.TakeSeriesTurn(ctx, e, t.exchangeLease.lease, numbersCount)
		case <-t.stop:
			return store.SeriesTurn{Busy: shortestTurn}, nil
		}
	}
}

// tryTurn takes the turn, unless a read shows that somebody has it.
func (t *turnTaker) tryTurn(ctx context.Context, e *store.Exchange) (turn store.SeriesTurn, err error) {
	busy, err := t.store.SeriesBusy(ctx, t.series)
	if err != nil || busy {
		return store.SeriesTurn{Busy: shortestTurn}, err
	}
	return t.store.TakeSeriesTurn(ctx, e, t.exchangeLease.lease, numbersCount)
}

// leaveLine gives the place in line to the next one.
func (t *turnTaker) leaveLine() {
	if t.inLine {
		t.lines.leave(t.series, t)
		t.inLine = false
	}
}

// leave gives back the turn, or the place in line for it.
func (t *turnTaker) leave(ctx context.Context) {
	t.end(ctx)
	t.leaveLine()
}

// end gives the turn back.
func (t *turnTaker) end(ctx context.Context) {
	if t.taken == nil {
		return
	}
	e := t.taken.exchange
	series := e.Profile.SeriesKey()
	if err := t.store.EndSeriesTurn(ctx, series, t.exchangeLease.lease, time.Since(t.taken.since)); err != nil {
		t.logger.WarnContext(ctx, "a turn was not given back, and ends by itself", "note_id", e.NoteID, "error", err)
	}
	t.lines.end(series)
	t.taken = nil
}
