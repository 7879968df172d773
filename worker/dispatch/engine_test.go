package dispatch

import (
	"testing"
	"testing/synctest"
	"time"

	"emissor/store/outbox"
)

// While the engine is away rows take turns in finding out when it is back, so that one
// which never could is not the only one that is tried.
func TestEngine_ProbesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where time passes when everybody waits
		var e engine
		rows := []outbox.Start{{ID: 1}, {ID: 2}, {ID: 3}}
		var tried []int64
		for range 6 {
			chosen, others := e.chooseProbe(rows)
			if len(others) != 2 || others[0].ID == chosen.ID || others[1].ID == chosen.ID {
				t.Errorf("chosen is %d, the others are %v", chosen.ID, others)
			}
			tried = append(tried, chosen.ID)
			time.Sleep(time.Second)
		}
		for i, id := range []int64{1, 2, 3, 1, 2, 3} {
			if tried[i] != id {
				t.Fatalf("tried were %v", tried)
			}
		}
	})
}

// A probe that hangs delays the next one, and does not keep it from being made.
func TestEngine_ProbesThatHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e engine
		e.failed("away")
		began := time.Now()
		for probes := 1; probes <= 4; probes++ {
			for !e.beginProbe() {
				time.Sleep(10 * time.Millisecond)
			}
		}
		if waited := time.Since(began); waited < 5*time.Second || waited > 8*time.Second {
			t.Errorf("the fourth probe was made after %s", waited)
		}
		for range 4 {
			e.endProbe()
		}
		e.answered(time.Now())
		if e.away() {
			t.Error("an engine that answers is away")
		}
	})
}

// One row that times out again and again says nothing of the engine; several do, unless
// it answered in between.
func TestEngine_TimeOutsOfSeveralRows(t *testing.T) {
	var e engine
	for range 10 {
		if e.timesOut(1) {
			t.Fatal("one row is several")
		}
	}
	if e.timesOut(2) {
		t.Error("two rows are several")
	}
	e.answered(time.Now())
	if e.timesOut(3) || e.timesOut(1) {
		t.Error("what was before an answer counts")
	}
	if !e.timesOut(2) {
		t.Error("three rows are not several")
	}
}

// A start that another one overtook takes long for a reason of its own.
func TestEngine_AnsweredSince(t *testing.T) {
	var e engine
	began := time.Now()
	e.answered(began.Add(-time.Second))
	if e.answeredSince(began) {
		t.Error("an earlier start was answered")
	}
	e.answered(began.Add(time.Second))
	e.answered(began.Add(-time.Second))
	if !e.answeredSince(began) {
		t.Error("a later start was answered")
	}
}

// The pause of a row that is not taken grows from two seconds to a quarter of an hour.
func TestRowBackoff(t *testing.T) {
	for failures, expected := range map[int]time.Duration{1: 2 * time.Second, 2: 4 * time.Second, 5: 32 * time.Second,
		20: 15 * time.Minute, 1000: 15 * time.Minute} {
		if pause := rowBackoff.After(failures); pause < expected*9/10 || pause > expected*11/10 {
			t.Errorf("after %d failures the pause is %s", failures, pause)
		}
	}
}
