package recent

import (
	"testing"
	"time"
)

var start = time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)

func TestSet_ForgetsAfterItsLifetime(t *testing.T) {
	set := NewSet[string](time.Hour, 10)
	set.Add("again", start)
	set.Add("once", start)
	set.Add("again", start.Add(time.Minute))
	for element, expected := range map[string]bool{"again": true, "once": false, "never": false} {
		if has := set.Has(element, start.Add(time.Hour)); has != expected {
			t.Errorf("%s: %v", element, has)
		}
	}
	set.Remove("again")
	if set.Has("again", start.Add(time.Hour)) {
		t.Error("it has what was removed")
	}
}

func TestSet_IsBounded(t *testing.T) {
	for _, most := range []int{1, 5, 100} {
		set := NewSet[int](time.Hour, most)
		for i := range 3 * most {
			set.Add(i, start)
			if kept := set.added.Len(); !set.Has(i, start) || kept != min(i+1, most) {
				t.Fatalf("of at most %d, %d are kept after %d", most, kept, i+1)
			}
		}
	}
}
