package rules

import (
	_ "embed"
	"errors"
	"fmt"
)

// catalogue.pt.tsv says of every rule, in Portuguese, what it means and what a person
// does about it. Its columns are code, explanation and action; lines and phrases are
// as in catalogue.tsv. Where the English words name a command or a field of the API,
// these name the place of the dashboard, which is whom they are written for.
//
//go:embed catalogue.pt.tsv
var portugueseTSV string

//go:embed phrases.pt.tsv
var portuguesePhrasesTSV string

// portuguese are the words of the whole catalogue, those for unknown codes too.
var portuguese = func() map[ruleName]words {
	read, err := parseWords(portugueseTSV, portuguesePhrasesTSV)
	if err != nil {
		panic("fiscal/saopaulo/rules: in Portuguese: " + err.Error())
	}
	return read
}()

// ruleName tells rules apart: an alert may have the code of an error.
type ruleName struct {
	code  string
	alert bool
}

func nameOf(rule Rule) ruleName { return ruleName{rule.Code, rule.About == AboutAlert} }

// words are what is said of one rule.
type words struct{ explanation, action string }

// parseWords reads the words of rules. Those for unknown codes are by the kind of
// exchange.
func parseWords(table, phraseTable string) (map[ruleName]words, error) {
	phrases, err := parsePhrases(phraseTable)
	if err != nil {
		return nil, err
	}
	var about string
	read := map[ruleName]words{}
	for _, row := range readTSV(table) {
		if len(row) == 1 {
			about = row[0]
			continue
		}
		one, err := parseWordsOf(row, phrases)
		name := ruleName{row[0], about == AboutAlert}
		if _, repeated := read[name]; repeated && err == nil {
			err = errors.New("is there twice")
		}
		if err != nil {
			return read, fmt.Errorf("rule %s: %w", row[0], err)
		}
		read[name] = one
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
