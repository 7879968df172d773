// Package rules holds what is known of the rules of the city of São Paulo: in our
// words, as data (catalogue.tsv), and as checks of what can be checked before
// anything is sent.
//
// docs/rules.md says how to read the catalogue.
package rules
