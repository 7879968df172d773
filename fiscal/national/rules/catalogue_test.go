package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

func TestCatalogue_HasEveryOfficialCode(t *testing.T) {
	codes := namedElsewhere(t)
	declarations, messages := annexI(t), reception(t)
	if len(declarations) != 429 || len(messages) != 13 {
		t.Errorf("the tables have %d rules and %d at reception, not 429 and 13", len(declarations), len(messages))
	}
	for _, official := range slices.Concat(declarations, messages, annexII(t)) {
		if official.code == "" {
			t.Errorf("row %s has no code, and so no explanation", official.row)
		}
		codes = append(codes, official.code)
	}
	if len(codes) < 500 {
		t.Fatalf("only %d codes were read from the official tables", len(codes))
	}
	general, _, _ := Catalogue.Explain(fiscal.Issue, "no such code")
	for _, code := range codes {
		if explanation, _, _ := Catalogue.Explain(fiscal.Issue, code); explanation == general {
			t.Errorf("%s is not in the catalogue", code)
		}
	}
}

func coverageOf(code string) rulecatalogue.Coverage {
	rule, _ := Catalogue.Rule(code)
	return rule.Coverage
}

// A rule that is applied to us must not be left to others.
func TestCatalogue_SharedOnlyIsWhatTheTableSays(t *testing.T) {
	const sharedOnly = "Applied only to notes that cities share with the ADN."
	for _, official := range annexI(t) {
		if said := coverageOf(official.code).Why == sharedOnly; said != official.sharedOnly {
			t.Errorf("%s is applied only to shared notes: the table says %t, the catalogue %t",
				official.code, official.sharedOnly, said)
		}
	}
}

func TestCatalogue_WordsAreSentences(t *testing.T) {
	english := regexp.MustCompile(`(?i)\b(the|a|an|is|are|of|to|no|with|in|by|was|may|must|have|that|every|which)\b`)
	sentence := func(what, text string, most int) {
		named := strings.Contains(text, "iss_") || strings.Contains(text, "_code")
		odd := strings.ContainsAny(text, "{}<>%_") && !named
		foreign := strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
		switch {
		case len(text) < 20 || len(text) > most:
			t.Errorf("%s has %d characters: %q", what, len(text), text)
		case !unicode.IsUpper(rune(text[0])) || !strings.HasSuffix(text, "."):
			t.Errorf("%s is no sentence: %q", what, text)
		case strings.Contains(text, "  ") || strings.Contains(text, "..,") || odd:
			t.Errorf("%s has something left over: %q", what, text)
		case !english.MatchString(text) || foreign:
			t.Errorf("%s is no English: %q", what, text)
		}
	}
	explained := map[string]string{}
	for _, rule := range everyRule() {
		if other, taken := explained[rule.Explanation]; taken {
			t.Errorf("%s and %s have one explanation: %q", other, rule.Code, rule.Explanation)
		}
		explained[rule.Explanation] = rule.Code
		sentence("the explanation of "+rule.Code, rule.Explanation, 220)
		sentence("the action of "+rule.Code, rule.Action, 320)
		if rule.Coverage.Why != "" {
			sentence("the reason of "+rule.Code, rule.Coverage.Why, 200)
		}
	}
}

// What other code looks for by name is there.
func TestCatalogue_HasWhatIsNamed(t *testing.T) {
	about := map[string]bool{}
	for _, rule := range Catalogue.All() {
		about[rule.About] = true
	}
	for _, named := range []string{AboutCancellation, AboutTransport, rulecatalogue.AboutEmissor} {
		if !about[named] {
			t.Errorf("nothing is about %q", named)
		}
	}
	for _, kind := range []fiscal.Kind{fiscal.Issue, fiscal.Cancel} {
		if Catalogue.General(kind).Action == "" {
			t.Errorf("an unknown code has no words where the kind is %q", kind)
		}
	}
}
