package municipality

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Municipality is a municipality of Brazil.
type Municipality struct {
	Code  string // IBGE code, seven digits
	Name  string // as IBGE writes it
	State string // two letters, such as "SP"
}

// String returns the name and the state, such as "São Paulo/SP".
func (m Municipality) String() string {
	return m.Name + "/" + m.State
}

// Exists reports whether a municipality has the IBGE code.
func Exists(code string) bool {
	_, found := Find(code)
	return found
}

// Find returns the municipality with the IBGE code.
func Find(code string) (Municipality, bool) {
	m, found := byCode()[code]
	return m, found
}

// findByName returns the municipality of a state ("SP") by its name, however the
// name is accented, capitalized or punctuated.
func findByName(state, name string) (Municipality, bool) {
	code, found := names().byName[state+" "+fold(name)]
	if !found {
		return Municipality{}, false
	}
	return Find(code)
}

//go:embed data/municipalities.txt
var municipalities string

// byCode are all of them, by their codes.
var byCode = sync.OnceValue(func() map[string]Municipality {
	found := make(map[string]Municipality, strings.Count(municipalities, "\n"))
	state := ""
	for line := range strings.Lines(municipalities) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		code, name, hasName := strings.Cut(line, " ")
		if !hasName {
			state = line
			continue
		}
		found[code] = Municipality{Code: code, Name: name, State: state}
	}
	return found
})

// foldedName is a municipality by its name as fold leaves it, such as "saopaulo" and
// "saopaulosp".
type foldedName struct{ code, name, full string }

type nameIndex struct {
	byName map[string]string // "SP saopaulo" -> code; no state has two names alike
	folded []foldedName      // the largest first (zipCodes), then in the order of their codes
}

// names is apart from byCode, as every command asks for codes and few for names.
var names = sync.OnceValue(func() nameIndex {
	found := nameIndex{byName: make(map[string]string, len(byCode()))}
	for code, one := range byCode() {
		folded := foldedName{code, fold(one.Name), fold(one.String())}
		found.byName[one.State+" "+folded.name] = code
		found.folded = append(found.folded, folded)
	}
	sizes := zipCodes()
	slices.SortFunc(found.folded, func(a, b foldedName) int {
		return cmp.Or(cmp.Compare(sizes[b.code], sizes[a.code]), strings.Compare(a.code, b.code))
	})
	return found
})

// fold reduces a text to its letters, without accents and in lower case, so that
// "Santa Bárbara d'Oeste" and "SANTA BARBARA D OESTE" are the same.
func fold(text string) string {
	var letters strings.Builder
	for _, r := range norm.NFD.String(text) {
		if unicode.IsLetter(r) {
			letters.WriteRune(unicode.ToLower(r))
		}
	}
	return letters.String()
}

// Search returns the municipalities whose names, as "São Paulo/SP", hold the text, however it is written, or the
// one whose code it is: at most limit. Those whose whole name it is come first, then those whose names begin with it,
// and of these the largest.
func Search(text string, limit int) []Municipality {
	if one, known := Find(strings.TrimSpace(text)); known {
		return []Municipality{one}
	}
	wanted := fold(text)
	if wanted == "" {
		return nil
	}
	var whole, begun, others []Municipality
	for _, one := range names().folded {
		switch {
		case one.name == wanted || one.full == wanted:
			whole = append(whole, byCode()[one.code])
		case strings.HasPrefix(one.full, wanted):
			begun = append(begun, byCode()[one.code])
		case strings.Contains(one.full, wanted):
			others = append(others, byCode()[one.code])
		}
	}
	found := slices.Concat(whole, begun, others)
	return found[:min(len(found), limit)]
}
