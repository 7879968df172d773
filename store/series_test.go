package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
	"emissor/store/numbers"
)

func newLease(lasts time.Duration) exchanges.Lease {
	return exchanges.Lease{Token: uuid.New(), For: lasts}
}

// turn takes a turn for an exchange.
func (n tenancy) turn(t *testing.T, e *exchanges.Exchange, by exchanges.Lease) numbers.SeriesTurn {
	t.Helper()
	turn, err := n.Store.Numbers.TakeSeriesTurn(t.Context(), e, by, time.Hour)
	must(t, err)
	return turn
}

// Of all who want to send under a series one may at a time; other series do not wait
// for it, and a turn that was never given back ends by itself.
func TestSeries_OneTurn(t *testing.T) {
	n, certificate := newIssuer(t)
	a, b := n.signed(t, certificate, "a"), n.signed(t, certificate, "b")
	first, second := newLease(time.Minute), newLease(time.Minute)
	if turn := n.turn(t, a, first); !turn.Taken() || turn.Free || turn.Unchecked {
		t.Fatalf("the first has %+v", turn)
	}
	if turn := n.turn(t, a, first); !turn.Taken() {
		t.Errorf("the first may not keep it: %+v", turn)
	}
	if turn := n.turn(t, b, second); turn.Taken() || turn.Busy <= 0 {
		t.Errorf("the second has %+v", turn)
	}
	n.expectBusy(t, b, second, true)
	n.expectBusy(t, a, first, false) // with its own
	other := *b
	other.Profile.Series = 2
	if turn := n.turn(t, &other, second); !turn.Taken() {
		t.Errorf("another series waits: %+v", turn)
	}
	must(t, n.Store.Numbers.EndSeriesTurn(t.Context(), a.Profile.SeriesKey(), second,
		time.Second)) // not the second's to end
	if turn := n.turn(t, b, second); turn.Taken() {
		t.Error("the turn of another was ended")
	}
	must(t, n.Store.Numbers.EndSeriesTurn(t.Context(), a.Profile.SeriesKey(), first, 400*time.Millisecond))
	n.expectBusy(t, b, second, false)
	if turn := n.turn(t, b, second); !turn.Taken() {
		t.Errorf("a turn that was given back is not to be had: %+v", turn)
	}
	n.signed(t, certificate, "c")
	d := n.signed(t, certificate, "d") // three are before it
	if turn := n.turn(t, d, first); turn.Busy != 4*400*time.Millisecond {
		t.Errorf("a turn's end after three of 400 ms is expected in %s", turn.Busy)
	}
	n.Exec(t, `UPDATE fiscal_series SET turn_ms = 45000 WHERE series = 1`)
	if turn := n.turn(t, d, first); turn.Busy != 4*time.Second {
		t.Errorf("while the city hangs a turn's end is expected in %s", turn.Busy)
	}
	n.Exec(t, `UPDATE fiscal_series SET turn_until = clock_timestamp() - interval '1 second' WHERE series = 1`)
	n.expectBusy(t, b, second, false)
	if turn := n.turn(t, a, first); !turn.Taken() {
		t.Errorf("a turn that was never given back does not end: %+v", turn)
	}
}

func (n tenancy) expectBusy(t *testing.T, e *exchanges.Exchange, by exchanges.Lease, expected bool) {
	t.Helper()
	if _, busy, err := n.Store.Numbers.LookAtSeries(t.Context(), e, by, time.Hour); err != nil || busy != expected {
		t.Errorf("that somebody else has the turn is %v, %v", busy, err)
	}
}

// A look changes nothing, also where nobody has sent under a series, and says how soon a turn may
// come.
func TestSeries_Look(t *testing.T) {
	n, certificate := newIssuer(t)
	e, by := n.signed(t, certificate, "a"), newLease(time.Minute)
	n.expectBusy(t, e, by, false)
	if turn, err := n.Store.Numbers.OthersTurn(t.Context(), e); err != nil || turn.Busy != 500*time.Millisecond {
		t.Errorf("of a new series %+v, %v", turn, err)
	}
	if rows := n.Count(t, `SELECT count(*) FROM fiscal_series`); rows != 0 {
		t.Errorf("%d series are on record", rows)
	}
	n.turn(t, e, by)
	why := fact.InWords("a note was cancelled by another")
	n.Exec(t, `UPDATE fiscal_series SET held_reason = $1`, why)
	for _, asking := range []exchanges.Lease{by, newLease(time.Minute)} {
		turn, busy, err := n.Store.Numbers.LookAtSeries(t.Context(), e, asking, time.Hour)
		if err != nil || busy || !turn.Held.Equal(why) {
			t.Errorf("of one that is held %+v, %v, %v", turn, busy, err)
		}
	}
}

// A number counts as free for so long after the authority said so, up to the first
// number that it said nothing of, and only in the database that asked.
func TestSeries_FreeNumbers(t *testing.T) {
	n, certificate := newIssuer(t)
	e, by := n.signed(t, certificate, "a"), newLease(time.Minute)
	n.turn(t, e, by)
	must(t, n.Store.Numbers.SaveNumbers(t.Context(), e.Profile.SeriesKey(), newLease(time.Minute), 1, 1, nil, time.Hour))
	if n.turn(t, e, by).Free {
		t.Fatal("somebody without the turn said what is free")
	}
	save := func(from, through int64, used ...int64) {
		t.Helper()
		must(t, n.Store.Numbers.SaveNumbers(t.Context(), e.Profile.SeriesKey(), by, from, through, used, time.Hour))
	}
	save(20, 20) // far away: forgotten
	save(3, 4, 3)
	save(1, 2)
	for number, free := range map[int64]bool{0: false, 1: true, 2: true, 3: false, 4: true, 5: false, 6: false,
		20: false} {
		asked := *e
		asked.Number = number
		if turn := n.turn(t, &asked, by); turn.Free != free || turn.Unchecked {
			t.Errorf("number %d: %+v", number, turn)
		}
		if turn, _, err := n.Store.Numbers.LookAtSeries(t.Context(), &asked, by, time.Hour); err != nil ||
			turn.Free != free {
			t.Errorf("number %d, by a look: %+v, %v", number, turn, err)
		}
	}
	n.Exec(t, `UPDATE fiscal_series SET asked_at = asked_at - interval '61 minutes'`)
	if n.turn(t, e, by).Free {
		t.Error("what was said an hour ago counts")
	}
	n.Exec(t, `UPDATE fiscal_series SET asked_at = now(), checked_in = 'the database before'`)
	if turn := n.turn(t, e, by); turn.Free || !turn.Unchecked {
		t.Errorf("in a restored database: %+v", turn)
	}
}

// A database that was copied back into its tables is another one.
func TestSeries_KnowsARestore(t *testing.T) {
	n, certificate := newIssuer(t)
	e, by := n.signed(t, certificate, "a"), newLease(time.Minute)
	n.turn(t, e, by)
	must(t, n.Store.Numbers.SaveNumbers(t.Context(), e.Profile.SeriesKey(), by, 1, 1, nil, time.Hour))
	n.Exec(t, `CREATE TABLE saved AS TABLE fiscal_series`)
	n.Exec(t, `TRUNCATE fiscal_series`)
	n.Exec(t, `INSERT INTO fiscal_series SELECT * FROM saved`)
	if turn := n.turn(t, e, by); turn.Free || !turn.Unchecked {
		t.Errorf("after a restore: %+v", turn)
	}
	// By somebody who is not the holder of the turn.
	must(t, n.Store.Numbers.SeriesChecked(t.Context(), e.Profile.SeriesKey(), newLease(time.Minute)))
	if turn := n.turn(t, e, by); !turn.Unchecked {
		t.Error("somebody without the turn has checked the series")
	}
	must(t, n.Store.Numbers.SeriesChecked(t.Context(), e.Profile.SeriesKey(), by))
	if turn := n.turn(t, e, by); turn.Unchecked || turn.Free {
		t.Errorf("once it was checked: %+v", turn)
	}
}

// What tells whether something was sent that is not on record: the numbers of which
// nothing was sent, as far as is known, and those that are taken next.
func TestSeries_NumbersToCheck(t *testing.T) {
	n, certificate := newIssuer(t)
	var all []*exchanges.Exchange
	for _, reference := range []string{"a", "b", "c", "d"} {
		all = append(all, n.signed(t, certificate, reference))
	}
	n.sending(t, all[1], newLease(time.Minute)) // in doubt: it is asked about by itself
	series := all[0].Profile.SeriesKey()
	for _, c := range []struct {
		after    int64
		most     int
		greatest int64
		expected []int64
		more     bool
	}{
		{0, 2, 99, []int64{1, 3}, true}, {3, 2, 99, []int64{4, 5}, false}, {0, 5, 99, []int64{1, 3, 4, 5, 6}, false},
		{4, 2, 99, []int64{5, 6}, false}, {0, 5, 5, []int64{1, 3, 4, 5}, false}, {0, 3, 4, []int64{1, 3, 4}, true},
		{4, 3, 4, nil, false},
	} {
		numbers, more, err := n.Store.Numbers.NumbersToCheck(t.Context(), series, c.after, c.most, c.greatest)
		if err != nil || !slices.Equal(numbers, c.expected) || more != c.more {
			t.Errorf("%d after %d to %d: %v, %v, %v", c.most, c.after, c.greatest, numbers, more, err)
		}
	}
	// By an authority that takes a number once and for all.
	taker := newLease(time.Minute)
	_, err := n.Store.Lifecycle.TakeNumber(t.Context(), n.accept(t, "z"), n.issuer(), fiscal.Capabilities{}, taker)
	must(t, err)
	if numbers, _, err := n.Store.Numbers.NumbersToCheck(t.Context(), series, 4, 2, 99); err != nil ||
		!slices.Equal(numbers, []int64{6, 7}) {
		t.Errorf("behind one that takes no turns: %v, %v", numbers, err)
	}
	n.Exec(t, `UPDATE fiscal_exchanges SET takes_turns = false`)
	if numbers, _, err := n.Store.Numbers.NumbersToCheck(t.Context(), series, 0, 2, 99); err != nil ||
		!slices.Equal(numbers, []int64{6, 7}) {
		t.Errorf("of numbers that take no turns: %v, %v", numbers, err)
	}
}

// A decision that holds the series does so regardless of what becomes of its exchange. Nothing is sent under the
// series until a person releases it, which wakes up what waits.
func TestSeries_HeldAndReleased(t *testing.T) {
	n, certificate := newIssuer(t)
	e, by := n.signed(t, certificate, "a"), newLease(time.Minute)
	leased, call := n.sending(t, e, by)
	why := fact.InWords("a note was cancelled by another")
	answer := fiscal.Answer{Outcome: fiscal.OutcomeUnknown, HoldSeries: why}
	_, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, newLease(time.Minute), call, answer,
		leased.AfterSending(answer, time.Hour), lifecycle.DecisionExtras{}) // the lease is another's by now
	must(t, err)
	if turn := n.turn(t, e, by); turn.Taken() || !turn.Held.Equal(why) {
		t.Errorf("a held series has a turn: %+v", turn)
	}
	held, err := n.Store.Numbers.SeriesHeld(t.Context(), e.Profile.SeriesKey())
	must(t, err)
	if !held.Equal(why) {
		t.Errorf("the series is held for %q", held)
	}
	profile := e.Profile
	profile.OrganizationID = n.scope.OrganizationID
	n.SetProfile(t, profile)
	if all, err := n.Store.Numbers.AllSeries(t.Context(), n.scope.OrganizationID); err != nil || len(all) != 1 ||
		!all[0].HeldReason.Equal(why) {
		t.Errorf("listed are %+v, %v", all, err)
	}
	if all, err := n.Store.Numbers.AllSeries(t.Context(), "org_other"); err != nil || len(all) != 0 {
		t.Errorf("of another organization are listed %+v, %v", all, err)
	}
	if held, err := n.Store.Numbers.HeldSeries(t.Context(), n.scope.OrganizationID); err != nil || len(held) != 1 ||
		!held[0].HeldReason.Equal(why) || held[0].Series != e.Series {
		t.Errorf("held are %+v, %v", held, err)
	}
	if held, err := n.Store.Numbers.HeldSeries(t.Context(), "org_other"); err != nil || len(held) != 0 {
		t.Errorf("of another organization are held %+v, %v", held, err)
	}
	n.Exec(t, `DELETE FROM outbox`)
	must(t, n.Changes().Numbers.ReleaseSeries(t.Context(), n.scope.OrganizationID, profile.SeriesKey()))
	if turn := n.turn(t, e, by); !turn.Taken() {
		t.Errorf("a released series has no turn: %+v", turn)
	}
	if held, err := n.Store.Numbers.HeldSeries(t.Context(), n.scope.OrganizationID); err != nil || len(held) != 0 {
		t.Errorf("held after the release are %+v, %v", held, err)
	}
	if waiting := n.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'resume'`); waiting != 1 {
		t.Errorf("%d notes were woken up", waiting)
	}
	err = n.Changes().Numbers.ReleaseSeries(t.Context(), n.scope.OrganizationID, profile.SeriesKey())
	if !nfse.IsCode(err, nfse.CodeInvalidRequest) {
		t.Errorf("a series that is not held was released: %v", err)
	}
}

// A registration counts for itself, however many zeros it begins with.
func TestSeries_OfARegistration(t *testing.T) {
	n, certificate := newIssuer(t)
	e := n.signed(t, certificate, "a")
	for i, registration := range []string{"31000000", "000031000000", "31000001"} {
		asked := *e
		asked.Profile.MunicipalRegistration = &registration
		if turn := n.turn(t, &asked, newLease(time.Minute)); turn.Taken() != (i != 1) {
			t.Errorf("%s: %+v", registration, turn)
		}
	}
	if rows := fmt.Sprint(n.Count(t, `SELECT count(*) FROM fiscal_series`)); rows != "2" {
		t.Errorf("there are %s series", rows)
	}
}

// What is sent in turn takes the turn by that, for the time of the call: not where another has it,
// where the series is held or where the number is not known to be free here.
func TestSeries_SendingTakesTheTurn(t *testing.T) {
	n, certificate := newIssuer(t)
	e, by := n.signed(t, certificate, "a"), newLease(time.Minute)
	leased, err := n.Store.Lifecycle.LeaseExchange(t.Context(), e.NoteID, e.Kind, by)
	must(t, err)
	start := func(sending lifecycle.Sending) bool {
		t.Helper()
		_, ok, err := n.Store.Lifecycle.StartSending(t.Context(), leased, by, sending)
		must(t, err)
		return ok
	}
	known := lifecycle.Sending{Turn: time.Hour, NumberAnswerValidFor: time.Minute}
	if start(known) || start(lifecycle.Sending{Turn: time.Hour}) {
		t.Fatal("it was sent under a series that nobody has looked at")
	}
	other, series := newLease(time.Minute), e.Profile.SeriesKey()
	n.turn(t, e, other)
	must(t, n.Store.Numbers.SaveNumbers(t.Context(), series, other, e.Number, e.Number, nil, time.Hour))
	if start(known) {
		t.Fatal("it was sent in another's turn")
	}
	must(t, n.Store.Numbers.EndSeriesTurn(t.Context(), series, other, time.Second))
	for why, change := range map[string]string{
		"it is used":                  `used_numbers = '{1}'`,
		"it was not asked about":      `asked_through = 0`,
		"it was asked about long ago": `asked_at = now() - interval '61 seconds'`,
		"a copy was asked":            `checked_in = 'the database before'`,
		"nobody was asked":            `asked_at = NULL, asked_from = NULL, asked_through = NULL, checked_in = NULL`,
		"the series is held":          `held_reason = '{}'`,
	} {
		n.Exec(t, `CREATE TABLE saved AS TABLE fiscal_series`)
		n.Exec(t, `UPDATE fiscal_series SET `+change)
		if start(known) {
			t.Fatalf("a number is sent although %s", why)
		}
		if n.Count(t, `SELECT count(*) FROM fiscal_series WHERE turn_token IS NOT NULL`) != 0 {
			t.Errorf("the turn was taken although %s", why)
		}
		n.Exec(t, `UPDATE fiscal_series f SET (asked_from, asked_through, used_numbers, asked_at, checked_in, held_reason) =
			(SELECT asked_from, asked_through, used_numbers, asked_at, checked_in, held_reason FROM saved)`)
		n.Exec(t, `DROP TABLE saved`)
	}
	if !start(known) {
		t.Fatal("it was not sent in its turn")
	}
	if n.Count(t, `SELECT count(*) FROM fiscal_series WHERE turn_until > now() + interval '59 minutes'`) != 1 {
		t.Error("the turn does not last for the call")
	}
}

// An answer gives the turn back and records the question that follows, in its own statement: the
// turn also where another has taken the lease, who then asks himself.
func TestSeries_AnswerEndsTheTurn(t *testing.T) {
	n, certificate := newIssuer(t)
	for _, lost := range []bool{true, false} {
		e, by := n.signed(t, certificate, fmt.Sprint("lost ", lost)), newLease(time.Minute)
		n.turn(t, e, by)
		leased, call := n.sending(t, e, by)
		if lost {
			n.Exec(t, `UPDATE fiscal_exchanges SET lease_token = $1 WHERE id = $2`, newLease(0).Token, e.ID)
		}
		answer := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Document: &fiscal.IssuedDocument{AccessKey: "the key"}}
		decision := leased.AfterSending(answer, time.Hour)
		saved, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, by, call, answer, decision,
			lifecycle.DecisionExtras{TurnTook: time.Second, RecordsQuestion: true})
		must(t, err)
		n.expectBusy(t, e, newLease(time.Minute), false)
		asked := n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE note_id = $1 AND what = 'find' AND id = $2
			AND ended_at IS NULL`, e.NoteID, saved.QuestionCallID)
		if saved.Lost != lost || !saved.TurnEnded || (saved.QuestionCallID == 0) != lost || (asked == 0) != lost {
			t.Errorf("lost %v: %+v, %d questions", lost, saved, asked)
		}
	}
	if n.Count(t, `SELECT turn_ms FROM fiscal_series`) != 1000 {
		t.Error("how long the turns took is not on record")
	}
	if n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE access_key = 'the key'
		AND lease_until > now() + interval '50 seconds'`) != 1 {
		t.Error("the lease does not go on with the question")
	}
}

// An answer does not wait for somebody who has the row of its series locked: it is saved, and the
// turn is given back later.
func TestSeries_AnswerWaitsForNobody(t *testing.T) {
	n, certificate := newIssuer(t)
	e, by := n.signed(t, certificate, "a"), newLease(time.Minute)
	n.turn(t, e, by)
	leased, call := n.sending(t, e, by)
	tx, err := n.SQL.Beginx()
	must(t, err)
	defer func() { _ = tx.Rollback() }()
	_, err = tx.Exec(`SELECT FROM fiscal_series FOR UPDATE`)
	must(t, err)
	answer := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Document: &fiscal.IssuedDocument{AccessKey: "the key"}}
	saved, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, by, call, answer,
		leased.AfterSending(answer, time.Hour),
		lifecycle.DecisionExtras{TurnTook: time.Second})
	if err != nil || saved.Lost || saved.TurnEnded ||
		n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE access_key = 'the key'`) != 1 {
		t.Errorf("%+v, %v", saved, err)
	}
	must(t, tx.Rollback())
	n.expectBusy(t, e, newLease(time.Minute), true)
	must(t, n.Store.Numbers.EndSeriesTurn(t.Context(), e.Profile.SeriesKey(), by, time.Second))
	n.expectBusy(t, e, newLease(time.Minute), false)
}

// A question about numbers is asked in the turn, which lasts for it from then on.
func TestSeries_AskingKeepsTheTurn(t *testing.T) {
	n, certificate := newIssuer(t)
	e, by, other := n.signed(t, certificate, "a"), newLease(time.Hour), newLease(time.Minute)
	ask := func(expected bool) {
		t.Helper()
		call, ok, err := n.Store.Lifecycle.StartAskingNumbers(t.Context(), e, by)
		if err != nil || ok != expected || (call != 0) != expected {
			t.Errorf("asked is %v, %d, %v", ok, call, err)
		}
	}
	ask(false)
	n.turn(t, e, other)
	ask(false)
	must(t, n.Store.Numbers.EndSeriesTurn(t.Context(), e.Profile.SeriesKey(), other, time.Second))
	n.turn(t, e, exchanges.Lease{Token: by.Token, For: time.Minute})
	ask(true)
	if n.Count(t, `SELECT count(*) FROM fiscal_series WHERE turn_until > now() + interval '59 minutes'`) != 1 ||
		n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'find_numbers'`) != 1 {
		t.Error("the turn does not last for the question, or it is not on record once")
	}
}

// A number that waits for its turn is taken with the note's processing, and by nobody who holds
// its lease; under a series that is held none is.
func TestSeries_NumberWaitsForItsTurn(t *testing.T) {
	n, certificate := newIssuer(t)
	before := n.signed(t, certificate, "before")
	n.turn(t, before, newLease(time.Minute))
	take := func(reference string) *exchanges.Exchange {
		t.Helper()
		id := n.accept(t, reference)
		e, err := n.Store.Lifecycle.TakeNumber(t.Context(), id, n.issuer(), fiscal.Capabilities{AsksFirst: true},
			exchanges.Lease{})
		must(t, err)
		return e
	}
	e := take("a")
	if e == nil || n.Text(t, `SELECT status FROM notes WHERE id = $1`, e.NoteID) != string(nfse.StatusProcessing) {
		t.Fatalf("taken is %+v", e)
	}
	if leased, err := n.Store.Lifecycle.LeaseExchange(t.Context(), e.NoteID, e.Kind, newLease(time.Minute)); err != nil ||
		leased == nil || leased.Number != before.Number+1 {
		t.Errorf("leased is %+v, %v", leased, err)
	}
	n.Exec(t, `UPDATE fiscal_series SET held_reason = '{}'`)
	if e := take("b"); e != nil {
		t.Errorf("under a held series %+v was taken", e)
	}
	if waiting := n.Count(t, `SELECT count(*) FROM notes WHERE status = 'queued'`); waiting != 1 {
		t.Errorf("%d notes have no number", waiting)
	}
	n.Exec(t, `UPDATE fiscal_series SET held_reason = NULL`)
	if e := take("c"); e == nil || e.Number != before.Number+2 {
		t.Errorf("the next one is %+v", e)
	}
}
