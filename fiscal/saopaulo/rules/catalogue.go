package rules

import (
	"embed"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

// tables are as rulecatalogue.BuiltIn names them.
//
//go:embed *.tsv
var tables embed.FS

// Catalogue is what is known of the city's rules.
var Catalogue = rulecatalogue.BuiltIn(tables, rulecatalogue.Source{Name: Name, Fields: fields, ActsIn: actsIn})

// actsIn reports whether a rule's words on what a person does apply to an exchange of
// this kind: those of most codes are about notes.
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
