package rules

import (
	"embed"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

// Name is the national system's in fiscal profiles, task queues and metrics.
const Name = "national"

// tables are as rulecatalogue.BuiltIn names them.
//
//go:embed *.tsv
var tables embed.FS

// Catalogue is what is known of the authority's rules.
var Catalogue = rulecatalogue.BuiltIn(tables, rulecatalogue.Source{Name: Name, Fields: fields, ActsIn: actsIn})

// Subjects of rules that are treated separately.
const (
	AboutCancellation = "cancellation" // requests to cancel
	aboutOtherEvents  = "other_events" // events that are never asked for
	AboutTransport    = "transport"    // the connection, and the form of any message
)

// actsIn reports whether a rule's words on what a person does apply to an exchange of
// this kind.
func actsIn(kind fiscal.Kind, rule rulecatalogue.Rule) bool {
	if kind != fiscal.Issue {
		return rule.About == AboutCancellation
	}
	return rule.About != AboutCancellation && rule.About != aboutOtherEvents
}
