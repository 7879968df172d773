package company

import (
	"errors"

	"emissor/nfse"
)

// The words by which forms and commands say the options of Simples Nacional.
var simplesWords = map[nfse.SimplesOption]string{
	nfse.SimplesNone: "none", nfse.SimplesMEI: "mei", nfse.SimplesME: "me",
}

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
