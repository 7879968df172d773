package rulecatalogue

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"sync"

	"emissor/fiscal"
	"emissor/internal/tsv"
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
	//   - handling: what a rejection asks for; empty is final;
	//   - coverage: what is done about the rule, see Coverage;
	//   - explanation and action: what it means, and what a person does.
	//
	// Phrases has names and texts.
	Rules, Phrases string

	// Portuguese has, on the lines of Rules, code, explanation and action.
	Portuguese, PortuguesePhrases string

	// Fields are the fields of the API that a rule may name.
	Fields []string

	// Base is the catalogue of the codes that are not in this one, and of its general words; nil:
	// there is none.
	Base *Catalogue

	// ActsIn reports whether a rule's words on what a person does apply to an exchange of this
	// kind; else the general words do.
	ActsIn func(fiscal.Kind, Rule) bool
}

// Catalogue is an authority's rules.
type Catalogue struct {
	name   string
	base   *Catalogue
	actsIn func(fiscal.Kind, Rule) bool
	read   func() *tables
}

// tables are the rules as they were read.
type tables struct {
	rules   []Rule
	codes   map[string]Rule // but alerts
	alerts  map[string]Rule
	unknown map[fiscal.Kind]Rule
}

// BuiltIn is the catalogue of tables that are built in: catalogue.tsv and phrases.tsv, and
// in Portuguese catalogue.pt.tsv and phrases.pt.tsv. They are read when something is first
// asked of them, because most commands ask nothing; it panics then where Parse fails.
func BuiltIn(files embed.FS, source Source) *Catalogue {
	read := sync.OnceValue(func() *tables { return mustRead(files, source) })
	return &Catalogue{source.Name, source.Base, source.ActsIn, read}
}

func mustRead(files embed.FS, source Source) *tables {
	for file, table := range map[string]*string{
		"catalogue.tsv": &source.Rules, "phrases.tsv": &source.Phrases,
		"catalogue.pt.tsv": &source.Portuguese, "phrases.pt.tsv": &source.PortuguesePhrases,
	} {
		content, err := files.ReadFile(file)
		if err != nil {
			panic("the catalogue of " + source.Name + ": " + err.Error())
		}
		*table = string(content)
	}
	read, err := parse(source)
	if err != nil {
		panic("the catalogue of " + source.Name + ": " + err.Error())
	}
	return read
}

// Parse reads the tables of a catalogue. It refuses a code that is there twice, one
// without words in both languages, words that it does not know, and phrases that nothing
// uses.
func Parse(source Source) (*Catalogue, error) {
	read, err := parse(source)
	return &Catalogue{source.Name, source.Base, source.ActsIn, func() *tables { return read }}, err
}

func parse(source Source) (*tables, error) {
	read := &tables{codes: map[string]Rule{}, alerts: map[string]Rule{}, unknown: map[fiscal.Kind]Rule{}}
	english, err := parsePhrases(source.Phrases)
	if err != nil {
		return read, err
	}
	portuguese, err := parsePhrases(source.PortuguesePhrases)
	if err != nil {
		return read, fmt.Errorf("in Portuguese: %w", err)
	}
	rows, translated := tsv.Rows(source.Rules), tsv.Rows(source.Portuguese)
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

func (t *tables) add(rule Rule) error {
	codes := t.codes
	switch rule.About {
	case aboutUnknown:
		t.unknown[fiscal.Kind(rule.Code)] = rule
		return nil
	case AboutAlert:
		codes = t.alerts
	}
	if _, repeated := codes[rule.Code]; repeated {
		return errors.New("is there twice")
	}
	codes[rule.Code] = rule
	t.rules = append(t.rules, rule)
	return nil
}

// Name is the catalogue's, by which what is stored names it.
func (c *Catalogue) Name() string { return c.name }

// All returns every rule of its own, in the order of the catalogue.
func (c *Catalogue) All() []Rule { return slices.Clone(c.read().rules) }

// General returns the words for codes that are not in the catalogue: those of a cancellation
// for an analysis too, as both leave the note as it is.
func (c *Catalogue) General(kind fiscal.Kind) Rule {
	if kind == fiscal.Analysis {
		kind = fiscal.Cancel
	}
	if words, has := c.read().unknown[kind]; has || c.base == nil {
		return words
	}
	return c.base.General(kind)
}

// Rule returns the rule of a code, that of an alert only where no other has it; at last that of
// the catalogue it is based on.
func (c *Catalogue) Rule(code string) (rule Rule, known bool) {
	rule, known = c.read().codes[code]
	if !known {
		rule, known = c.read().alerts[code]
	}
	if !known && c.base != nil {
		return c.base.Rule(code)
	}
	return rule, known
}

// Own returns the rule of a code that is in this catalogue itself.
func (c *Catalogue) Own(code string) (rule Rule, own bool) {
	rule, own = c.read().codes[code]
	return rule, own
}

// Handling returns what a rejection with this code asks for. A code that the catalogue does not have decides nothing,
// regardless of its form.
func (c *Catalogue) Handling(code string) fiscal.Handling {
	if rule, known := c.Rule(code); known {
		return rule.Handling
	}
	return fiscal.Uncatalogued
}
