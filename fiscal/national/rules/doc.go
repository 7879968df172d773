// Package rules holds what is known of the authority's rules: in our words, as
// data (catalogue.tsv), and as checks of what can be checked before anything is
// sent.
//
// docs/rules.md says how to read the catalogue.
package rules
