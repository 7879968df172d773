package municipality

import (
	_ "embed"
	"maps"
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
	m, found := directory().byCode[code]
	return m, found
}

// findByName returns the municipality of a state ("SP") by its name, however the
// name is accented, capitalized or punctuated.
func findByName(state, name string) (Municipality, bool) {
	code, found := directory().byName[state+" "+fold(name)]
	if !found {
		return Municipality{}, false
	}
	return Find(code)
}

//go:embed data/municipalities.txt
var municipalities string

type index struct {
	byCode map[string]Municipality
	byName map[string]string // "SP saopaulo" -> code; no state has two names alike
}

var directory = sync.OnceValue(func() index {
	found := index{byCode: map[string]Municipality{}, byName: map[string]string{}}
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
		found.byCode[code] = Municipality{Code: code, Name: name, State: state}
		found.byName[state+" "+fold(name)] = code
	}
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

// Search returns the municipalities whose names, as "São Paulo/SP", hold the text,
// however it is written; those whose whole name it is come first, at most limit.
func Search(text string, limit int) (found []Municipality) {
	wanted := fold(text)
	if wanted == "" {
		return nil
	}
	var others []Municipality
	all := directory().byCode
	for _, code := range slices.Sorted(maps.Keys(all)) {
		switch one := all[code]; {
		case fold(one.Name) == wanted || fold(one.String()) == wanted:
			found = append(found, one)
		case strings.Contains(fold(one.String()), wanted):
			others = append(others, one)
		}
	}
	found = append(found, others...)
	return found[:min(len(found), limit)]
}
