package drift

import (
	"bytes"
	"strings"
)

const (
	minWord   = 3  // letters of a word that is known: shorter ones may spell anything
	maxDigits = 2  // of a name that is shown: more may be a number of somebody
	maxName   = 80 // bytes of a name in a path
)

// appendName appends a name as it is shown: whole where it is known, otherwise by its words, of which those that no
// known name has are written in as many x. The other side writes names, too, and may write data into them.
func (k *Known) appendName(to, called []byte) []byte {
	if k.names[string(called)] {
		return append(to, called...)
	}
	digits, letters := 0, 0
	for _, c := range called {
		switch {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		}
	}
	for _, word := range wordsOf(called) {
		switch {
		case isDigit(word[0]) && digits <= maxDigits && letters > 0,
			len(word) >= minWord && k.words[strings.ToLower(string(word))],
			len(word) == 1 && bytes.ContainsAny(word, "_-:"):
			to = append(to, word...)
		default:
			for _, c := range word {
				to = append(to, maskedInName(c))
			}
		}
	}
	return to
}

func maskedInName(c byte) byte {
	if c = masked(c); !isLetter(c) && !isDigit(c) {
		return 'x'
	}
	return c
}

// wordsOf divides a name into runs of letters, at capitals too, runs of digits, and others each alone.
func wordsOf(called []byte) (words [][]byte) {
	from := 0
	for i := 1; i <= len(called); i++ {
		if i == len(called) || divides(called[i-1], called[i]) {
			words, from = append(words, called[from:i]), i
		}
	}
	return words
}

func divides(before, next byte) bool {
	if isDigit(before) && isDigit(next) {
		return false
	}
	return !isLetter(before) || !isLetter(next) || !isCapital(before) && isCapital(next)
}

func isLetter(c byte) bool  { return c >= 'a' && c <= 'z' || isCapital(c) }
func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// masked is what stands in a copy in the place of a byte.
func masked(c byte) byte {
	switch {
	case isDigit(c):
		return '1'
	case isCapital(c):
		return 'X'
	case isLetter(c), c >= 0x7f, c < ' ' && !isSpace(c):
		return 'x'
	}
	return c
}
