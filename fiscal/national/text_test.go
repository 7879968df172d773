package national

import (
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"emissor/nfse"
)

func TestSafeText(t *testing.T) {
	for text, want := range map[string]string{
		"Jos\u00e9 da Silva":                            "Jos\u00e9 da Silva",
		"Jose\u0301":                                    "Jos\u00e9",                   // composed
		"  a \t b\r\nc\u00a0d\u2003e\u2028f ":           "a b c d e f",                 // one space each
		"\u201cAspas\u201d \u2018e\u2019 \u00abe\u00bb": "\"Aspas\" 'e' \u00abe\u00bb", // guillemets are Latin-1
		"2020\u20132026 \u2014 fim\u2026":               "2020-2026 - fim...",
		"\u0141\u00f3d\u017a, \u0151, \u1ebf":           "L\u00f3dz, o, e",
		"\uff21\uff22\uff23 \ufb01m \u2122":             "ABC fim TM",
		"q\u0303 x\u0301\u0302":                         "q x",
		"\u20ac 10":                                     "EUR 10",
		"Ol\u00e1 \U0001F600":                           "Ol\u00e1 ?",
		"\u6f22a":                                       "?a",
		"a\u200bb\u00adc\ufeff\u202ed":                  "abcd",
		"a\x00b\x1fc\x7fd\u009fe":                       "a b c d e",
		"a\xffb":                                        "a?b",
		"<a & 'b' \"c\">":                               "<a & 'b' \"c\">",
		"??":                                            "??",
		"":                                              "",
		" \u00a0\n":                                     "",
		"\U0001F600\U0001F600":                          "", // says nothing
		"\u0301\u200d":                                  "",
	} {
		if got := safeText(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestSafeDescription(t *testing.T) {
	for text, want := range map[string]string{
		"um\r\ndois\rtr\u00eas\nquatro":     "um\ndois\ntr\u00eas\nquatro",
		"\n\n a  b \n\n\tc\u2028d\u0085e\n": "a b\n\nc\nd\ne",
		"plain  ascii\n  indented":          "plain ascii\nindented",
		"\u2014 item\v\u2022 item":          "- item\n- item",
		"\u6f22\n\u5b57":                    "",
	} {
		if got := safeDescription(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestStreetLine(t *testing.T) {
	for want, address := range map[string]nfse.Address{
		"Avenida Paulista": {StreetType: pointer("Avenida"), Street: pointer("Paulista")},
		"Paulista":         {Street: pointer("  Paulista ")},
		"Rua ?":            {StreetType: pointer("Rua"), Street: pointer("\u6f22")},
		"":                 {Street: pointer("\u2603")},
	} {
		if got := streetLine(address); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

var (
	schemaString      = regexp.MustCompile(`^([!-~\x{a1}-\x{ff}]([ -~\x{a1}-\x{ff}]*[!-~\x{a1}-\x{ff}])?)?$`) // TSString without controls, or nothing
	schemaDescription = regexp.MustCompile(`^([!-~\x{a1}-\x{ff}]([ -~\x{a1}-\x{ff}\n]*[!-~\x{a1}-\x{ff}])?)?$`)
)

func TestSafeTextsFitTheSchema(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.String(), rapid.Custom(func(t *rapid.T) string { return drawText(t, "text", 2000, safeDescription) }),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(raw []byte) string { return string(raw) }),
		).Draw(t, "text")
		line, description := safeText(text), safeDescription(text)
		switch {
		case !schemaString.MatchString(line) || strings.Contains(line, "  "):
			t.Fatalf("safeText(%q) = %q", text, line)
		case !schemaDescription.MatchString(description):
			t.Fatalf("safeDescription(%q) = %q", text, description)
		case safeText(line) != line || safeDescription(description) != description:
			t.Fatalf("%q changes when made safe twice", text)
		case (line == "") != (description == ""):
			t.Fatalf("%q is %q and %q", text, line, description)
		}
	})
}

// TestSafeTextKeepsWhatFits: what a document can carry reaches it as it is.
func TestSafeTextKeepsWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[!-~\x{a1}-\x{ac}\x{ae}-\x{ff}]{1,12}`), 1, 8).Draw(t, "words")
		if text := strings.Join(words, " "); safeText(text) != text || safeDescription(text) != text {
			t.Fatalf("%q becomes %q and %q", text, safeText(text), safeDescription(text))
		}
	})
}

func TestWriterEscapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([ -~\x{a0}-\x{ff}]|[&<>"'\r\n\]])*`).Draw(t, "text")
		var w writer
		w.element("x", text)
		var read string
		if err := xml.Unmarshal(w.text, &read); err != nil || read != text || !utf8.Valid(w.text) {
			t.Fatalf("%q is written %s and read %q, %v", text, w.text, read, err)
		}
	})
	var w writer
	w.identified("a", "I1", func() { w.group("b", func() {}); w.element("c", `<&>"'`) })
	if want := `<a Id="I1"><b></b><c>&lt;&amp;&gt;"'</c></a>`; string(w.text) != want {
		t.Errorf("%s, want %s", w.text, want)
	}
}
