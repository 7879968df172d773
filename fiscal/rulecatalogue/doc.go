// Package rulecatalogue reads what is known of an authority's rules, and explains it: what
// a rule means and what a person does about it, in English and in Portuguese; what a
// rejection by its code asks for; and what is done about it before anything is sent.
// Each authority's package of rules gives it its tables.
package rulecatalogue
