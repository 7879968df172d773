package catalogue

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Rule checks a text and returns it as it is stored. Its error reads after the
// name of the field: "must be ...".
type Rule func(string) (string, error)

// line checks a text of one line.
func line(s string, least, most int) (string, error) { return text(s, least, most, "") }

// lines checks a text that may have several lines.
func lines(s string, least, most int) (string, error) { return text(s, least, most, "\r\n\t") }

func text(s string, least, most int, allowedControls string) (string, error) {
	for _, r := range s {
		if unicode.IsControl(r) && !strings.ContainsRune(allowedControls, r) {
			return "", errors.New("must not hold control characters")
		}
	}
	if length := characters(s); length < least || length > most {
		return "", fmt.Errorf("must have %d to %d characters", least, most)
	}
	if strings.TrimSpace(s) == "" {
		return "", errors.New("must not be blank")
	}
	return s, nil
}

// name checks a text of one line by which people recognize something: it has a
// visible character.
func name(s string, least, most int) (string, error) {
	s, err := line(s, least, most)
	if err == nil && !strings.ContainsFunc(s, visible) {
		err = errors.New("must have a visible character")
	}
	return s, err
}

// visible reports whether a character shows by itself: a letter, number, mark of
// punctuation or symbol, except those that are drawn as nothing.
func visible(r rune) bool {
	const brailleBlank = '\u2800'
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && r != brailleBlank &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// misleading reports whether a character is invisible in a text, or looks like
// another: format characters, separators of lines and paragraphs, and every space
// but the ordinary one.
func misleading(r rune) bool {
	return r != ' ' && unicode.In(r, unicode.Cf, unicode.Z)
}

// characters counts them as people do: composed or not, an é is one.
func characters(s string) int { return utf8.RuneCountInString(norm.NFC.String(s)) }

// whole makes the expression match a whole text.
func whole(expression string) *regexp.Regexp { return regexp.MustCompile("^(?:" + expression + ")$") }

// pattern checks a text of one form, and keeps it without its separators, if any.
func pattern(s string, form *regexp.Regexp, separator, problem string) (string, error) {
	if !form.MatchString(s) {
		return "", errors.New(problem)
	}
	return strings.ReplaceAll(s, separator, ""), nil
}

// oneOf checks a text that is one of a few words.
func oneOf(s string, words ...string) (string, error) {
	if !slices.Contains(words, s) {
		return "", fmt.Errorf("must be one of: %s", strings.Join(words, ", "))
	}
	return s, nil
}
