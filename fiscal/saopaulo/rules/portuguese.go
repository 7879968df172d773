package rules

import (
	_ "embed"
	"errors"
	"fmt"

	"emissor/fiscal/wording"
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
var portuguese = func() map[ruleName]wording.Words {
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

// parseWords reads the words of rules. Those for unknown codes are by the kind of
// exchange.
func parseWords(table, phraseTable string) (map[ruleName]wording.Words, error) {
	phrases, err := wording.ParsePhrases(phraseTable)
	if err != nil {
		return nil, err
	}
	var about string
	read := map[ruleName]wording.Words{}
	for _, row := range wording.Rows(table) {
		if len(row) == 1 {
			about = row[0]
			continue
		}
		one, err := phrases.Words(row)
		name := ruleName{row[0], about == AboutAlert}
		if _, repeated := read[name]; repeated && err == nil {
			err = errors.New("is there twice")
		}
		if err != nil {
			return read, fmt.Errorf("rule %s: %w", row[0], err)
		}
		read[name] = one
	}
	return read, phrases.AllUsed()
}
