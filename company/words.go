package company

import (
	"errors"

	"emissor/nfse"
)

// The words by which forms and commands say parts of a profile.
var (
	simplesWords = map[nfse.SimplesOption]string{
		nfse.SimplesNone: "none", nfse.SimplesMEI: "mei", nfse.SimplesME: "me",
	}
	environmentWords = map[bool]string{true: "production", false: "restricted"}
)

// SimplesWord is the word of an option of Simples Nacional; empty where there is none.
func SimplesWord(option nfse.SimplesOption) string { return simplesWords[option] }

// ParseSimples reads the word of an option of Simples Nacional.
func ParseSimples(word string) (nfse.SimplesOption, error) {
	for option, name := range simplesWords {
		if name == word {
			return option, nil
		}
	}
	return 0, errors.New("must be none, mei or me")
}

// Environment is the word of an authority's environment: of production, or of the restricted one,
// whose notes have no fiscal value.
func Environment(production bool) string { return environmentWords[production] }

// ParseEnvironment reads that word.
func ParseEnvironment(word string) (production bool, err error) {
	for production, name := range environmentWords {
		if name == word {
			return production, nil
		}
	}
	return false, errors.New("must be production or restricted")
}
