package exchange

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
	"emissor/store/numbers"
)

const (
	// turnOutlasts is by how much a turn is longer than the call that it is for.
	turnOutlasts = 2 * time.Second
	// waitInLine is how long an attempt waits in this process for its turn; then it is made
	// again later.
	waitInLine = 10 * time.Second
	// waitAtOnce is the same within a workflow task, which should end soon.
	waitAtOnce = 5 * time.Second
	// turnLook is how often the first in line looks whether another process has ended its
	// turn.
	turnLook = 50 * time.Millisecond
	// shortestTurn and longestTurn bound the pause before an attempt looks again whether it is
	// its turn. Of a long backlog few should look: attempts count in the authority's rate.
	shortestTurn, longestTurn = 250 * time.Millisecond, 10 * time.Minute
	// numberAnswerValidFor is how long what the authority said of a number is relied on. Another
	// program may use the number meanwhile, and our sending would destroy its document: so
	// no longer than the few sendings take that share one question.
	numberAnswerValidFor = 5 * time.Second
)

// waitsForTurns reports whether messages of a series are sent one at a time, because a
// second one under a number destroys the document of the first.
func waitsForTurns(authority fiscal.Authority, kind fiscal.Kind) bool {
	return kind == fiscal.Issue && authority.Capabilities().AsksFirst
}

// turnTaker takes the turn of the series that an attempt sends under, and gives it back.
type turnTaker struct {
	store interface {
		LookAtSeries(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease,
			numberAnswerValidFor time.Duration) (turn numbers.SeriesTurn, busy bool, err error)
		TakeSeriesTurn(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease,
			numberAnswerValidFor time.Duration) (numbers.SeriesTurn, error)
		OthersTurn(ctx context.Context, e *exchanges.Exchange) (numbers.SeriesTurn, error)
		EndSeriesTurn(ctx context.Context, series nfse.SeriesKey, lease exchanges.Lease, took time.Duration) error
		SeriesHeld(ctx context.Context, series nfse.SeriesKey) (fact.Fact, error)
	}
	exchangeLease *exchangeLease
	lines         *Lines // of this process
	logger        *slog.Logger
	stop          <-chan struct{} // closed when no turn is to be waited for any more
	patience      time.Duration   // how long it waits in line

	series nfse.SeriesKey // of taken, or of the line
	starts string         // whose note a first attempt is for; empty at the queue
	taken  *takenTurn
	inLine bool
}

// takenTurn is a turn to send, and since when it lasts. Before it is stored, as what sends a
// message does, only others of this process wait for it.
type takenTurn struct {
	numbers.SeriesTurn
	since  time.Time
	stored bool
}

// turnTimeout is how long a turn lasts from the beginning of a call, even when this process is
// killed. Before a call a turn lasts as long as a lease.
func turnTimeout(call time.Duration) time.Duration { return call + turnOutlasts }

// errNoTurn says that a message was to be sent in turn, and no turn was taken.
var errNoTurn = errors.New("activities: no turn was taken to send in")

// toSend is how a message of an authority's that takes turns is sent by a call that lasts so long.
// What may have been sent already is not asked about by its number.
func (t *turnTaker) toSend(e *exchanges.Exchange, call time.Duration) (sending lifecycle.Sending, err error) {
	if t.taken == nil {
		return sending, errNoTurn
	}
	t.taken.stored = true
	sending.Turn = turnTimeout(call)
	if !e.Ambiguous {
		sending.NumberAnswerValidFor = numberAnswerValidFor
	}
	return sending, nil
}

// notHeld is ActionRequired where nothing may be sent under a series before a person has
// looked.
func (t *turnTaker) notHeld(ctx context.Context, series nfse.SeriesKey) error {
	held, err := t.store.SeriesHeld(ctx, series)
	if err == nil && !held.None() {
		err = &activities.ActionRequired{Reason: fact.SeriesHeld.With("why", held)}
	}
	return err
}

// join has a first attempt take a place in line for the turn of a profile's series, if there is one.
func (t *turnTaker) join(profile nfse.FiscalProfile) (joined bool) {
	series := profile.SeriesKey()
	if t.taken == nil && !t.inLine {
		t.series, t.starts = series, profile.OrganizationID
		t.inLine = t.lines.join(series, t)
	}
	return t.series == series && (t.taken != nil || t.inLine)
}

// enter takes the turn of the exchange's series for this process, or else a place in line for
// it. RetryLater says that there is none. It changes nothing in the database.
func (t *turnTaker) enter(ctx context.Context, e *exchanges.Exchange) error {
	if series := e.Profile.SeriesKey(); series != t.series {
		t.leave(ctx)
		t.series, t.starts = series, ""
	}
	if t.taken != nil || t.inLine {
		return nil
	}
	if begun, err := t.begin(ctx, e); err != nil || begun {
		return err
	}
	if t.inLine = t.lines.enter(t.series, t); t.inLine {
		return nil
	}
	return t.later(ctx, e)
}

// begin takes the turn for this process, unless somebody has it.
func (t *turnTaker) begin(ctx context.Context, e *exchanges.Exchange) (begun bool, err error) {
	if !t.lines.begin(t.series) {
		return false, nil
	}
	defer func() {
		if !begun { // also after a panic
			t.lines.end(t.series)
		}
	}()
	turn, busy, err := t.store.LookAtSeries(ctx, e, t.exchangeLease.lease, numberAnswerValidFor)
	if err != nil || busy {
		return false, err
	}
	t.taken = &takenTurn{turn, time.Now(), false}
	return true, nil
}

// later is RetryLater with about when the turn of an exchange comes.
func (t *turnTaker) later(ctx context.Context, e *exchanges.Exchange) error {
	turn, err := t.store.OthersTurn(ctx, e)
	if err == nil {
		err = turnLater(turn.Busy)
	}
	return err
}

// turnLater has an attempt made again when half of the expected time is over: one that comes too
// early waits in line, or gets a better estimate.
func turnLater(expected time.Duration) activities.RetryLater {
	return activities.RetryLater{Code: "turn", Reason: "another note of the series is sent: one at a time",
		After: min(max(expected/2, shortestTurn), longestTurn), NotFailed: true}
}

// take waits in line until the turn of the exchange's series is to be had, signing the message
// meanwhile, and sets in the exchange whether the number is known to be free: then the turn is
// taken by what sends the message, and else it is taken here, for a question. again is true when
// the exchange is to be read again first.
func (t *turnTaker) take(ctx context.Context, live lifecycle.LiveNote, sign func() error) (again bool, err error) {
	e := live.Exchange
	if err := t.enter(ctx, e); err != nil {
		return false, err
	}
	if t.inLine {
		if err := sign(); err != nil {
			return false, err
		}
		if err := t.await(ctx, e); err != nil {
			return false, err
		}
		again = e.Ambiguous // by now too much time may have passed since the authority was asked
	}
	turn := t.taken.SeriesTurn
	if turn.Held.None() && (t.taken.stored || !turn.Free) {
		t.taken.stored = true
		turn, err = t.store.TakeSeriesTurn(ctx, e, t.exchangeLease.lease, numberAnswerValidFor)
	}
	switch {
	case err != nil:
		return false, err
	case !turn.Held.None():
		t.end(ctx) // it is looked at again, as it may have been released meanwhile
		return false, &activities.ActionRequired{Reason: fact.SeriesHeld.With("why", turn.Held)}
	case !turn.Taken():
		return false, turnLater(turn.Busy)
	}
	t.taken.SeriesTurn = turn
	e.NumberFree = turn.Free
	return again, nil
}

// await waits in line until this process has the turn. RetryLater says that the wait gets too
// long.
func (t *turnTaker) await(ctx context.Context, e *exchanges.Exchange) error {
	within, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	go t.exchangeLease.keep(within)
	defer t.leaveLine()
	for {
		mine, changed := t.lines.look(t.series, t)
		var look <-chan time.Time
		if mine {
			if begun, err := t.begin(ctx, e); err != nil || begun {
				return err
			}
			_, changed = t.lines.look(t.series, t) // what was tried here has changed it
			look = time.After(turnLook)
		}
		select {
		case <-changed:
		case <-look:
		case <-within.Done():
			return t.later(ctx, e)
		case <-t.stop:
			return turnLater(shortestTurn)
		}
	}
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
	defer t.leaveLine()
	t.end(ctx)
}

// end gives the turn back.
func (t *turnTaker) end(ctx context.Context) {
	defer t.freeLocally()
	if t.taken != nil && t.taken.stored {
		if err := t.store.EndSeriesTurn(ctx, t.series, t.exchangeLease.lease, t.took()); err != nil {
			t.logger.WarnContext(ctx, "a turn was not given back, and ends by itself",
				"note_id", t.exchangeLease.noteID, "error", err)
		}
	}
}

// took is how long the turn lasts by now; 0 where there is none to give back.
func (t *turnTaker) took() time.Duration {
	if t.taken == nil || !t.taken.stored {
		return 0
	}
	return time.Since(t.taken.since)
}

// freeLocally has others of this process try, as the turn was given back.
func (t *turnTaker) freeLocally() {
	if t.taken != nil {
		t.lines.end(t.series)
		t.taken = nil
	}
}
