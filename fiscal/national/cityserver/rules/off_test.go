package rules

import (
	"testing"

	"emissor/fiscal/cities"
	"emissor/nfse/fact"
)

// Every reason of the built-in table is said in both languages; an operator's own is kept.
func TestWhyOff(t *testing.T) {
	for _, row := range cities.BuiltIn().Rows() {
		if why := whyOff(row.Off); !row.On() && why.Portuguese() == why.English() { // as an operator's own reason
			t.Errorf("%s: %q has no words for people", row.Name, row.Off)
		}
	}
	if why := whyOff("wait for June"); !why.Is(fact.Said) && why.English() != "wait for June" {
		t.Errorf("%+v", why)
	}
	if !whyOff("").None() {
		t.Error("a row that is on has a reason")
	}
}
