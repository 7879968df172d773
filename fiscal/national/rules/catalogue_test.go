package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"emissor/fiscal"
)

func TestCatalogue_HasEveryOfficialCode(t *testing.T) {
	codes := namedElsewhere(t)
	declarations, messages := annexI(t), reception(t)
	if len(declarations) != 429 || len(messages) != 13 {
		t.Errorf("the tables have %d rules and %d at reception, not 429 and 13", len(declarations), len(messages))
	}
	events, _ := annexII(t)
	for _, official := range slices.Concat(declarations, messages, events) {
		if official.code == "" {
			t.Errorf("row %s has no code, and so no explanation", official.row)
		}
		codes = append(codes, official.code)
	}
	if len(codes) < 500 {
		t.Fatalf("only %d codes were read from the official tables", len(codes))
	}
	general, _, _ := Explain(fiscal.Issue, "no such code")
	for _, code := range codes {
		if explanation, _, _ := Explain(fiscal.Issue, code); explanation == general {
			t.Errorf("%s is not in the catalogue", code)
		}
	}
}

// A rule that is applied to us must not be left to others.
func TestCatalogue_SharedOnlyIsWhatTheTableSays(t *testing.T) {
	const sharedOnly = "Applied only to notes that cities share with the ADN."
	for _, official := range annexI(t) {
		if said := all.byCode[official.code].Handling.Why == sharedOnly; said != official.sharedOnly {
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
	for _, rule := range append(All(), all.unknown[fiscal.Issue], all.unknown[fiscal.Cancel]) {
		if other, taken := explained[rule.Explanation]; taken {
			t.Errorf("%s and %s have one explanation: %q", other, rule.Code, rule.Explanation)
		}
		explained[rule.Explanation] = rule.Code
		sentence("the explanation of "+rule.Code, rule.Explanation, 220)
		sentence("the action of "+rule.Code, rule.Action, 320)
		if rule.About != aboutUnknown {
			sentence("the reason of "+rule.Code, rule.Handling.Why, 200)
		}
	}
}

// What other code looks for by name is there.
func TestCatalogue_HasWhatIsNamed(t *testing.T) {
	about := map[string]bool{}
	for _, rule := range All() {
		about[rule.About] = true
	}
	for _, named := range []string{AboutCancellation, AboutTransport, AboutEmissor} {
		if !about[named] {
			t.Errorf("nothing is about %q", named)
		}
	}
	for _, kind := range []fiscal.Kind{fiscal.Issue, fiscal.Cancel} {
		if all.unknown[kind].Action == "" {
			t.Errorf("an unknown code has no words where the kind is %q", kind)
		}
	}
}

func TestParseCatalogue(t *testing.T) {
	const (
		header  = "code\tfield\tdisposition\thandling\texplanation\taction\nrate\n"
		phrases = "name\tphrase\nagain\tIssue again.\nshorten\tShorten it. {again}\n"
		row     = "E1\tservice.iss_rate\ttry_later\t{h}\tIt is long.\t{shorten}\n"
		how     = "h\timpossible: Never sent. [never a/b; only a/c = 1; always a]\n"
	)
	read, err := parseCatalogue(header+row, phrases+how)
	if err != nil {
		t.Fatal(err)
	}
	rule := read.byCode["E1"]
	proofs := []Proof{{Path: "a/b"}, {Path: "a/c", Only: "1"}, {Path: "a", Always: true}}
	if rule.About != "rate" || rule.Disposition != fiscal.TryLater || rule.Action != "Shorten it. Issue again." ||
		rule.Handling.Kind != Impossible || rule.Handling.Why != "Never sent." ||
		!slices.Equal(rule.Handling.Proofs, proofs) {
		t.Errorf("%+v", rule)
	}
	table, words := header+row, phrases+how
	changed := func(text, old, new string) string { return strings.Replace(text, old, new, 1) }
	for name, c := range map[string]struct{ table, phrases, problem string }{
		"a code twice":           {table + row, words, "is there twice"},
		"an unknown phrase":      {changed(table, "shorten", "lengthen"), words, `no phrase "lengthen"`},
		"a phrase used before":   {table, "name\tphrase\nshorten\t{again}\nagain\tx\n" + how, `no phrase "again"`},
		"a phrase that is idle":  {table, words + "idle\tx\n", "phrase idle: is used nowhere"},
		"a phrase twice":         {table, words + how, "phrase h: is there twice"},
		"an unknown field":       {changed(table, "iss_rate", "rate"), words, `no field "service.rate"`},
		"an unknown disposition": {changed(table, "try_later", "later"), words, `no disposition "later"`},
		"an unknown handling":    {table, changed(words, "impossible", "odd"), "no handling"},
		"an unknown proof":       {table, changed(words, "never a/b", "seldom a/b"), "no proof"},
		"a proof without value":  {table, changed(words, " = 1", ""), "no proof"},
		"a column too few":       {changed(table, "\t{shorten}", ""), words, "has 5 columns"},
		"no explanation":         {changed(table, "It is long.", ""), words, "lacks"},
		"nothing it is about":    {changed(table, "rate\n", ""), words, "lacks"},
	} {
		if _, err := parseCatalogue(c.table, c.phrases); err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
