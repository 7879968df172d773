// Package rooms holds the test that guards the direction of imports between the
// rooms of the house: see docs/architecture.md for what each is for.
package rooms
