package rulecatalogue

import (
	"embed"
	"errors"
	"fmt"
	"slices"

	"emissor/fiscal"
)

// Source is what an authority's package of rules gives. The first line of a table names
// its columns, which are divided by tabs; a line of one word says what those below it
// are about, and one that begins with # is a comment. {name} stands for a phrase, which
// may hold those above it.
type Source struct {
	Name string // the authority's, by which what is stored names the catalogue

	// Rules has a code a line, in the order of the authority's tables:
	//
	//   - code: the authority's, or a word of ours;
	//   - field: of the API, that the caller can correct; empty when none;
	//   - disposition: what a rejection asks for; empty is final;
	//   - handling: what is done about the rule, see Handling;
	//   - explanation and action: what it means, and what a person does.
	//
	// Phrases has names and texts.
	Rules, Phrases string

	// Portuguese has, on the lines of Rules, code, explanation and action.
	Portuguese, PortuguesePhrases string

	// Fields are those of the API that a rule may name.
	Fields []string

	// ActsIn reports whether a rule's words on what a person does apply to an exchange of this
	// kind; else the general words do.
	ActsIn func(fiscal.Kind, Rule) bool
}

// Catalogue is an authority's rules, read.
type Catalogue struct {
	name    string
	rules   []Rule
	codes   map[string]Rule // but alerts
	alerts  map[string]Rule
	unknown map[fiscal.Kind]Rule
	actsIn  func(fiscal.Kind, Rule) bool
}

// MustRead is Parse for tables that are built in: catalogue.tsv and phrases.tsv, and in
// Portuguese catalogue.pt.tsv and phrases.pt.tsv. It panics where Parse fails.
func MustRead(tables embed.FS, source Source) *Catalogue {
	for file, table := range map[string]*string{
		"catalogue.tsv": &source.Rules, "phrases.tsv": &source.Phrases,
		"catalogue.pt.tsv": &source.Portuguese, "phrases.pt.tsv": &source.PortuguesePhrases,
	} {
		content, err := tables.ReadFile(file)
		if err != nil {
			panic("the catalogue of " + source.Name + ": " + err.Error())
		}
		*table = string(content)
	}
	read, err := Parse(source)
	if err != nil {
		panic("the catalogue of " + source.Name + ": " + err.Error())
	}
	return read
}

// Parse reads the tables of a catalogue. It refuses a code that is there twice, one
// without words in both languages, words that it does not know, and phrases that nothing
// uses.
func Parse(source Source) (*Catalogue, error) {
	read := &Catalogue{
		name: source.Name, actsIn: source.ActsIn,
		codes: map[string]Rule{}, alerts: map[string]Rule{}, unknown: map[fiscal.Kind]Rule{},
	}
	english, err := parsePhrases(source.Phrases)
	if err != nil {
		return read, err
	}
	portuguese, err := parsePhrases(source.PortuguesePhrases)
	if err != nil {
		return read, fmt.Errorf("in Portuguese: %w", err)
	}
	rows, translated := Rows(source.Rules), Rows(source.Portuguese)
	var about string
	for i, row := range rows {
		if i >= len(translated) || translated[i][0] != row[0] {
			return read, fmt.Errorf("%s: is not at its place in Portuguese", row[0])
		}
		if len(row) == 1 {
			about = row[0]
			continue
		}
		rule, err := parseRule(about, row, english, source.Fields)
		if err == nil {
			rule.Portuguese, err = parsePortuguese(translated[i], portuguese)
		}
		if err == nil {
			err = read.add(rule)
		}
		if err != nil {
			return read, fmt.Errorf("rule %s: %w", row[0], err)
		}
	}
	if len(translated) > len(rows) {
		return read, fmt.Errorf("%s: is there in Portuguese alone", translated[len(rows)][0])
	}
	return read, errors.Join(english.allUsed(), portuguese.allUsed())
}

func (c *Catalogue) add(rule Rule) error {
	codes := c.codes
	switch rule.About {
	case aboutUnknown:
		c.unknown[fiscal.Kind(rule.Code)] = rule
		return nil
	case AboutAlert:
		codes = c.alerts
	}
	if _, repeated := codes[rule.Code]; repeated {
		return errors.New("is there twice")
	}
	codes[rule.Code] = rule
	c.rules = append(c.rules, rule)
	return nil
}

// All returns every rule, in the order of the catalogue.
func (c *Catalogue) All() []Rule { return slices.Clone(c.rules) }

// General returns the words for codes that are not in the catalogue.
func (c *Catalogue) General(kind fiscal.Kind) Rule { return c.unknown[kind] }

// Rule returns the rule of a code, that of an alert only where no other has it.
func (c *Catalogue) Rule(code string) (rule Rule, known bool) {
	rule, known = c.codes[code]
	if !known {
		rule, known = c.alerts[code]
	}
	return rule, known
}

// Disposition returns what a rejection with this code asks for. A code that the
// catalogue does not have decides nothing, whatever its form.
func (c *Catalogue) Disposition(code string) fiscal.Disposition {
	if rule, known := c.Rule(code); known {
		return rule.Disposition
	}
	return fiscal.Uncatalogued
}
