// Package text writes texts for where they go: those of people for fiscal documents, which carry the characters of
// Latin-1 only, without controls, and no space at either end (Line, Lines, Cut); those of other systems for a record
// and a page (Shown, Shortened); and any in the characters that something carries (In). The record of any text keeps
// what was written.
package text
