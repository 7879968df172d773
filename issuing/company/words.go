package company

import (
	"errors"

	"emissor/nfse"
)

// The words for the options of Simples Nacional, in forms and commands.
var simplesWords = map[nfse.SimplesOption]string{
	nfse.SimplesNone: "none", nfse.SimplesMEI: "mei", nfse.SimplesME: "me",
}

// SimplesWord is the word for an option of Simples Nacional; empty where there is none.
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
