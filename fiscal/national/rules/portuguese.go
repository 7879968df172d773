package rules

import (
	_ "embed"
	"errors"
	"fmt"
)

// catalogue.pt.tsv says of every rule, in Portuguese, what it means and what a person
// does about it. Its columns are code, explanation and action; lines and phrases are
// as in catalogue.tsv. Where the English words name a command, these name the place
// of the dashboard, which is whom they are written for.
//
//go:embed catalogue.pt.tsv
var portugueseTSV string

//go:embed phrases.pt.tsv
var portuguesePhrasesTSV string

// portuguese are the words of the whole catalogue, those for unknown codes too.
var portuguese = func() map[string]words {
	read, err := parseWords(portugueseTSV, portuguesePhrasesTSV)
	if err != nil {
		panic("fiscal/national/rules: in Portuguese: " + err.Error())
	}
	return read
}()

// words are what is said of one rule.
type words struct{ explanation, action string }

// parseWords reads the words of rules by their codes. Those for unknown codes are by
// the kind of exchange.
func parseWords(table, phraseTable string) (map[string]words, error) {
	phrases, err := parsePhrases(phraseTable)
	if err != nil {
		return nil, err
	}
	read := map[string]words{}
	for _, row := range readTSV(table) {
		if len(row) == 1 {
			continue // what those below are about
		}
		one, err := parseWordsOf(row, phrases)
		if err != nil {
			return read, fmt.Errorf("rule %s: %w", row[0], err)
		}
		if _, repeated := read[row[0]]; repeated {
			return read, fmt.Errorf("rule %s: is there twice", row[0])
		}
		read[row[0]] = one
	}
	return read, phrases.allUsed()
}

func parseWordsOf(row []string, phrases phrases) (one words, err error) {
	if len(row) != 3 {
		return one, fmt.Errorf("has %d columns", len(row))
	}
	if one.explanation, err = phrases.expand(row[1]); err != nil {
		return one, err
	}
	if one.action, err = phrases.expand(row[2]); err != nil {
		return one, err
	}
	if row[0] == "" || one.explanation == "" || one.action == "" {
		return one, errors.New("lacks its code, its explanation or its action")
	}
	return one, nil
}
