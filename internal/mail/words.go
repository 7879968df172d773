package mail

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words are a company's own words in the e-mails to its customers, in both languages that they are
// written in. They stand in place of the greeting and the first sentence; what the note's state makes
// necessary is said after them all the same. An empty one is ours.
type Words struct{ Portuguese, English string }

// LongestWords is how many characters of a language's words there may be.
const LongestWords = 4000

// Placeholders are what words may name of a note, in braces.
var Placeholders = []string{"number", "company", "customer", "amount", "to_pay", "competence", "access_key", "link"}

// placeholder matches anything in braces on one line.
var placeholder = regexp.MustCompile(`\{([^{}\n]*)\}`)

// UnknownPlaceholders are the names in braces that nothing of a note has, each once.
func UnknownPlaceholders(words string) (unknown []string) {
	for _, match := range placeholder.FindAllStringSubmatch(words, -1) {
		if !slices.Contains(Placeholders, match[1]) && !slices.Contains(unknown, match[1]) {
			unknown = append(unknown, match[1])
		}
	}
	return unknown
}

// TidyWords are words as they are kept: with the lines of Unix, and without white space around them.
// They are not good where they are too long, or have what is no text.
func TidyWords(typed string) (words string, good bool) {
	words = strings.TrimSpace(strings.ReplaceAll(typed, "\r\n", "\n"))
	good = utf8.ValidString(words) && utf8.RuneCountInString(words) <= LongestWords &&
		!strings.ContainsFunc(words, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r)
		})
	return words, good
}

// filled are words with what they name. What is filled in is not looked through for names.
func (m Message) filled(words string, amount, toPay, competence string) string {
	values := map[string]string{
		"number": m.Number, "company": m.Issuer, "customer": m.Name, "amount": amount, "to_pay": cmp.Or(toPay, amount),
		"competence": competence, "access_key": m.AccessKey, "link": cmp.Or(m.PublicURL, m.CityURL),
	}
	return placeholder.ReplaceAllStringFunc(words, func(name string) string {
		return values[strings.Trim(name, "{}")]
	})
}

// Preview is what an e-mail says, as a person sees it before any is sent.
func (m Message) Preview() (subject, text string, err error) {
	m.Name, m.Issuer = oneLine(m.Name), oneLine(m.Issuer)
	text, err = m.text()
	return m.subject(), text, err
}
