package rules

import (
	"embed"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

// Name is the national system's in fiscal profiles, task queues and metrics.
const Name = "national"

// tables are as rulecatalogue.MustRead names them.
//
//go:embed *.tsv
var tables embed.FS

// Catalogue is what is known of the authority's rules.
var Catalogue = rulecatalogue.MustRead(tables, rulecatalogue.Source{Name: Name, Fields: fields, ActsIn: actsIn})

// What rules are about that are treated in a way of their own.
const (
	AboutCancellation = "cancellation" // requests to cancel
	aboutOtherEvents  = "other_events" // events that are never asked for
	AboutTransport    = "transport"    // the connection, and the form of any message
)

// actsIn reports whether what a person does about a rule is to be done about an exchange
// of this kind.
func actsIn(kind fiscal.Kind, rule rulecatalogue.Rule) bool {
	if kind == fiscal.Cancel {
		return rule.About == AboutCancellation
	}
	return rule.About != AboutCancellation && rule.About != aboutOtherEvents
}
