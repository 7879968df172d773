package rules

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
	"emissor/test/reference"
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
		known[one] = true
	}
	ours := map[[2]string]bool{}
	for _, rule := range Catalogue.All() {
		kind := "error"
		if rule.About == rulecatalogue.AboutAlert {
			kind = "alert"
		}
		if rule.About != rulecatalogue.AboutEmissor && !known[[2]string{rule.Code, kind}] {
			t.Errorf("the %s %s is none of the city's", kind, rule.Code)
		}
		ours[[2]string{rule.Code, kind}] = true
	}
	for _, one := range codes {
		if !ours[one] {
			t.Errorf("the %s %s is not in the catalogue", one[1], one[0])
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

func TestExplain(t *testing.T) {
	explanation, action, field := Catalogue.Explain(fiscal.Issue, "306")
	if !strings.Contains(explanation, "service code") || !strings.Contains(action, "new reference") ||
		field == nil || *field != fieldCode {
		t.Errorf("%s %s %v", explanation, action, field)
	}
	_, action, field = Catalogue.Explain(fiscal.Cancel, "306")
	if field != nil || strings.Contains(action, "new reference") {
		t.Errorf("of a cancellation: %s %v", action, field)
	}
	for _, kind := range []fiscal.Kind{fiscal.Issue, fiscal.Cancel} {
		if explanation, action, _ := Catalogue.Explain(kind, "4711"); explanation == "" || action == "" ||
			Handling(kind, "4711") != fiscal.Uncatalogued || Known("4711") || !Known("306") {
			t.Errorf("%s: %q %q", kind, explanation, action)
		}
	}
	if _, action, _ := Catalogue.Explain(fiscal.Issue, "641"); !strings.Contains(action, "--authority national") {
		t.Errorf("issuers of Simples are not told where to go: %s", action)
	}
}
