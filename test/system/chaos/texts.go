package main

import (
	"fmt"

	"emissor/test/generate"
)

// texts are what notes and their customers are called.
type texts struct {
	*generate.Generator
	references []string       // in the order in which every catalogue uses them
	used       map[string]int // how many of them, by catalogue
}

// newTexts makes them from the seed. The first references are those that once stopped
// a note.
func newTexts(seed uint64) *texts {
	return &texts{Generator: generate.New(seed), references: generate.Poison(), used: map[string]int{}}
}

// reference gives equal references to different organizations and environments: they
// have nothing to do with each other.
func (t *texts) reference(n plannedNote) string {
	catalogue := fmt.Sprint(n.organization, n.live)
	next := t.used[catalogue]
	t.used[catalogue]++
	if next == len(t.references) {
		t.references = append(t.references, t.Reference())
	}
	return t.references[next]
}

// name is one in any characters. A live one is in those that documents carry, so that
// the note gets to the authority.
func (t *texts) name(n plannedNote) string {
	if n.live {
		return generate.UsualName(t.IntN(1000))
	}
	return t.Name()
}
