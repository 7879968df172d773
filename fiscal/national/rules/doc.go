// Package rules holds what is known of the authority's rules: in our words, as
// data (catalogue.tsv), and as checks of what can be checked before anything is
// sent.
//
// docs/rules.md lists every rule with what is done about it; a test writes it
// from the catalogue.
package rules
