package main

import (
	"reflect"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/generate"
)

// planned is an ordinary run, with its seed.
func planned(t *testing.T, seed uint64) plan {
	t.Helper()
	o := defaults()
	o.seed, o.arrival, o.moment, o.queue = seed, time.Minute, 10*time.Second, 40
	p, err := newPlan(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPlan_SeedRepeatsIt(t *testing.T) {
	if !reflect.DeepEqual(planned(t, 7), planned(t, 7)) {
		t.Error("the same seed planned something else")
	}
	if reflect.DeepEqual(planned(t, 7), planned(t, 8)) {
		t.Error("another seed planned the same")
	}
}

// A reference is used once in an organization and environment, and elsewhere too; those
// that once stopped a note are among them.
func TestPlan_References(t *testing.T) {
	p := planned(t, 7)
	used, references := map[string]bool{}, map[string]int{}
	for _, n := range append(p.notes, p.queue...) {
		if used[n.catalogue()] {
			t.Errorf("%s is planned twice", n)
		}
		used[n.catalogue()] = true
		references[n.reference]++
	}
	for _, reference := range generate.Poison()[:5] {
		if references[reference] < 2 {
			t.Errorf("no two organizations use %q", reference)
		}
	}
}

func TestTaxIDs(t *testing.T) {
	for n := range 50 {
		for _, document := range []string{cpf(n), cnpj(n)} {
			if _, err := nfse.ParseTaxID(document); err != nil {
				t.Errorf("%s: %v", document, err)
			}
		}
	}
}

func TestOrder_Spread(t *testing.T) {
	began := time.Now()
	at := func(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }
	for name, test := range map[string]struct {
		ends   []int // of notes accepted one after the other
		spread time.Duration
	}{
		"oldest first": {[]int{1, 2, 3, 4}, 0},
		"newest first": {[]int{4, 3, 2, 1}, 3 * time.Second},
		"in pairs":     {[]int{2, 1, 4, 3}, time.Second},
		"one left":     {[]int{1, 9, 2, 3}, 7 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			var notes []waited
			for i, end := range test.ends {
				notes = append(notes, waited{created: at(i), ended: at(100 + end)})
			}
			if spread, _ := spreadOf(notes); spread != test.spread {
				t.Errorf("the spread is %s, expected %s", spread, test.spread)
			}
		})
	}
}
