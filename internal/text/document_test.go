package text_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal/national/nationaltest"
	"emissor/internal/text"
	"emissor/nfse"
)

func TestLine(t *testing.T) {
	for given, want := range map[string]string{
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
		if got := text.Line(given); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	for given, want := range map[string]string{
		"um\r\ndois\rtr\u00eas\nquatro":     "um\ndois\ntr\u00eas\nquatro",
		"\n\n a  b \n\n\tc\u2028d\u0085e\n": "a b\n\nc\nd\ne",
		"plain  ascii\n  indented":          "plain ascii\nindented",
		"\u2014 item\v\u2022 item":          "- item\n- item",
		"\u6f22\n\u5b57":                    "",
	} {
		if got := text.Lines(given); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}

func TestStreetLine(t *testing.T) {
	for want, address := range map[string]nfse.Address{
		"Avenida Paulista": {StreetType: new("Avenida"), Street: new("Paulista")},
		"Paulista":         {Street: new("  Paulista ")},
		"Rua ?":            {StreetType: new("Rua"), Street: new("\u6f22")},
		"":                 {Street: new("\u2603")},
	} {
		if got := text.StreetLine(address); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TSString without controls, and TSDesc2000; or nothing.
var (
	schemaString      = regexp.MustCompile(`^([!-~\x{a1}-\x{ff}]([ -~\x{a1}-\x{ff}]*[!-~\x{a1}-\x{ff}])?)?$`)
	schemaDescription = regexp.MustCompile(`^([!-~\x{a1}-\x{ff}]([ -~\x{a1}-\x{ff}\n]*[!-~\x{a1}-\x{ff}])?)?$`)
)

func TestLine_FitsTheSchema(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := rapid.OneOf(
			rapid.String(),
			rapid.Custom(func(t *rapid.T) string { return nationaltest.DrawText(t, "text", 2000, text.Lines) }),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(raw []byte) string { return string(raw) }),
		).Draw(t, "text")
		line, description := text.Line(given), text.Lines(given)
		switch {
		case !schemaString.MatchString(line) || strings.Contains(line, "  "):
			t.Fatalf("Line(%q) = %q", given, line)
		case !schemaDescription.MatchString(description):
			t.Fatalf("Lines(%q) = %q", given, description)
		case text.Line(line) != line || text.Lines(description) != description:
			t.Fatalf("%q changes when made safe twice", given)
		case (line == "") != (description == ""):
			t.Fatalf("%q is %q and %q", given, line, description)
		}
	})
}

// What a document can carry reaches it as it is.
func TestLine_KeepsWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[!-~\x{a1}-\x{ac}\x{ae}-\x{ff}]{1,12}`), 1, 8).Draw(t, "words")
		given := strings.Join(words, " ")
		if text.Line(given) != given || text.Lines(given) != given {
			t.Fatalf("%q becomes %q and %q", given, text.Line(given), text.Lines(given))
		}
	})
}

func TestCut(t *testing.T) {
	for given, want := range map[string]string{
		"": "", "abcde": "abcde", "abcdef": "abcde", "\u00e9\u00e9\u00e9\u00e9\u00e9": "\u00e9\u00e9\u00e9\u00e9\u00e9",
		"\u00e9bcdef": "\u00e9bcde", "abcd ef": "abcd",
	} {
		if got := text.Cut(given, 5); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}
