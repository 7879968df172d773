package rules

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"emissor/fiscal"
	"emissor/internal/reference"
)

// official are the codes of the manual, errors and alerts.
func official(t *testing.T) (codes [][2]string) {
	t.Helper()
	for line := range strings.Lines(string(reference.ReadSaoPaulo(t, "errors.tsv"))) {
		if row := strings.Split(line, "\t"); row[0] != "code" {
			codes = append(codes, [2]string{row[0], row[1]})
		}
	}
	return codes
}

func TestCatalogue_HasEveryOfficialCode(t *testing.T) {
	codes := official(t)
	if len(codes) < 240 {
		t.Fatalf("only %d codes were read", len(codes))
	}
	known := map[[2]string]bool{}
	for _, one := range codes {
		table := all.errors
		if one[1] == "alert" {
			table = all.alerts
		}
		if _, is := table[one[0]]; !is {
			t.Errorf("the %s %s is not in the catalogue", one[1], one[0])
		}
		known[one] = true
	}
	for _, rule := range All() {
		kind := "error"
		if rule.About == AboutAlert {
			kind = "alert"
		}
		if rule.About != AboutEmissor && !known[[2]string{rule.Code, kind}] {
			t.Errorf("the %s %s is none of the city's", kind, rule.Code)
		}
	}
}

func TestCatalogue_WordsAreSentences(t *testing.T) {
	english := regexp.MustCompile(`(?i)\b(the|a|an|is|are|of|to|no|not|with|in|by|was|may|must|that|which|or)\b`)
	sentence := func(what, text string, most int) {
		odd := strings.ContainsAny(text, "{}<>%")
		foreign := strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
		switch {
		case len(text) < 14 || len(text) > most:
			t.Errorf("%s has %d characters: %q", what, len(text), text)
		case !unicode.IsUpper(rune(text[0])) || !strings.HasSuffix(text, "."):
			t.Errorf("%s is no sentence: %q", what, text)
		case strings.Contains(text, "  ") || odd || foreign || !english.MatchString(text):
			t.Errorf("%s has something left over, or is no English: %q", what, text)
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
			sentence("the reason of "+rule.Code, rule.Why, 200)
		}
	}
}

func TestExplain(t *testing.T) {
	explanation, action, field := Explain(fiscal.Issue, "306")
	if !strings.Contains(explanation, "service code") || !strings.Contains(action, "new reference") ||
		field == nil || *field != fieldCode {
		t.Errorf("%s %s %v", explanation, action, field)
	}
	if _, action, field := Explain(fiscal.Cancel, "306"); field != nil || strings.Contains(action, "new reference") {
		t.Errorf("of a cancellation: %s %v", action, field)
	}
	for _, kind := range []fiscal.Kind{fiscal.Issue, fiscal.Cancel} {
		if explanation, action, _ := Explain(kind, "4711"); explanation == "" || action == "" ||
			Disposition(kind, "4711") != fiscal.Uncatalogued || Known("4711") || !Known("306") {
			t.Errorf("%s: %q %q", kind, explanation, action)
		}
	}
	if _, action, _ := Explain(fiscal.Issue, "641"); !strings.Contains(action, "--authority national") {
		t.Errorf("issuers of Simples are not told where to go: %s", action)
	}
}

func TestParseCatalogue(t *testing.T) {
	const (
		table = "code\tfield\tdisposition\thandling\texplanation\taction\nrps\n" +
			"1\tservice.iss_rate\ttry_later\t{h}\tIt is long.\t{shorten}\nalert\n1\t\t\t{h}\tIt is.\tx\n"
		words = "name\tphrase\nagain\tIssue again.\nshorten\tShorten it. {again}\nh\timpossible: Never sent.\n"
	)
	read, err := parseCatalogue(table, words)
	if err != nil {
		t.Fatal(err)
	}
	rule := read.errors["1"]
	if rule.About != "rps" || rule.Disposition != fiscal.TryLater || rule.Action != "Shorten it. Issue again." ||
		rule.Handling != Impossible || rule.Why != "Never sent." || read.alerts["1"].Disposition != fiscal.Final {
		t.Errorf("%+v", read)
	}
	changed := func(text, old, new string) string { return strings.Replace(text, old, new, 1) }
	for name, c := range map[string]struct{ table, phrases, problem string }{
		"a code twice":           {table + "1\t\t\t{h}\tIt is.\tx\n", words, "is there twice"},
		"an unknown phrase":      {changed(table, "shorten", "lengthen"), words, `no phrase "lengthen"`},
		"a phrase that is idle":  {table, words + "idle\tx\n", "phrase idle: is used nowhere"},
		"a phrase twice":         {table, words + "h\tx\n", "phrase h: is there twice"},
		"an unknown field":       {changed(table, "iss_rate", "rate"), words, `no field "service.rate"`},
		"an unknown disposition": {changed(table, "try_later", "later"), words, `no disposition "later"`},
		"an unknown handling":    {table, changed(words, "impossible", "odd"), "no handling"},
		"a column too few":       {changed(table, "\t{shorten}", ""), words, "has 5 columns"},
		"no explanation":         {changed(table, "It is long.", ""), words, "lacks"},
		"nothing it is about":    {changed(table, "rps\n", ""), words, "lacks"},
	} {
		if _, err := parseCatalogue(c.table, c.phrases); err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
