// Package rules holds what is known of the rules of the city of São Paulo: in our
// words, as data (catalogue.tsv), and as checks of what can be checked before
// anything is sent.
//
// docs/rules-saopaulo.md lists every code with what is done about it; a test
// writes it from the catalogue.
package rules
