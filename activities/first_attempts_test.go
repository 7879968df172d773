package activities

import (
	"testing"
	"time"
)

func TestFirstAttempts_Slots(t *testing.T) {
	first := NewFirstAttempts()
	for range 2 {
		if !first.take("a", 2) {
			t.Fatal("there is no slot")
		}
	}
	if first.take("a", 2) {
		t.Error("a target has more slots than its own")
	}
	if !first.take("b", 2) {
		t.Error("one target holds up another")
	}
	first.done("a", time.Millisecond, false)
	if !first.take("a", 2) {
		t.Error("a slot that was given back is not there")
	}
	for taken := 3; taken < firstAttemptSlots; taken++ {
		if !first.take("c", firstAttemptSlots) {
			t.Fatal("there is no slot")
		}
	}
	if first.take("d", 1) {
		t.Error("there are more slots than in all")
	}
}

// After a call that was slow or failed, a target rests for a while.
func TestFirstAttempts_Rest(t *testing.T) {
	for name, end := range map[string]func(*FirstAttempts){
		"failed": func(f *FirstAttempts) { f.done("a", time.Millisecond, true) },
		"slow":   func(f *FirstAttempts) { f.done("a", slowCall+time.Second, false) },
	} {
		first := NewFirstAttempts()
		first.take("a", 2)
		end(first)
		if first.take("a", 2) {
			t.Errorf("%s: the next call is made at once", name)
		}
		if !first.take("b", 2) {
			t.Errorf("%s: another target rests too", name)
		}
		first.resting["a"] = time.Now().Add(-time.Second)
		if !first.take("a", 2) {
			t.Errorf("%s: it rests for ever", name)
		}
	}
}
