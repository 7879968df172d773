package fact

import (
	"maps"
	"slices"
)

// text is a template in each language: {name} is replaced by an argument, {name:kind} by the
// word for it in words. What follows | is the detail, which pages show below the name of a
// step.
type text struct{ english, portuguese string }

// texts holds the texts of every code.
var texts = map[Code]text{}

// define gives a code its texts.
func define(code Code, english, portuguese string) Code {
	if _, twice := texts[code]; twice || code == "" {
		panic("fact: the code " + string(code) + " is there twice, or empty")
	}
	texts[code] = text{english, portuguese}
	return code
}

// Codes returns all codes that are defined, in order.
func Codes() []Code { return slices.Sorted(maps.Keys(texts)) }

// Names returns the names of the arguments in a code's texts, in order; nil for a code that is
// not defined.
func (c Code) Names() []string { return holes(texts[c].english) }
