package classification

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

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

// NBSCode is a code of Annex B, with its name in the words of the annex.
type NBSCode struct{ Code, Name string }

// FindNBS lists the NBS codes whose names share the most words with a text, the likest first, at most limit
// of them. Words of three letters or fewer count for nothing, nor do endings: "aulas" finds "aula".
func (t Tables) FindNBS(typed string, limit int) (found []NBSCode) {
	var stems []string
	for _, word := range strings.FieldsFunc(text.Folded(typed), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if runes := []rune(word); len(runes) > 3 && word != "servicos" && word != "servico" {
			stems = append(stems, string(runes[:min(len(runes)-1, 8)]))
		}
	}
	shared, names := map[string]int{}, t.edition(TableNBS).names
	for code, name := range names {
		name = " " + text.Folded(name)
		for _, stem := range stems {
			if strings.Contains(name, " "+stem) {
				shared[code]++
			}
		}
	}
	codes := slices.SortedFunc(maps.Keys(shared), func(a, b string) int {
		return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(len(names[a]), len(names[b])), cmp.Compare(a, b))
	})
	for _, code := range codes[:min(limit, len(codes))] {
		found = append(found, NBSCode{code, names[code]})
	}
	return found
}
