package rulecatalogue_test

import (
	"slices"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse/fact"
)

// source is a small catalogue: a rule of a rate, an alert of the same code, and the words
// for codes that are not there.
func source() rulecatalogue.Source {
	return rulecatalogue.Source{
		Name: "town",
		Rules: "code\tfield\thandling\tcoverage\texplanation\taction\nrate\n# of ours\n" +
			"E1\tservice.iss_rate\ttry_later\t{h}\tIt is long.\t{shorten}\n" +
			"E2\t\t\tchecked: Looked at.\tIt is odd.\t{correct_classification}\n" +
			"alert\nE1\t\t\tleft: Theirs.\tIt was long.\tx\nE3\t\t\tleft: Theirs.\tIt is new.\tx\n" +
			"unknown\nissue\t\t\t\tNo such code.\tAsk.\ncancel\t\t\t\tNo such code here.\tIt stays.\n",
		Phrases: "name\tphrase\nagain\tIssue again.\nshorten\tShorten it. {again}\n" +
			"correct_classification\tClassify it.\nh\timpossible: Never sent. [never a/b; only a/c = 1; always a]\n",
		Portuguese: "code\texplanation\taction\nrate\nE1\tÉ longo.\tEncurte. {de_novo}\nE2\tÉ estranho.\ty\n" +
			"alert\nE1\tEra longo.\ty\nE3\tÉ novo.\ty\nunknown\nissue\tNão há.\tPergunte.\n" +
			"cancel\tNão há aqui.\tContinua.\n",
		PortuguesePhrases: "name\tphrase\nde_novo\tEmita de novo.\n",
		Fields:            []string{"service.iss_rate"},
		ActsIn:            func(kind fiscal.Kind, _ rulecatalogue.Rule) bool { return kind == fiscal.Issue },
	}
}

func parsed(t *testing.T) *rulecatalogue.Catalogue {
	t.Helper()
	read, err := rulecatalogue.Parse(source())
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestParse(t *testing.T) {
	t.Parallel()
	read := parsed(t)
	rule, known := read.Rule("E1")
	proofs := []rulecatalogue.Proof{{Path: "a/b"}, {Path: "a/c", Only: "1"}, {Path: "a", Always: true}}
	if !known || rule.About != "rate" || rule.Handling != fiscal.TryLater || rule.Field != "service.iss_rate" ||
		rule.Action != "Shorten it. Issue again." || rule.Portuguese.Action != "Encurte. Emita de novo." ||
		rule.Coverage.Kind != rulecatalogue.Impossible || rule.Coverage.Why != "Never sent." ||
		!slices.Equal(rule.Coverage.Proofs, proofs) || rule.Classifies {
		t.Errorf("%+v, %t", rule, known)
	}
	if alert, known := read.Rule("E3"); !known || alert.About != rulecatalogue.AboutAlert ||
		alert.Handling != fiscal.Final || alert.Coverage.Kind != rulecatalogue.Left {
		t.Errorf("%+v, %t", alert, known)
	}
	if all := read.All(); len(all) != 4 || read.General(fiscal.Cancel).Portuguese.Action != "Continua." {
		t.Errorf("%d rules", len(all))
	}
	for code, want := range map[string]fiscal.Handling{
		"E1": fiscal.TryLater, "E2": fiscal.Final, "E9": fiscal.Uncatalogued, "": fiscal.Uncatalogued,
	} {
		if got := read.Handling(code); got != want {
			t.Errorf("%s is %s, want %s", code, got, want)
		}
	}
	if !read.CorrectedByClassifying("E2") || read.CorrectedByClassifying("E1") || read.CorrectedByClassifying("E9") {
		t.Error("not E2 alone is corrected by classifying")
	}
}

func TestParse_Refuses(t *testing.T) {
	t.Parallel()
	replaced := func(text *string, old, by string) { *text = strings.Replace(*text, old, by, 1) }
	inRules := func(old, by string) func(*rulecatalogue.Source) {
		return func(s *rulecatalogue.Source) { replaced(&s.Rules, old, by) }
	}
	inPhrases := func(old, by string) func(*rulecatalogue.Source) {
		return func(s *rulecatalogue.Source) { replaced(&s.Phrases, old, by) }
	}
	inPortuguese := func(old, by string) func(*rulecatalogue.Source) {
		return func(s *rulecatalogue.Source) { replaced(&s.Portuguese, old, by) }
	}
	for name, c := range map[string]struct {
		change  func(*rulecatalogue.Source)
		problem string
	}{
		"a code twice": {func(s *rulecatalogue.Source) {
			replaced(&s.Rules, "E2\t", "E1\t")
			replaced(&s.Portuguese, "E2\t", "E1\t")
		}, "is there twice"},
		"an alert twice": {func(s *rulecatalogue.Source) {
			replaced(&s.Rules, "E3\t", "E1\t")
			replaced(&s.Portuguese, "E3\t", "E1\t")
		}, "is there twice"},
		"an unknown phrase": {inRules("shorten", "lengthen"),
			`no phrase "lengthen"`},
		"an unknown phrase in Portuguese": {inPortuguese("de_novo", "nunca"),
			`no phrase "nunca"`},
		"a phrase used before it is there": {func(s *rulecatalogue.Source) {
			s.Phrases = "name\tphrase\nshorten\t{again}\nagain\tx\n"
		}, `no phrase "again"`},
		"a phrase that is idle": {func(s *rulecatalogue.Source) { s.Phrases += "idle\tx\n" },
			"phrase idle: is used nowhere"},
		"a phrase that is idle in Portuguese": {func(s *rulecatalogue.Source) { s.PortuguesePhrases += "idle\tx\n" },
			"phrase idle: is used nowhere"},
		"a phrase twice": {func(s *rulecatalogue.Source) { s.Phrases += "h\tx\n" }, "phrase h: is there twice"},
		"an unknown field": {func(s *rulecatalogue.Source) { s.Fields = nil },
			`no field "service.iss_rate"`},
		"an unknown handling": {inRules("try_later", "later"),
			`no handling "later"`},
		"an unknown coverage":    {inPhrases("impossible", "odd"), "no coverage"},
		"an unknown proof":       {inPhrases("never a", "seldom a"), "no proof"},
		"a proof without value":  {inPhrases(" = 1", ""), "no proof"},
		"a column too few":       {inRules("\t{shorten}", ""), "has 5 columns"},
		"no explanation":         {inRules("It is long.", ""), "lacks"},
		"no words in Portuguese": {inPortuguese("É longo.", ""), "lacks"},
		"a column too few in Portuguese": {inPortuguese("\tPergunte.", ""),
			"has 2 columns"},
		"nothing it is about": {func(s *rulecatalogue.Source) {
			replaced(&s.Rules, "rate\n", "")
			replaced(&s.Portuguese, "rate\n", "")
		}, "lacks"},
		"a code that is not there in Portuguese": {inPortuguese("E3\tÉ novo.\ty\n", ""),
			"is not at its place in Portuguese"},
		"an end that is not there in Portuguese": {inPortuguese("cancel\tNão há aqui.\tContinua.\n", ""),
			"is not at its place in Portuguese"},
		"a code in Portuguese alone": {func(s *rulecatalogue.Source) { s.Portuguese += "E4\tx\ty\n" },
			"is there in Portuguese alone"},
	} {
		changed := source()
		c.change(&changed)
		if _, err := rulecatalogue.Parse(changed); err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a person does depends on the kind of exchange that was refused.
func TestExplain(t *testing.T) {
	t.Parallel()
	read := parsed(t)
	for _, c := range []struct {
		kind                  fiscal.Kind
		code, means, does     string
		meansThere, doesThere string
		hasField, isUnknown   bool
	}{
		{fiscal.Issue, "E1", "It is long.", "Shorten it. Issue again.", "É longo.", "Encurte. Emita de novo.", true,
			false},
		{fiscal.Cancel, "E1", "It is long.", "It stays.", "É longo.", "Continua.", false, false},
		{fiscal.Issue, "E9", "No such code.", "Ask.", "Não há.", "Pergunte.", false, true},
		{fiscal.Cancel, "E9", "No such code here.", "It stays.", "Não há aqui.", "Continua.", false, true},
	} {
		means, does, field := read.Explain(c.kind, c.code)
		if means != c.means || does != c.does || (field != nil) != c.hasField {
			t.Errorf("%s (%s): %q, %q, %v", c.code, c.kind, means, does, field)
		}
		means, does, known := read.ExplainInPortuguese(c.kind, c.code)
		if means != c.meansThere || does != c.doesThere || known == c.isUnknown {
			t.Errorf("%s (%s) in Portuguese: %q, %q, %t", c.code, c.kind, means, does, known)
		}
	}
}

func TestRejections(t *testing.T) {
	t.Parallel()
	read := parsed(t)
	said := read.Rejection(fiscal.Issue, "E1", "Longo.")
	if said.Source != "authority" || said.Message != "Longo." || *said.Field != "service.iss_rate" ||
		said.Explanation != "It is long." || said.Catalogue != "town" {
		t.Errorf("%+v", said)
	}
	reason := fact.RateMissing.Fact()
	for _, c := range []struct {
		violation *rulecatalogue.Violation
		field     string
	}{
		{rulecatalogue.Breaks("E1", reason), "service.iss_rate"},
		{rulecatalogue.BreaksBy("E1", "amount", reason), "amount"},
	} {
		refused := read.Refuse(c.violation)
		if refused.Source != "service" || refused.Message != reason.English() || *refused.Field != c.field ||
			refused.Explanation != "It is long. "+fact.CheckedHere.Fact().English() || refused.Catalogue != "town" ||
			!refused.Remark.Is(fact.CheckedHere) {
			t.Errorf("%+v", refused)
		}
	}
}
