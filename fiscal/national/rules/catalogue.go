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

// catalogue.tsv has a rule a line, in the order of the authority's tables. A line
// of one word says what those below it are about. The columns are:
//
//   - code: the authority's, or a word of ours;
//   - field: of the API, that the caller can correct; empty when none;
//   - disposition: what a rejection asks for; empty is final;
//   - handling: what is done about the rule, see parseHandling;
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
		panic("fiscal/national/rules: " + err.Error())
	}
	return parsed
}()

// Rule is one of the authority's rules, or of ours, in our words.
type Rule struct {
	About       string // the part of a message, or of the protocol
	Code        string
	Field       string // of the API; empty when none
	Disposition fiscal.Disposition
	Handling    Handling
	Explanation string
	Action      string
	Classifies  bool // the action is to classify the service anew
}

// What rules are about that are treated in a way of their own.
const (
	AboutCancellation = "cancellation" // requests to cancel
	aboutOtherEvents  = "other_events" // events that are never asked for
	AboutTransport    = "transport"    // the connection, and the form of any message
	AboutEmissor      = "emissor"      // what no layout can carry: no rules of the authority
	aboutUnknown      = "unknown"      // the words for codes that are not here, by the kind of exchange
)

// Handling is what is done about a rule, and why. Tests tie it to facts: an
// impossible rule to random messages, a checked one to a declaration that the
// check refuses.
type Handling struct {
	Kind   HandlingKind
	Why    string
	Proofs []Proof
}

// HandlingKind is how a rule is handled.
type HandlingKind string

// The kinds of handling.
const (
	Impossible HandlingKind = "impossible" // no message that we build can break it
	Checked    HandlingKind = "checked"    // what would break it is refused before it takes a number
	Left       HandlingKind = "left"       // only the authority can tell, or it is not about what we send
)

// Proof is what every message shows of an element, named by its path from the
// root: that it is always there, that it never is, or the only value it has.
type Proof struct {
	Path   string
	Always bool
	Only   string // empty when it is never there, or always
}

var dispositions = []fiscal.Disposition{
	fiscal.Final, fiscal.TryLater, fiscal.SignAgain, fiscal.AlreadyExists, fiscal.NeedsConfirmation,
	fiscal.CertificateRefused, fiscal.NeedsPerson, fiscal.Uncatalogued,
}

// catalogue is a table of rules, read.
type catalogue struct {
	rules   []Rule
	byCode  map[string]Rule
	unknown map[fiscal.Kind]Rule
}

// All returns every rule, in the order of the authority's tables.
func All() []Rule { return slices.Clone(all.rules) }

// parseCatalogue reads a table of rules and its phrases. It refuses a code that
// is there twice, words that it does not know, and phrases that nothing uses.
func parseCatalogue(table, phraseTable string) (catalogue, error) {
	read := catalogue{byCode: map[string]Rule{}, unknown: map[fiscal.Kind]Rule{}}
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
		if _, repeated := read.byCode[rule.Code]; repeated {
			return read, fmt.Errorf("rule %s: is there twice", rule.Code)
		}
		read.byCode[rule.Code] = rule
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
	rule := Rule{
		About: about, Code: row[0], Field: row[1], Disposition: fiscal.Disposition(row[2]),
		Explanation: row[4], Action: row[5], Classifies: classifies,
	}
	if rule.Disposition == "" {
		rule.Disposition = fiscal.Final
	}
	switch {
	case rule.Field != "" && !slices.Contains(fields, rule.Field):
		return rule, fmt.Errorf("the API has no field %q", rule.Field)
	case !slices.Contains(dispositions, rule.Disposition):
		return rule, fmt.Errorf("there is no disposition %q", rule.Disposition)
	case about == "" || rule.Code == "" || rule.Explanation == "" || rule.Action == "":
		return rule, errors.New("lacks what it is about, its code, its explanation or its action")
	case about == aboutUnknown:
		return rule, nil
	}
	var err error
	rule.Handling, err = parseHandling(row[3])
	return rule, err
}

// parseHandling reads "kind: why" and, in brackets, what every message shows of
// it: "[never PATH; always PATH; only PATH = VALUE]".
func parseHandling(text string) (Handling, error) {
	kind, rest, _ := strings.Cut(text, ": ")
	why, proofs, proven := strings.Cut(rest, " [")
	handling := Handling{Kind: HandlingKind(kind), Why: why}
	switch {
	case !slices.Contains([]HandlingKind{Impossible, Checked, Left}, handling.Kind) || why == "":
		return handling, fmt.Errorf("there is no handling %q", text)
	case !proven:
		return handling, nil
	}
	for proof := range strings.SplitSeq(strings.TrimSuffix(proofs, "]"), "; ") {
		what, path, _ := strings.Cut(proof, " ")
		path, value, valued := strings.Cut(path, " = ")
		if !slices.Contains([]string{"never", "always", "only"}, what) || valued != (what == "only") || path == "" {
			return handling, fmt.Errorf("there is no proof %q", proof)
		}
		handling.Proofs = append(handling.Proofs, Proof{Path: path, Always: what == "always", Only: value})
	}
	return handling, nil
}
