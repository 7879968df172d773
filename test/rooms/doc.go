// Package rooms holds the tests that guard the direction of imports between the packages,
// and the documents: CONTRIBUTING.md says what each package is for.
package rooms
