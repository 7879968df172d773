package cities

import (
	"reflect"
	"testing"
)

// Another table is compared row by row; the file that it was read from is kept as it is.
func TestChanges(t *testing.T) {
	t.Parallel()
	read := func(rows ...string) *Table {
		t.Helper()
		table, err := Parse(file(rows...), spoken)
		if err != nil {
			t.Fatal(err)
		}
		if table.File != file(rows...) {
			t.Errorf("the file is kept as %q", table.File)
		}
		return &table
	}
	campinas := []string{"city", "3509502", "name", "campinas"}
	before := read(row(), row(append(campinas, "state", "off: not tried")...), row("city", "2211001", "name", "teresina"))
	after := read(row("quirks", "rate=2", "until", "2027-12-31"), row("from", "2028-01-01"), row(campinas...))
	want := []Change{
		{"teresina", "2027-01-01", Removed, []string{}},
		{"sorocaba", "2027-01-01", Changed, []string{"until", "quirks"}},
		{"sorocaba", "2028-01-01", Added, []string{}},
		{"campinas", "2027-01-01", TurnedOn, []string{"state"}},
	}
	if changes := Changes(before, after); !reflect.DeepEqual(changes, want) {
		t.Errorf("changes are %+v", changes)
	}
	if changes := Changes(after, read(row(append(campinas, "state", "off: holidays")...))); len(changes) != 3 ||
		changes[2].Change != TurnedOff {
		t.Errorf("changes are %+v", changes)
	}
	if changes := Changes(after, after); len(changes) != 0 {
		t.Errorf("of the same table changes are %+v", changes)
	}
	sorocaba, _ := after.Named("sorocaba", "2027-06-01")
	if sorocaba.Value("quirks") != "rate=2" || sorocaba.Value("nothing") != "" {
		t.Errorf("the quirks are %q", sorocaba.Value("quirks"))
	}
}
