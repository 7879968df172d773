package words

import (
	"fmt"
	"regexp"
	"strings"
)

// What happens to a note is recorded in English, as commands and logs show it: its
// steps, what it waits for, why a delivery failed. The texts that are ours are known
// here by how they are written, and a test looks for those that are not. Of what is
// not ours, such as the words of a city or of a receiver, nothing is changed.

// recorded is a text as it is written, and in Portuguese. What is filled in is a number
// where %d stands, one word where %w does, and any text where %s does, which may be a
// known text again; %n is a name, which stays as it is, and %q are words that may be
// somebody else's, which are quoted. In Portuguese it is %s always.
type recorded struct{ written, portuguese string }

// pattern is a recorded text that is ready to be compared with.
type pattern struct {
	begins     string // before the first thing that is filled in
	form       *regexp.Regexp
	portuguese string
}

// recordedTables are looked through in this order.
var recordedTables = [][]recorded{
	waits, calls, deliveries, outside, refusals, citySteps, cityChecks, mailing, connections,
}

var patterns = func() (all []pattern) {
	for _, table := range recordedTables {
		for _, text := range table {
			all = append(all, text.patterns()...)
		}
	}
	return all
}()

var filledIn = strings.NewReplacer("%s", "(.+?)", "%w", `(\S+?)`, "%n", `(?P<name>\S+?)`, "%d", "(-?[0-9]+)",
	"%q", `(?P<others>.+?)`)

// patterns are the text's, and that of its part after |, where it has one.
func (r recorded) patterns() []pattern {
	lead, rest, parted := strings.Cut(r.written, "|")
	inLead, inRest, _ := strings.Cut(r.portuguese, "|")
	whole := newPattern(lead+rest, inLead+inRest)
	if !parted {
		return []pattern{whole}
	}
	return []pattern{whole, newPattern(rest, inRest)}
}

func newPattern(written, portuguese string) pattern {
	begins, _, _ := strings.Cut(written, "%")
	return pattern{begins, regexp.MustCompile(`(?s)^` + filledIn.Replace(regexp.QuoteMeta(written)) + `$`), portuguese}
}

// Recorded says a recorded text in the reader's language. What is unknown stays as it
// is.
func (l Language) Recorded(text string) string {
	if l == English {
		return text
	}
	if said, known := inPortuguese(text); known {
		return said
	}
	return text
}

// Told is Recorded for what may also be somebody else's words, such as a receiver's or
// those that an operator typed: then they are quoted, whatever their language.
func (l Language) Told(text string) string {
	said, known := inPortuguese(text)
	switch {
	case !known:
		return "“" + text + "”"
	case l == English:
		return text
	}
	return said
}

// inPortuguese translates a text that is known, or several that are joined by "; ".
func inPortuguese(text string) (said string, known bool) {
	for _, one := range patterns {
		if !strings.HasPrefix(text, one.begins) {
			continue
		}
		if found := one.form.FindStringSubmatch(text); found != nil {
			filled := make([]any, len(found)-1)
			for i, part := range found[1:] {
				switch one.form.SubexpNames()[i+1] {
				case "name":
					filled[i] = part
				case "others":
					filled[i] = Portuguese.Told(part)
				default:
					filled[i] = Portuguese.Recorded(part)
				}
			}
			return fmt.Sprintf(one.portuguese, filled...), true
		}
	}
	parts := strings.Split(text, "; ")
	if len(parts) == 1 {
		return text, false
	}
	for i, part := range parts {
		translated, one := inPortuguese(part)
		parts[i], known = translated, known || one
	}
	return strings.Join(parts, "; "), known
}
