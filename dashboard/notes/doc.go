// Package notes is the pages of notes: a list, one note and what may be done with it, and how a person issues one: a
// form (issue.go), its review (review.go), and the note.
package notes
