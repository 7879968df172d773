package rules

import (
	_ "embed"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

// The tables are as rulecatalogue.Source has them.
var (
	//go:embed catalogue.tsv
	english string
	//go:embed phrases.tsv
	phrases string
	//go:embed catalogue.pt.tsv
	portuguese string
	//go:embed phrases.pt.tsv
	portuguesePhrases string
)

// Catalogue is what is known of the city's rules.
var Catalogue = rulecatalogue.MustParse(rulecatalogue.Source{
	Name: Name, Rules: english, Phrases: phrases, Portuguese: portuguese, PortuguesePhrases: portuguesePhrases,
	Fields: fields, ActsIn: actsIn,
})

// actsIn reports whether what a person does about a rule is to be done about an exchange
// of this kind: the words for most codes are about notes.
func actsIn(kind fiscal.Kind, rule rulecatalogue.Rule) bool {
	if kind != fiscal.Cancel {
		return true
	}
	switch rule.Code {
	case "323", "324", "386", "1303", "1304", "1305", "1306":
		return true
	}
	return false
}
