package activities

import (
	"testing"
	"time"
)

// take takes a slot without waiting.
func take(first *FirstAttempts, target string, most int) bool {
	taken, _ := first.try(target, most)
	return taken
}

// A slot that is given back soon is waited for.
func TestFirstAttempts_WaitsAMoment(t *testing.T) {
	first := NewFirstAttempts()
	take(first, "a", 1)
	taken := make(chan bool)
	go func() { taken <- first.Take(t.Context(), "a", 1) }()
	first.Done("a", time.Millisecond, false)
	if !<-taken {
		t.Error("the slot went to nobody")
	}
}

func TestFirstAttempts_Slots(t *testing.T) {
	first := NewFirstAttempts()
	for range 2 {
		if !take(first, "a", 2) {
			t.Fatal("there is no slot")
		}
	}
	if take(first, "a", 2) {
		t.Error("a target has more slots than its own")
	}
	if !take(first, "b", 2) {
		t.Error("one target holds up another")
	}
	first.Done("a", time.Millisecond, false)
	if !take(first, "a", 2) {
		t.Error("a slot that was given back is not there")
	}
	for taken := 3; taken < firstAttemptSlots; taken++ {
		if !take(first, "c", firstAttemptSlots) {
			t.Fatal("there is no slot")
		}
	}
	if take(first, "d", 1) {
		t.Error("there are more slots than in all")
	}
}

// After a call that was slow or failed, a target rests for a while.
func TestFirstAttempts_Rest(t *testing.T) {
	for name, end := range map[string]func(*FirstAttempts){
		"failed": func(f *FirstAttempts) { f.Done("a", time.Millisecond, true) },
		"slow":   func(f *FirstAttempts) { f.Done("a", SlowCall+time.Second, false) },
	} {
		first := NewFirstAttempts()
		take(first, "a", 2)
		end(first)
		if take(first, "a", 2) {
			t.Errorf("%s: the next call is made at once", name)
		}
		if !take(first, "b", 2) {
			t.Errorf("%s: another target rests too", name)
		}
		first.resting["a"] = time.Now().Add(-time.Second)
		if !take(first, "a", 2) {
			t.Errorf("%s: it rests for ever", name)
		}
	}
}
