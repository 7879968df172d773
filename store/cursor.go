package store

import "slices"

// cursor is where the next page of a list begins that is ordered by time, newest first:
// after the page that is shown, or before it.
type cursor struct {
	After  string // an id: only older ones
	Before string // an id: only newer ones, the oldest of them
	Limit  int
}

// direction is the order in which an index is walked.
func (t cursor) direction() string {
	if t.Before != "" {
		return ""
	}
	return " DESC"
}

// newestFirst makes a page, newest first, of rows that were read in the direction of the
// cursor, one more than the page has.
func newestFirst[T any](rows []T, t cursor) (page []T, newer, older bool) {
	rows, more := cut(rows, t.Limit)
	if t.Before != "" {
		slices.Reverse(rows)
		return rows, more, true
	}
	return rows, t.After != "", more
}
