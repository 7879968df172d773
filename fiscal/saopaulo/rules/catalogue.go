package rules

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/wording"
)

// catalogue.tsv has a code a line, by what it is about: a line of one word begins
// each part. The columns are:
//
//   - code: the city's, or a word of ours;
//   - field: of the API, that the caller can correct; empty when none;
//   - disposition: what a rejection asks for; empty is final;
//   - handling: what is done about the rule, and why, as "kind: why";
//   - explanation and action: what it means, and what a person does.
//
// In it, {name} stands for a phrase of phrases.tsv, which may hold those above it.
//
//go:embed catalogue.tsv
var catalogueTSV string

//go:embed phrases.tsv
var phrasesTSV string

// all is the catalogue as it is built in.
var all = func() catalogue {
	parsed, err := parseCatalogue(catalogueTSV, phrasesTSV)
	if err != nil {
		panic("fiscal/saopaulo/rules: " + err.Error())
	}
	return parsed
}()

// Rule is one of the city's rules, or of ours, in our words.
type Rule struct {
	About       string // the part of a message, or of the protocol
	Code        string
	Field       string // of the API; empty when none
	Disposition fiscal.Disposition
	Handling    Handling
	Why         string // it is handled so
	Explanation string
	Action      string
	Classifies  bool // the action is to classify the service anew
}

// What rules are about that are treated in a way of their own.
const (
	AboutAlert   = "alert"   // what comes beside a success; the same code may be an error too
	AboutEmissor = "emissor" // what the layout cannot carry: no rules of the city
	aboutUnknown = "unknown" // the words for codes that are not here, by the kind of exchange
)

// Handling is what is done about a rule.
type Handling string

// The handlings.
const (
	Impossible Handling = "impossible" // no message that we build can break it
	Checked    Handling = "checked"    // what would break it is refused, or held, before it takes a number
	Left       Handling = "left"       // only the city can tell
)

// catalogue is a table of rules, read.
type catalogue struct {
	rules   []Rule
	errors  map[string]Rule
	alerts  map[string]Rule
	unknown map[fiscal.Kind]Rule
}

// All returns every rule, in the order of the catalogue.
func All() []Rule { return slices.Clone(all.rules) }

var dispositions = []fiscal.Disposition{
	fiscal.Final, fiscal.TryLater, fiscal.SignAgain, fiscal.AlreadyExists, fiscal.NeedsConfirmation,
	fiscal.CertificateRefused,
}

// parseCatalogue reads a table of rules and its phrases. It refuses a code that
// is there twice, words that it does not know, and phrases that nothing uses.
func parseCatalogue(table, phraseTable string) (catalogue, error) {
	read := catalogue{
		errors: map[string]Rule{}, alerts: map[string]Rule{}, unknown: map[fiscal.Kind]Rule{},
	}
	phrases, err := wording.ParsePhrases(phraseTable)
	if err != nil {
		return read, err
	}
	var about string
	for _, row := range wording.Rows(table) {
		if len(row) == 1 {
			about = row[0]
			continue
		}
		rule, err := parseRule(about, row, phrases)
		if err != nil {
			return read, fmt.Errorf("rule %s: %w", row[0], err)
		}
		if about == aboutUnknown {
			read.unknown[fiscal.Kind(rule.Code)] = rule
			continue
		}
		codes := read.errors
		if about == AboutAlert {
			codes = read.alerts
		}
		if _, repeated := codes[rule.Code]; repeated {
			return read, fmt.Errorf("rule %s: is there twice", rule.Code)
		}
		codes[rule.Code] = rule
		read.rules = append(read.rules, rule)
	}
	return read, phrases.AllUsed()
}

func parseRule(about string, row []string, phrases wording.Phrases) (Rule, error) {
	if len(row) != 6 {
		return Rule{}, fmt.Errorf("has %d columns", len(row))
	}
	classifies := strings.Contains(row[5], "{correct_classification}")
	for i := range row {
		var err error
		if row[i], err = phrases.Expand(row[i]); err != nil {
			return Rule{}, err
		}
	}
	handling, why, _ := strings.Cut(row[3], ": ")
	rule := Rule{
		About: about, Code: row[0], Field: row[1], Disposition: fiscal.Disposition(row[2]),
		Handling: Handling(handling), Why: why, Explanation: row[4], Action: row[5],
		Classifies: classifies,
	}
	if rule.Disposition == "" {
		rule.Disposition = fiscal.Final
	}
	switch {
	case rule.Field != "" && !slices.Contains(fields, rule.Field):
		return rule, fmt.Errorf("the API has no field %q", rule.Field)
	case !slices.Contains(dispositions, rule.Disposition):
		return rule, fmt.Errorf("there is no disposition %q", rule.Disposition)
	case !slices.Contains([]Handling{Impossible, Checked, Left}, rule.Handling) || why == "":
		return rule, fmt.Errorf("there is no handling %q", row[3])
	case about == "" || rule.Code == "" || rule.Explanation == "" || rule.Action == "":
		return rule, errors.New("lacks what it is about, its code, its explanation or its action")
	}
	return rule, nil
}
