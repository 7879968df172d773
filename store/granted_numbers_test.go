package store_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/store/postgres"
)

// granted is the issuer's profile with granted numbers.
func (n tenancy) granted(first, last int64) nfse.FiscalProfile {
	profile := n.issuer()
	profile.GrantedNumbers = &nfse.NumberRange{First: first, Last: last}
	return profile
}

// No number is taken below those that are granted, nor above; another range goes on above a gap, and
// one that ends below what was taken gives none.
func TestGrantedNumbers_Taken(t *testing.T) {
	n, _ := newIssuer(t)
	take := func(profile nfse.FiscalProfile) (int64, error) {
		id := n.begin(t, nfse.NewID(nfse.PrefixNote))
		taken, err := n.Store.Lifecycle.TakeNumber(t.Context(), id, profile, fiscal.Capabilities{GreatestNumber: 1000},
			issuing)
		if err != nil || taken == nil {
			return 0, err
		}
		return taken.Number, nil
	}
	for _, c := range []struct {
		first, last, next, taken int64 // 0 is none
	}{
		{11, 12, 11, 11}, {11, 12, 12, 12}, {11, 12, 13, 0}, {11, 12, 13, 0},
		{1, 10, 13, 0}, // below what was taken
		{31, 40, 31, 31}, {1, 40, 32, 32},
		{999, 5000, 999, 999}, {999, 5000, 1000, 1000}, {999, 5000, 1001, 0}, // none that a document cannot bear
		{2000, 5000, 2000, 0},
	} {
		profile := n.granted(c.first, c.last)
		next, err := n.Store.Lifecycle.NextNumber(t.Context(), profile)
		if err != nil || next != c.next {
			t.Errorf("of %s the next is %d, %v; expected %d", profile.GrantedNumbers, next, err, c.next)
		}
		taken, err := take(profile)
		if taken != c.taken || (c.taken == 0) != errors.Is(err, lifecycle.ErrNoNumberLeft) {
			t.Errorf("of %s was taken %d, %v; expected %d", profile.GrantedNumbers, taken, err, c.taken)
		}
	}
	if last := n.Count(t, `SELECT last_number FROM fiscal_sequences`); last != 1000 {
		t.Errorf("the last number is %d", last)
	}
}

// A new series whose range begins above what a document can bear gives none.
func TestGrantedNumbers_NewSeries(t *testing.T) {
	n, _ := newIssuer(t)
	taken, err := n.Store.Lifecycle.TakeNumber(t.Context(), n.begin(t, "a"), n.granted(8, 9),
		fiscal.Capabilities{GreatestNumber: 7},
		issuing)
	if taken != nil || !errors.Is(err, lifecycle.ErrNoNumberLeft) {
		t.Errorf("it was taken: %v, %v", taken, err)
	}
}

// Of many notes that race for the last numbers each gets one or hears that none is left, and no number
// is taken twice or for nothing.
func TestGrantedNumbers_Race(t *testing.T) {
	n, _ := newIssuer(t)
	for _, granted := range []nfse.FiscalProfile{n.granted(5, 5), n.granted(5, 6), n.granted(101, 103)} {
		const notes = 8
		var ids []string
		for i := range notes {
			ids = append(ids, n.begin(t, fmt.Sprint(granted.GrantedNumbers, i)))
		}
		before := n.Count(t, `SELECT count(*) FROM fiscal_exchanges`)
		var all sync.WaitGroup
		var numbered, without atomic.Int32
		for _, id := range ids {
			all.Go(func() {
				taken, err := n.Store.Lifecycle.TakeNumber(t.Context(), id, granted, fiscal.Capabilities{},
					newLease(time.Minute))
				switch {
				case err == nil && taken != nil:
					numbered.Add(1)
				case errors.Is(err, lifecycle.ErrNoNumberLeft):
					without.Add(1)
				default:
					t.Errorf("%v, %v", taken, err)
				}
			})
		}
		all.Wait()
		taken := n.Count(t, `SELECT count(*) FROM fiscal_exchanges`) - before
		last := int64(n.Count(t, `SELECT max(number) FROM fiscal_exchanges`))
		expected := map[int64]int{5: 1, 6: 1, 103: 3}[granted.GrantedNumbers.Last]
		if taken != expected || int(numbered.Load()) != expected || int(without.Load()) != notes-expected ||
			last != granted.GrantedNumbers.Last {
			t.Errorf("of %s %d were taken, the last is %d: %d notes have one and %d none", granted.GrantedNumbers, taken,
				last, numbered.Load(), without.Load())
		}
	}
	if twice := n.Count(t, `SELECT count(*) - count(DISTINCT number) FROM fiscal_exchanges`); twice != 0 {
		t.Errorf("%d numbers were taken twice", twice)
	}
}

// A person who saw the first granted number sets a later one.
func TestGrantedNumbers_SetNext(t *testing.T) {
	n, _ := newIssuer(t)
	profile := n.granted(101, 200)
	for _, c := range []struct {
		seen, next int64
		err        error
	}{
		{1, 150, postgres.ErrChanged}, {101, 150, nil}, {101, 160, postgres.ErrChanged}, {150, 160, nil},
	} {
		if err := n.Changes().Lifecycle.ReplaceNextNumber(t.Context(), profile, c.seen, c.next); !errors.Is(err, c.err) {
			t.Errorf("seen %d, set %d: %v", c.seen, c.next, err)
		}
	}
	again := n.granted(301, 400) // above a gap
	must(t, n.Changes().Lifecycle.ReplaceNextNumber(t.Context(), again, 301, 310))
	if next, err := n.Store.Lifecycle.NextNumber(t.Context(), again); err != nil || next != 310 {
		t.Errorf("the next is %d, %v", next, err)
	}
}
