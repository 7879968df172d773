package generate

import (
	"math/rand/v2"
	"strings"
	"unicode"
)

// Generator makes texts and requests from a seed. It is for one goroutine.
type Generator struct {
	*rand.Rand

	references map[string]bool // that were given
}

// New returns a Generator: the same for the same seed.
func New(seed uint64) *Generator {
	g := &Generator{Rand: rand.New(rand.NewPCG(seed, 0x656d6973736f72)), references: map[string]bool{}}
	for _, reference := range poison {
		g.references[reference] = true // a caller may use them too
	}
	return g
}

// Chance is true so often, of 1.
func (g *Generator) Chance(of float64) bool { return g.Float64() < of }

// Pick is one of a list.
func Pick[T any](g *Generator, from []T) T { return from[g.IntN(len(from))] }

// Text is a text of one line, of any kind.
func (g *Generator) Text(least, most int) string { return g.textOf(ofOneLine, least, most) }

// Lines is a text that may have several lines.
func (g *Generator) Lines(least, most int) string { return g.textOf(kinds, least, most) }

// textOf is a text of one of some kinds, or of a mixture of them.
func (g *Generator) textOf(among []kind, least, most int) string {
	mixed, chosen := g.Chance(0.15), Pick(g, among)
	var text strings.Builder
	for left := g.length(least, most); left > 0; {
		if mixed {
			chosen = Pick(g, among)
		}
		piece := Pick(g, chosen.pieces)
		length := chosen.characters(piece)
		if length > left {
			piece, length = beginning(piece, left), left
		}
		text.WriteString(piece)
		if left -= length; left > 1 && g.Chance(0.25) {
			text.WriteByte(' ')
			left--
		}
	}
	return text.String()
}

// beginning is so many characters of a piece, of which the last is no space.
func beginning(piece string, characters int) string {
	runes := []rune(piece)[:characters]
	if unicode.IsSpace(runes[characters-1]) {
		runes[characters-1] = 'x'
	}
	return string(runes)
}

// length is how long a text is to be: the shortest, the longest, or as people write.
func (g *Generator) length(least, most int) int {
	const usual = 40
	switch g.IntN(8) {
	case 0:
		return least
	case 1:
		return most
	case 2:
		return least + g.IntN(most-least+1)
	}
	return least + g.IntN(min(most-least, usual)+1)
}

// padded is a text with spaces around it, now and then, where there is room.
func (g *Generator) padded(text string, least int) string {
	if least == 1 && g.Chance(0.05) && len(text) < 20 {
		return Pick(g, []string{" ", "  "}) + text + Pick(g, []string{"", " "})
	}
	return text
}
