package activities

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
)

// seriesStore is a series of which others have the turn, or which is held.
type seriesStore struct {
	turns []store.SeriesTurn // one try after the other; the last one stays
	tries int
	ended int
}

func (s *seriesStore) TakeSeriesTurn(context.Context, *store.Exchange, store.Lease,
	time.Duration) (store.SeriesTurn, error) {
	s.tries++
	return s.turns[min(s.tries, len(s.turns))-1], nil
}

func (s *seriesStore) EndSeriesTurn(context.Context, nfse.SeriesKey, store.Lease, time.Duration) error {
	s.ended++
	return nil
}

func (s *seriesStore) SeriesBusy(context.Context, nfse.SeriesKey) (bool, error) {
	return false, nil
}

func (s *seriesStore) SeriesHeld(context.Context, nfse.SeriesKey) (fact.Fact, error) {
	return s.turns[0].Held, nil
}

func newTurnTaker(t *testing.T, series *seriesStore, all *lines) *turnTaker {
	return &turnTaker{store: series, exchangeLease: &exchangeLease{store: &leases{}}, lines: all,
		logger: slog.New(slog.NewTextHandler(t.Output(), nil))}
}

func inSeries(state fiscal.State) store.LiveNote {
	return store.LiveNote{Exchange: &store.Exchange{Exchange: fiscal.Exchange{State: state}}}
}

var notToSign = func() error { return errors.New("signed") }

// A turn that is free is taken, kept for the call, and given back once.
func TestTurn_Taken(t *testing.T) {
	var all lines
	series := &seriesStore{turns: []store.SeriesTurn{{Free: true}}}
	taker, note := newTurnTaker(t, series, &all), inSeries(fiscal.Signed)
	if taker.during(time.Minute) != 0 {
		t.Error("without a turn one lasts")
	}
	again, err := taker.take(t.Context(), note, notToSign)
	if err != nil || again || !note.Exchange.NumberFree || !all.sends(note.Exchange.Profile.SeriesKey()) {
		t.Fatalf("again %v, %v, %+v", again, err, note.Exchange)
	}
	if taker.during(time.Minute) != time.Minute+turnOutlasts {
		t.Errorf("it lasts %s", taker.during(time.Minute))
	}
	taker.end(t.Context())
	taker.end(t.Context())
	if series.ended != 1 || all.sends(note.Exchange.Profile.SeriesKey()) {
		t.Errorf("it was given back %d times", series.ended)
	}
}

// What waits in line is signed meanwhile; what is signed has its turn as soon as the one
// before ends.
func TestTurn_WaitsInLine(t *testing.T) {
	var all lines
	series := &seriesStore{turns: []store.SeriesTurn{{Busy: time.Second}, {}}}
	taker := newTurnTaker(t, series, &all)
	signed := 0
	again, err := taker.take(t.Context(), inSeries(fiscal.Unsigned), func() error { signed++; return nil })
	if err != nil || !again || signed != 1 || !taker.inLine {
		t.Fatalf("again %v, signed %d, %v", again, signed, err)
	}
	again, err = taker.take(t.Context(), inSeries(fiscal.Signed), notToSign)
	if err != nil || again || taker.inLine || taker.taken == nil {
		t.Errorf("again %v, in line %v, %v", again, taker.inLine, err)
	}
}

// Where the line is full, the attempt is made again about when its turn comes.
func TestTurn_NoPlaceInLine(t *testing.T) {
	var all lines
	series := &seriesStore{turns: []store.SeriesTurn{{Busy: 30 * time.Second}}}
	note := inSeries(fiscal.Signed)
	for range placesInLine {
		all.enter(note.Exchange.Profile.SeriesKey(), &turnTaker{})
	}
	_, err := newTurnTaker(t, series, &all).take(t.Context(), note, notToSign)
	var later RetryLater
	if !errors.As(err, &later) || later.After != 15*time.Second || !later.NotFailed {
		t.Errorf("%+v", err)
	}
}

// Under a series that is held nothing is sent, and no number taken.
func TestTurn_Held(t *testing.T) {
	var all lines
	taker := newTurnTaker(t, &seriesStore{turns: []store.SeriesTurn{{Held: fact.InWords("a number is used")}}}, &all)
	var missing *ActionRequired
	if _, err := taker.take(t.Context(), inSeries(fiscal.Signed), notToSign); !errors.As(err, &missing) {
		t.Errorf("taking: %v", err)
	}
	if err := taker.notHeld(t.Context(), nfse.SeriesKey{}); !errors.As(err, &missing) {
		t.Errorf("before a number: %v", err)
	}
}

// What is left is a turn or a place in line, so that neither keeps others of a series from
// theirs when another number, of another series, is taken.
func TestTurn_Left(t *testing.T) {
	for name, turns := range map[string][]store.SeriesTurn{"a turn": {{}}, "a place in line": {{Busy: time.Second}}} {
		var all lines
		series, note := &seriesStore{turns: turns}, inSeries(fiscal.Unsigned)
		taker := newTurnTaker(t, series, &all)
		if _, err := taker.take(t.Context(), note, func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		taker.leave(t.Context())
		if len(all.bySeries) != 0 || all.waiting != 0 || taker.taken != nil || taker.inLine {
			t.Errorf("%s is not left: %+v", name, taker)
		}
	}
}
