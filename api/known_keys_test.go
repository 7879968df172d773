package api

import (
	"fmt"
	"testing"
	"time"
)

func TestKnownKeys_ForgetsAfterMinutes(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	known := newKnownKeys()
	known.add(hashOf("used again"), start)
	known.add(hashOf("used once"), start)
	known.add(hashOf("used again"), start.Add(knownFor/2))
	for text, expected := range map[string]bool{"used again": true, "used once": false, "never": false} {
		if has := known.has(hashOf(text), start.Add(knownFor)); has != expected {
			t.Errorf("the key that was %s: known is %v", text, has)
		}
	}
	known.remove(hashOf("used again"))
	if known.has(hashOf("used again"), start.Add(knownFor)) {
		t.Error("a removed key is known")
	}
}

func TestKnownKeys_AreBounded(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	known := newKnownKeys()
	for i := range 3 * maxKnownKeys {
		known.add(hashOf(fmt.Sprint(i)), start)
		if !known.has(hashOf(fmt.Sprint(i)), start) || len(known.valid) > maxKnownKeys {
			t.Fatalf("after %d keys, %d are kept", i+1, len(known.valid))
		}
	}
	known.add(hashOf("late"), start.Add(knownFor))
	if len(known.valid) != 1 {
		t.Errorf("%d keys are kept, of which one is not too old", len(known.valid))
	}
}
