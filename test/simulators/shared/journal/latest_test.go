package journal

import "testing"

// What is remembered are the last ones, in order.
func TestLatest(t *testing.T) {
	var latest Latest[int]
	if all := latest.All(); len(all) != 0 {
		t.Errorf("before anything was added: %v", all)
	}
	for i := range most + 5 {
		latest.Add(i)
	}
	all := latest.All()
	if len(all) > most || len(all) < most*9/10 {
		t.Errorf("it remembers %d", len(all))
	}
	for i, record := range all {
		if want := most + 5 - len(all) + i; record != want {
			t.Fatalf("place %d holds %d, not %d", i, record, want)
		}
	}
}
