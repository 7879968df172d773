package rules

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"emissor/fiscal"
)

// catalogue.tsv has a rule a line, in the order of the authority's tables:
//
//   - about: the part of what is sent, or of the protocol, that the rule is about;
//     the rules about "unknown" are the words for codes that are not here;
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
	About       string
	Code        string
	Field       string // of the API; empty when none
	Disposition fiscal.Disposition
	Handling    Handling
	Explanation string
	Action      string
}

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

// The parts that rules are about which are treated in a way of their own.
const (
	AboutCancellation = "cancellation" // requests to cancel
	AboutTransport    = "transport"    // the connection and the form of any message
	AboutEmissor      = "emissor"      // no rules of the authority: what no layout can carry
	aboutUnknown      = "unknown"
)

var parts = []string{
	"note", "declaration", "substitution", "issuer", "customer", "intermediary", "service", "foreign_trade",
	"works_and_events", "price", "deductions", "suppliers", "iss", "benefits", "withholding", "rate", "federal_taxes",
	"approximate_taxes", "signature", AboutCancellation, "other_events", AboutTransport, AboutEmissor, aboutUnknown,
}

var dispositions = []fiscal.Disposition{
	fiscal.Final, fiscal.TryLater, fiscal.SignAgain, fiscal.AlreadyExists, fiscal.NeedsConfirmation, fiscal.CertificateRefused,
}

// catalogue is a table of rules, read.
type catalogue struct {
	rules   []Rule
	byCode  map[string]Rule
	unknown map[fiscal.Kind]Rule // the words for codes that are not in it
}

// All returns every rule, in the order of the authority's tables.
func All() []Rule { return slices.Clone(all.rules) }

// parseCatalogue reads a table of rules and its phrases. It refuses a code that
// is there twice, words that it does not know, and phrases that nothing uses.
func parseCatalogue(table, phraseTable string) (catalogue, error) {
	read := catalogue{byCode: map[string]Rule{}, unknown: map[fiscal.Kind]Rule{}}
	phrases, err := parsePhrases(phraseTable)
	if err != nil {
		return read, err
	}
	rows, err := readTSV(table, 7)
	if err != nil {
		return read, err
	}
	for _, row := range rows {
		rule, err := parseRule(row, phrases)
		if err != nil {
			return read, fmt.Errorf("rule %s: %w", row[1], err)
		}
		if rule.About == aboutUnknown {
			read.unknown[fiscal.Kind(rule.Code)] = rule
			continue
		}
		if _, repeated := read.byCode[rule.Code]; repeated {
			return read, fmt.Errorf("rule %s: is there twice", rule.Code)
		}
		read.byCode[rule.Code] = rule
		read.rules = append(read.rules, rule)
	}
	for name := range phrases.texts {
		if !phrases.used[name] {
			return read, fmt.Errorf("phrase %s: is used nowhere", name)
		}
	}
	return read, nil
}

func parseRule(row []string, phrases phrases) (Rule, error) {
	rule := Rule{About: row[0], Code: row[1], Field: row[2], Disposition: fiscal.Disposition(row[3])}
	if rule.Disposition == "" {
		rule.Disposition = fiscal.Final
	}
	switch {
	case !slices.Contains(parts, rule.About):
		return rule, fmt.Errorf("is about %q", rule.About)
	case rule.Field != "" && !slices.Contains(fields, rule.Field):
		return rule, fmt.Errorf("the API has no field %q", rule.Field)
	case !slices.Contains(dispositions, rule.Disposition):
		return rule, fmt.Errorf("there is no disposition %q", rule.Disposition)
	case rule.Code == "" || row[5] == "" || row[6] == "":
		return rule, errors.New("lacks its code, its explanation or its action")
	}
	var expanded [3]string
	for i := range expanded {
		var err error
		if expanded[i], err = phrases.expand(row[4+i]); err != nil {
			return rule, err
		}
	}
	rule.Explanation, rule.Action = expanded[1], expanded[2]
	if rule.About == aboutUnknown {
		return rule, nil
	}
	var err error
	rule.Handling, err = parseHandling(expanded[0])
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

// phrases are texts by their names, and which of them something uses.
type phrases struct {
	texts map[string]string
	used  map[string]bool
}

func parsePhrases(table string) (phrases, error) {
	read := phrases{map[string]string{}, map[string]bool{}}
	rows, err := readTSV(table, 2)
	if err != nil {
		return read, err
	}
	for _, row := range rows {
		if _, repeated := read.texts[row[0]]; repeated {
			return read, fmt.Errorf("phrase %s: is there twice", row[0])
		}
		text, err := read.expand(row[1])
		if err != nil {
			return read, fmt.Errorf("phrase %s: %w", row[0], err)
		}
		read.texts[row[0]] = text
	}
	return read, nil
}

var phraseName = regexp.MustCompile(`\{([^{}]*)\}`)

// expand puts phrases in the place of their names.
func (p phrases) expand(text string) (string, error) {
	var unknown error
	expanded := phraseName.ReplaceAllStringFunc(text, func(braced string) string {
		name := strings.Trim(braced, "{}")
		phrase, known := p.texts[name]
		if !known {
			unknown = fmt.Errorf("there is no phrase %q", name)
		}
		p.used[name] = true
		return phrase
	})
	return expanded, unknown
}

// readTSV reads the rows below the first line, which names the columns. Lines
// that begin with # are comments.
func readTSV(table string, columns int) ([][]string, error) {
	var rows [][]string
	for i, line := range strings.Split(strings.TrimSuffix(table, "\n"), "\n") {
		if i == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != columns {
			return nil, fmt.Errorf("line %d has %d columns, not %d", i+1, len(row), columns)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
