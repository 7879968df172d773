package fact

import (
	"maps"
	"slices"
)

// text is a template in each language: {name} is filled in with an argument, {name:kind}
// with the word for it among words. What follows | is the detail, which pages show below
// the name of a step.
type text struct{ english, portuguese string }

// texts are those of every code.
var texts = map[Code]text{}

// define gives a code its texts.
func define(code Code, english, portuguese string) Code {
	if _, twice := texts[code]; twice || code == "" {
		panic("fact: the code " + string(code) + " is there twice, or empty")
	}
	texts[code] = text{english, portuguese}
	return code
}

// Codes are all that are defined, in order.
func Codes() []Code { return slices.Sorted(maps.Keys(texts)) }

// Names returns the arguments that the texts of a code are filled in with, in order; nil of
// a code that is not defined.
func (c Code) Names() []string { return holes(texts[c].english) }
