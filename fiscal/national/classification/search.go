package classification

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// ServiceCode is a national tax code, with its name in the list of services.
type ServiceCode struct{ Code, Name string }

// SearchServiceCodes finds national tax codes by the beginning of the code, or by
// words that their names hold, at most limit of them.
func (t Tables) SearchServiceCodes(text string, limit int) (found []ServiceCode) {
	words := strings.Fields(plain(text))
	if len(words) == 0 {
		return nil
	}
	names := t.edition(TableServiceCode).names
	digits := strings.ReplaceAll(strings.TrimSpace(text), ".", "")
	byCode := strings.Trim(digits, "0123456789") == ""
	for _, code := range slices.Sorted(maps.Keys(names)) {
		name := plain(names[code])
		fits := byCode && strings.HasPrefix(code, digits) || !byCode && !slices.ContainsFunc(words,
			func(word string) bool { return !strings.Contains(name, word) })
		if fits {
			if found = append(found, ServiceCode{code, names[code]}); len(found) == limit {
				break
			}
		}
	}
	return found
}

// plain is a text in lower case without accents.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
}
