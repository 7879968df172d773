// Package rules describes the cities that issue by servers of their own, as authorities, by the
// table of cities: how a profile is checked, what a note needs beside the national rules, and what
// the codes of their families mean.
package rules
