package classification

import (
	"maps"
	"slices"
	"strings"

	"emissor/internal/text"
)

// ServiceCode is a national tax code, with its name in the list of services.
type ServiceCode struct{ Code, Name string }

// SearchServiceCodes finds national tax codes by the beginning of the code, or by
// words that their names hold, at most limit of them.
func (t Tables) SearchServiceCodes(typed string, limit int) (found []ServiceCode) {
	words := strings.Fields(text.Folded(typed))
	if len(words) == 0 {
		return nil
	}
	names := t.edition(TableServiceCode).names
	digits := strings.ReplaceAll(strings.TrimSpace(typed), ".", "")
	byCode := strings.Trim(digits, "0123456789") == ""
	for _, code := range slices.Sorted(maps.Keys(names)) {
		name := text.Folded(names[code])
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
