package rulecatalogue

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"emissor/fiscal"
)

// Rule is one of an authority's rules, or of ours, in our words.
type Rule struct {
	About      string // the part of a message, or of the protocol
	Code       string
	Field      string // of the API, that the caller can correct; empty when none
	Handling   fiscal.Handling
	Coverage   Coverage
	Words            // in English
	Portuguese Words // where the English words name a command, these name the place of the dashboard
	Classifies bool  // the action is to classify the service again
}

// Words are what is said of a rule: what it means, and what a person does.
type Words struct{ Explanation, Action string }

// Subjects of rules that are treated separately in every catalogue.
const (
	AboutAlert   = "alert"   // what comes beside a success; the same code may be an error too
	AboutEmissor = "emissor" // what no layout can carry: no rules of the authority
	aboutUnknown = "unknown" // the words for codes that are not here, by the kind of exchange
)

// classifying is the phrase of the actions by which a service is classified again.
const classifying = "{correct_classification}"

var handlings = []fiscal.Handling{
	fiscal.Final, fiscal.TryLater, fiscal.SignAgain, fiscal.AlreadyExists, fiscal.NeedsConfirmation,
	fiscal.CertificateRefused, fiscal.NeedsPerson, fiscal.TermOver, fiscal.CityRefuses, fiscal.Uncatalogued,
}

// parseRule reads a row of the table in English.
func parseRule(about string, row []string, phrases phrases, fields []string) (Rule, error) {
	if len(row) != 6 {
		return Rule{}, fmt.Errorf("has %d columns", len(row))
	}
	classifies := strings.Contains(row[5], classifying)
	for i := range row {
		var err error
		if row[i], err = phrases.expand(row[i]); err != nil {
			return Rule{}, err
		}
	}
	rule := Rule{
		About: about, Code: row[0], Field: row[1], Handling: fiscal.Handling(row[2]),
		Words: Words{Explanation: row[4], Action: row[5]}, Classifies: classifies,
	}
	if rule.Handling == "" {
		rule.Handling = fiscal.Final
	}
	switch {
	case rule.Field != "" && !slices.Contains(fields, rule.Field):
		return rule, fmt.Errorf("the API has no field %q", rule.Field)
	case !slices.Contains(handlings, rule.Handling):
		return rule, fmt.Errorf("there is no handling %q", rule.Handling)
	case about == "" || rule.Code == "" || rule.Explanation == "" || rule.Action == "":
		return rule, errors.New("lacks what it is about, its code, its explanation or its action")
	case about == aboutUnknown:
		return rule, nil
	}
	var err error
	rule.Coverage, err = parseCoverage(row[3])
	return rule, err
}

// parsePortuguese reads the words of a row of the table in Portuguese.
func parsePortuguese(row []string, phrases phrases) (words Words, err error) {
	if len(row) != 3 {
		return words, fmt.Errorf("has %d columns in Portuguese", len(row))
	}
	if words.Explanation, err = phrases.expand(row[1]); err != nil {
		return words, err
	}
	if words.Action, err = phrases.expand(row[2]); err != nil {
		return words, err
	}
	if words.Explanation == "" || words.Action == "" {
		return words, errors.New("lacks its explanation or its action in Portuguese")
	}
	return words, nil
}
