package fact

import (
	"encoding/json"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Both languages say the same: what is filled in into the one text is filled in into the
// other, and neither is in the other's words.
func TestTexts_BothLanguages(t *testing.T) {
	english := regexp.MustCompile(`(?i)\b(the|is|are|was|with|not|that|has|must|which|and)\b`)
	command := regexp.MustCompile("`[^`]*`")
	form := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	for code, text := range texts() {
		if !form.MatchString(string(code)) {
			t.Errorf("%s is no code", code)
		}
		if text.english == "" || text.portuguese == "" {
			t.Errorf("%s is not said in both languages", code)
		}
		if !slices.Equal(holes(text.english), holes(text.portuguese)) ||
			strings.Count(text.english, "|") != strings.Count(text.portuguese, "|") {
			t.Errorf("%s: %q and %q are not filled in alike", code, text.english, text.portuguese)
		}
		if english.MatchString(command.ReplaceAllString(hole.ReplaceAllString(text.portuguese, ""), "")) {
			t.Errorf("%s: %q is no Portuguese", code, text.portuguese)
		}
		if strings.HasSuffix(text.english, ".") != strings.HasSuffix(text.portuguese, ".") {
			t.Errorf("%s: %q and %q do not end alike", code, text.english, text.portuguese)
		}
		for _, match := range hole.FindAllStringSubmatch(text.english+text.portuguese, -1) {
			if _, known := words()[match[2]]; match[2] != "" && !known {
				t.Errorf("%s: there are no words of the kind %q", code, match[2])
			}
		}
	}
}

// A code for tests: its parts are a lead, a detail, a word of a kind, and facts.
const sample Code = "test_sample"

func init() {
	texts()[sample] = text{"chamada|: {operation:call} em {on}: {why}", "call|: {operation:call} of {on}: {why}"}
}

func TestFact_Said(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 30, 0, 0, time.FixedZone("", -3*3600))
	made := sample.With("operation", "find", "on", at, "why", []Fact{InWords("não <b>há"), Said.With("words", 7)})
	for _, c := range []struct{ found, want string }{
		{made.English(), "call: find of 2026-11-23T15:30:00Z: “não <b>há”; “7”"},
		{made.Portuguese(), "chamada: consulta em 2026-11-23T15:30:00Z: “não <b>há”; “7”"},
		{sample.With("on", "2026-11-01").Portuguese(), "chamada:  em 01/11/2026: "},
		{sample.With("on", "2026-11-01").English(), "call:  of 2026-11-01: "},
		{made.EnglishDetail(), ": find of 2026-11-23T15:30:00Z: “não <b>há”; “7”"},
		{InWords("x").PortugueseDetail(), ""},
		{Fact{}.English(), ""},
		{InWords("").English(), ""},
		{sample.With("operation", "strange", "why", errors.New("{on}")).English(), "call: strange of : {on}"},
		{Code("of_a_later_version").With("n", 1).Portuguese(), "of_a_later_version map[n:1]"},
		{Word("call", "issue", true), "emissão"},
		{Word("call", "issue", false), "issue"},
	} {
		if c.found != c.want {
			t.Errorf("%q, not %q", c.found, c.want)
		}
	}
}

func TestFact_StoredAndShown(t *testing.T) {
	made := sample.With("operation", "find", "on", int16(-7), "why", []Fact{InWords("“a\x7f\n")})
	value, err := made.Value()
	if err != nil {
		t.Fatal(err)
	}
	var read Fact
	if err := read.Scan([]byte(value.(string))); err != nil || !read.Equal(made) || read.English() != made.English() {
		t.Errorf("%s is read as %v, %v", value, read, err)
	}
	shown, err := json.Marshal(made)
	if err != nil || !strings.Contains(string(shown), `"text":"call: find of -7`) {
		t.Errorf("it is shown as %s, %v", shown, err)
	}
	var again Fact
	if err := json.Unmarshal(shown, &again); err != nil || !again.Equal(made) {
		t.Errorf("%s is read as %v, %v", shown, again, err)
	}
	if value, err := (Fact{}).Value(); value != nil || err != nil {
		t.Errorf("none is stored as %v, %v", value, err)
	}
	if err := again.Scan(nil); err != nil || !again.None() {
		t.Errorf("NULL is read as %v, %v", again, err)
	}
	if err := again.Scan(7); err == nil {
		t.Error("a number is read as a fact")
	}
	if group := made.LogValue(); group.Kind() != slog.KindGroup || group.Group()[0].Value.String() != "test_sample" {
		t.Errorf("it is logged as %v", group)
	}
}

func TestFact_Is(t *testing.T) {
	if made := InWords("x"); !made.Is(sample, Said) || made.Is(sample) || made.None() || made.Equal(InWords("y")) {
		t.Errorf("%v is taken for another fact", made)
	}
	if !Said.Fact().Equal(Said.With()) {
		t.Error("no arguments are not none")
	}
}
