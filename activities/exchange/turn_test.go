package exchange

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"testing"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
	"emissor/store/numbers"
)

// seriesStore is a series of which others have the turn, or which is held.
type seriesStore struct {
	turns []numbers.SeriesTurn // one look after the other; the last one stays
	looks int
	taken int
	ended int
	panic bool
}

func (s *seriesStore) TakeSeriesTurn(context.Context, *exchanges.Exchange, exchanges.Lease,
	time.Duration) (numbers.SeriesTurn, error) {
	s.taken++
	return s.turns[min(s.looks, len(s.turns))-1], nil
}

func (s *seriesStore) EndSeriesTurn(context.Context, nfse.SeriesKey, exchanges.Lease, time.Duration) error {
	s.ended++
	if s.panic {
		panic("poison")
	}
	return nil
}

func (s *seriesStore) LookAtSeries(context.Context, *exchanges.Exchange, exchanges.Lease,
	time.Duration) (turn numbers.SeriesTurn, busy bool, err error) {
	s.looks++
	if s.panic {
		panic("poison")
	}
	turn = s.turns[min(s.looks, len(s.turns))-1]
	return numbers.SeriesTurn{Free: turn.Free, Held: turn.Held}, turn.Busy > 0, nil
}

func (s *seriesStore) OthersTurn(context.Context, *exchanges.Exchange) (numbers.SeriesTurn, error) {
	return s.turns[min(s.looks, len(s.turns))-1], nil
}

func (s *seriesStore) SeriesHeld(context.Context, nfse.SeriesKey) (fact.Fact, error) {
	return s.turns[0].Held, nil
}

func newTurnTaker(t *testing.T, series *seriesStore, all *Lines) *turnTaker {
	return &turnTaker{store: series, exchangeLease: &exchangeLease{store: &leases{}}, lines: all,
		logger: slog.New(slog.NewTextHandler(t.Output(), nil)), patience: waitInLine}
}

func inSeries(state fiscal.State) lifecycle.LiveNote {
	return lifecycle.LiveNote{Exchange: &exchanges.Exchange{Exchange: fiscal.Exchange{State: state}}}
}

var notToSign = func() error { return errors.New("signed") }

// A turn that is free is taken by what sends the message, where its number is known to be free;
// it is kept for the call, and given back once.
func TestTurn_Taken(t *testing.T) {
	var all Lines
	series := &seriesStore{turns: []numbers.SeriesTurn{{Free: true}}}
	taker, note := newTurnTaker(t, series, &all), inSeries(fiscal.Signed)
	if _, err := taker.toSend(note.Exchange, time.Minute); !errors.Is(err, errNoTurn) {
		t.Errorf("without a turn it is sent, %v", err)
	}
	again, err := taker.take(t.Context(), note, notToSign)
	if err != nil || again || !note.Exchange.NumberFree || all.begin(taker.series) || series.taken != 0 {
		t.Fatalf("again %v, %v, %+v, taken %d times", again, err, note.Exchange, series.taken)
	}
	if taker.took() != 0 {
		t.Error("a turn that was not stored is given back with an answer")
	}
	sending, err := taker.toSend(note.Exchange, time.Minute)
	if err != nil || sending.Turn != time.Minute+turnOutlasts || sending.NumberAnswerValidFor != numberAnswerValidFor {
		t.Errorf("it is %+v, %v", sending, err)
	}
	note.Exchange.Ambiguous = true
	if sending, err := taker.toSend(note.Exchange, time.Minute); err != nil || sending.NumberAnswerValidFor != 0 {
		t.Errorf("of one that may have been sent it is %+v, %v", sending, err)
	}
	if taker.took() == 0 {
		t.Error("a turn that was stored is not given back with an answer")
	}
	taker.end(t.Context())
	taker.end(t.Context())
	if series.ended != 1 || !all.begin(taker.series) {
		t.Errorf("it was given back %d times", series.ended)
	}
}

// For a question about a number, and after it, the turn is taken at once. One that nothing was
// sent in is not given back in the database, as it was never taken there.
func TestTurn_TakenForAQuestion(t *testing.T) {
	var all Lines
	series := &seriesStore{turns: []numbers.SeriesTurn{{}}}
	taker, note := newTurnTaker(t, series, &all), inSeries(fiscal.Unsigned)
	for times := range 2 {
		if _, err := taker.take(t.Context(), note, notToSign); err != nil || note.Exchange.NumberFree ||
			series.taken != times+1 || series.looks != 1 {
			t.Fatalf("%v, %+v, taken %d times", err, note.Exchange, series.taken)
		}
	}
	taker.leave(t.Context())
	series.turns[0].Free = true
	if _, err := taker.take(t.Context(), note, notToSign); err != nil {
		t.Fatal(err)
	}
	taker.leave(t.Context())
	if series.ended != 1 || len(all.bySeries) != 0 {
		t.Errorf("it was given back %d times", series.ended)
	}
}

// Where the exchange is of another series by now, its turn is another one.
func TestTurn_OfAnotherSeries(t *testing.T) {
	var all Lines
	taker := newTurnTaker(t, &seriesStore{turns: []numbers.SeriesTurn{{Free: true}}}, &all)
	note := inSeries(fiscal.Unsigned)
	if err := taker.enter(t.Context(), note.Exchange); err != nil {
		t.Fatal(err)
	}
	note.Exchange.Profile.Series = 2
	if _, err := taker.take(t.Context(), note, notToSign); err != nil {
		t.Fatal(err)
	}
	if before := (nfse.SeriesKey{}); !all.begin(before) || all.begin(note.Exchange.Profile.SeriesKey()) {
		t.Error("the turn of the series before is not left, or that of this one not taken")
	}
}

// What waits in line is signed meanwhile; what is signed has its turn as soon as the one
// before ends.
func TestTurn_WaitsInLine(t *testing.T) {
	var all Lines
	series := &seriesStore{turns: []numbers.SeriesTurn{{Busy: time.Second}, {}}}
	taker := newTurnTaker(t, series, &all)
	signed := 0
	note := inSeries(fiscal.Unsigned)
	if err := taker.enter(t.Context(), note.Exchange); err != nil || !taker.inLine {
		t.Fatalf("in line %v, %v", taker.inLine, err)
	}
	again, err := taker.take(t.Context(), note, func() error { signed++; return nil })
	if err != nil || again || signed != 1 || taker.inLine || taker.taken == nil {
		t.Errorf("again %v, signed %d, in line %v, %v", again, signed, taker.inLine, err)
	}
}

// What may have been sent before is read again once its turn has come.
func TestTurn_ReadAgainAfterTheLine(t *testing.T) {
	var all Lines
	taker := newTurnTaker(t, &seriesStore{turns: []numbers.SeriesTurn{{Busy: time.Second}, {}}}, &all)
	note := inSeries(fiscal.Signed)
	note.Exchange.Ambiguous = true
	for _, expected := range []bool{true, false} {
		if again, err := taker.take(t.Context(), note, func() error { return nil }); err != nil || again != expected {
			t.Errorf("again %v, %v", again, err)
		}
	}
}

// Where the line is full, the attempt is made again about when its turn comes.
func TestTurn_NoPlaceInLine(t *testing.T) {
	var all Lines
	series := &seriesStore{turns: []numbers.SeriesTurn{{Busy: 30 * time.Second}}}
	note := inSeries(fiscal.Signed)
	for range placesInLine {
		all.enter(note.Exchange.Profile.SeriesKey(), &turnTaker{})
	}
	_, err := newTurnTaker(t, series, &all).take(t.Context(), note, notToSign)
	var later activities.RetryLater
	if !errors.As(err, &later) || later.After != 15*time.Second || !later.NotFailed {
		t.Errorf("%+v", err)
	}
}

// Under a series that is held nothing is sent, and no number taken.
func TestTurn_Held(t *testing.T) {
	var all Lines
	taker := newTurnTaker(t, &seriesStore{turns: []numbers.SeriesTurn{{Held: fact.InWords("a number is used")}}}, &all)
	var missing *activities.ActionRequired
	if _, err := taker.take(t.Context(), inSeries(fiscal.Signed), notToSign); !errors.As(err, &missing) {
		t.Errorf("taking: %v", err)
	}
	if err := taker.notHeld(t.Context(), nfse.SeriesKey{}); !errors.As(err, &missing) {
		t.Errorf("before a number: %v", err)
	}
}

// A series that was held is looked at again in the same attempt, as it may have been released.
func TestTurn_HeldNoMore(t *testing.T) {
	var all Lines
	series := &seriesStore{turns: []numbers.SeriesTurn{{Held: fact.InWords("a number is used")}, {Free: true}}}
	taker, note := newTurnTaker(t, series, &all), inSeries(fiscal.Signed)
	if _, err := taker.take(t.Context(), note, notToSign); err == nil {
		t.Fatal("a held series has a turn")
	}
	if _, err := taker.take(t.Context(), note, notToSign); err != nil || !note.Exchange.NumberFree {
		t.Errorf("after its release %v", err)
	}
}

// What panics on our side keeps nobody else of this process from the turn.
func TestTurn_Panic(t *testing.T) {
	for name, when := range map[string]func(*turnTaker, *exchanges.Exchange){
		"looking": func(taker *turnTaker, e *exchanges.Exchange) { _ = taker.enter(t.Context(), e) },
		"leaving": func(taker *turnTaker, _ *exchanges.Exchange) {
			taker.taken, taker.inLine = &takenTurn{stored: true}, taker.lines.enter(taker.series, taker)
			taker.lines.begin(taker.series)
			taker.leave(t.Context())
		},
	} {
		var all Lines
		taker := newTurnTaker(t, &seriesStore{turns: []numbers.SeriesTurn{{}}, panic: true}, &all)
		func() {
			defer func() { _ = recover() }()
			when(taker, inSeries(fiscal.Signed).Exchange)
			t.Errorf("%s did not panic", name)
		}()
		if len(all.bySeries) != 0 || all.waiting != 0 {
			t.Errorf("after %s somebody is still in line: %+v", name, all.bySeries)
		}
	}
}

// A place in line is of one series, and there is none where the line is full.
func TestTurn_JoinsLine(t *testing.T) {
	var all Lines
	taker := newTurnTaker(t, &seriesStore{turns: []numbers.SeriesTurn{{}}}, &all)
	one, two := nfse.FiscalProfile{OrganizationID: "a", Series: 1}, nfse.FiscalProfile{OrganizationID: "a", Series: 2}
	for range placesInLine - 1 {
		all.enter(one.SeriesKey(), &turnTaker{})
	}
	expect := func(when string, expected map[string]int) {
		t.Helper()
		if places := all.Places(); !maps.Equal(places, expected) {
			t.Errorf("%s there are places for %v", when, places)
		}
	}
	expect("before a first attempt", map[string]int{})
	for range 2 {
		if !taker.join(one) {
			t.Error("it is in no line")
		}
	}
	if taker.join(two) {
		t.Error("it is in two lines")
	}
	expect("beside one", map[string]int{"a": startsInLine - 1})
	one.OrganizationID = "b"
	if newTurnTaker(t, nil, &all).join(one) {
		t.Error("it is in a line that is full")
	}
	expect("beside one that found none", map[string]int{"a": startsInLine - 1, "b": 0})
	taker.leave(t.Context())
	all.starts["a"] = starts{inLine: all.starts["a"].inLine}
	all.starts["b"] = starts{refused: time.Now().Add(-placeRefused)}
	expect("afterwards", map[string]int{"b": startsInLine})
}

// What is left is a turn or a place in line, so that neither keeps others of a series from
// theirs when another number, of another series, is taken.
func TestTurn_Left(t *testing.T) {
	for name, turns := range map[string][]numbers.SeriesTurn{"a turn": {{}}, "a place in line": {{Busy: time.Second}}} {
		var all Lines
		series, note := &seriesStore{turns: turns}, inSeries(fiscal.Unsigned)
		taker := newTurnTaker(t, series, &all)
		if err := taker.enter(t.Context(), note.Exchange); err != nil {
			t.Fatal(err)
		}
		taker.leave(t.Context())
		if len(all.bySeries) != 0 || all.waiting != 0 || taker.taken != nil || taker.inLine {
			t.Errorf("%s is not left: %+v", name, taker)
		}
	}
}
