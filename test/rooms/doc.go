// Package rooms holds the test that guards the direction of imports between the
// packages: see docs/architecture.md for what each is for.
package rooms
