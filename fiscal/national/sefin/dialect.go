package sefin

import (
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
)

// Dialect is in what a city's server of this protocol differs from SEFIN Nacional, whose Dialect
// is the zero one.
type Dialect struct {
	Paths Paths // nationalPaths when zero
	// KeyPrefix may be wanted before an access key that is asked about, and is no part of it.
	KeyPrefix string
	// AlertsRefuse says that what refuses a message may be called alertas.
	AlertsRefuse bool
	// OnlyDocuments says that it does not tell by HEAD whether a document exists that the certificate may
	// not see, and that its question about a DPS may name the key of another one: only the document itself
	// counts.
	OnlyDocuments bool
	// TellsNoEvents says that it does not tell what events a document has: a cancellation is asked about
	// by sending it again, which nobody else's cancellation can be told from.
	TellsNoEvents bool
	// Rules are what its codes mean; nil: the national ones.
	Rules *Rules
}

// Paths are the paths of calls below the base of a server: {dps} is the Id of a DPS, {key} an access key.
type Paths struct {
	Issue string // by which a DPS is sent
	Find  string // by which it is asked about
	Fetch string // of a document
	Event string // by which an event of a document is sent
}

// nationalPaths are the paths of SEFIN Nacional.
var nationalPaths = Paths{"nfse", "dps/{dps}", "nfse/{key}", "nfse/{key}/eventos"}

// pathOf is a path with what is asked about in its place, by segments.
func pathOf(path, what string) []string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if segment == "{dps}" || segment == "{key}" {
			segments[i] = what
		}
	}
	return segments
}

// Rules are what the codes of a server mean.
type Rules struct {
	Catalogue *rulecatalogue.Catalogue
	// Handling returns what a rejection by a code asks for; the complement is what a validator said.
	Handling func(code, complement string) fiscal.Handling
	// Failures are the codes by which it says that it failed, not that it said no.
	Failures []string
	// CodeOf returns a code of the catalogue for words that came without one; empty for others.
	CodeOf func(words string) string
}

var nationalRules = Rules{
	Catalogue: rules.Catalogue, Handling: rules.Handling, CodeOf: func(string) string { return "" },
	Failures: []string{"RNG9999", "E999", "E9999"}, // "not catalogued", in its older and newer forms
}

func (d *Dialect) rules() Rules {
	if d == nil || d.Rules == nil {
		return nationalRules
	}
	return *d.Rules
}

func (d *Dialect) paths() Paths {
	if d == nil || d.Paths == (Paths{}) {
		return nationalPaths
	}
	return d.Paths
}

// keyPrefix is what may stand before an access key; empty: nothing does.
func (d *Dialect) keyPrefix() string {
	if d == nil {
		return ""
	}
	return d.KeyPrefix
}

func (d *Dialect) onlyDocuments() bool { return d != nil && d.OnlyDocuments }

func (d *Dialect) tellsNoEvents() bool { return d != nil && d.TellsNoEvents }
