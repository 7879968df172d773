package rules

import (
	"testing"

	"emissor/fiscal/cities"
	"emissor/nfse/fact"
)

// Every reason of the built-in table is said in both languages; an operator's own is kept.
func TestWhyOff(t *testing.T) {
	for _, row := range cities.BuiltIn().Rows() {
		english := row.Off
		if english == "nobody has reported a note of this city" {
			english = "not available in this city yet" // what it is to people
		}
		if why := whyOff(row.Off); !row.On() && (why.English() != english || why.Portuguese() == english) {
			t.Errorf("%s: %q in English and %q in Portuguese, the table has %q", row.Name, why.English(),
				why.Portuguese(), row.Off)
		}
	}
	if why := whyOff("wait for June"); !why.Is(fact.Said) && why.English() != "wait for June" {
		t.Errorf("%+v", why)
	}
	if !whyOff("").None() {
		t.Error("a row that is on has a reason")
	}
}
