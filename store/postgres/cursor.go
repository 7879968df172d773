package postgres

import (
	"slices"
)

// Cursor is where the next page of a list begins that is ordered by time, newest first:
// after the page that is shown, or before it.
type Cursor struct {
	After  string // an id: only older ones
	Before string // an id: only newer ones, the oldest of them
	Limit  int
}

// Direction is the order in which an index is walked.
func (t Cursor) Direction() string {
	if t.Before != "" {
		return ""
	}
	return " DESC"
}

// NewestFirst makes a page, newest first, of rows that were read in the direction of the
// cursor, one more than the page has.
func NewestFirst[T any](rows []T, t Cursor) (page []T, newer, older bool) {
	rows, more := Cut(rows, t.Limit)
	if t.Before != "" {
		slices.Reverse(rows)
		return rows, more, true
	}
	return rows, t.After != "", more
}
