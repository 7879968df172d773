package rules

import (
	"testing"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

// Who waits is told whose it is and what to do, in both languages; and never that what the city
// changes is found out by itself, as a number that was refused is not sent again.
func TestRepairs_HaveWords(t *testing.T) {
	for code, one := range repairs {
		for kind, value := range map[string]string{"whose": string(one.Whose), "act": string(one.Act)} {
			if word := fact.Word(kind, value, false); word == value || word == fact.Word(kind, value, true) {
				t.Errorf("%s: no words for %s %q", code, kind, value)
			}
		}
		if one.Act == fiscal.AskCity || one.AutoFix != "" {
			t.Errorf("%s: %+v", code, one)
		}
	}
}
