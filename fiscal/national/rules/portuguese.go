package rules

import (
	_ "embed"
	"fmt"

	"emissor/fiscal/wording"
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
var portuguese = func() map[string]wording.Words {
	read, err := parseWords(portugueseTSV, portuguesePhrasesTSV)
	if err != nil {
		panic("fiscal/national/rules: in Portuguese: " + err.Error())
	}
	return read
}()

// parseWords reads the words of rules by their codes. Those for unknown codes are by
// the kind of exchange.
func parseWords(table, phraseTable string) (map[string]wording.Words, error) {
	phrases, err := wording.ParsePhrases(phraseTable)
	if err != nil {
		return nil, err
	}
	read := map[string]wording.Words{}
	for _, row := range wording.Rows(table) {
		if len(row) == 1 {
			continue // what those below are about
		}
		one, err := phrases.Words(row)
		if err != nil {
			return read, fmt.Errorf("rule %s: %w", row[0], err)
		}
		if _, repeated := read[row[0]]; repeated {
			return read, fmt.Errorf("rule %s: is there twice", row[0])
		}
		read[row[0]] = one
	}
	return read, phrases.AllUsed()
}
