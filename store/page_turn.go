package store

import "slices"

// turn is where a page of a list by time begins, when people turn pages: newest first,
// and behind or before what they see.
type turn struct {
	After  string // an id: only older ones
	Before string // an id: only newer ones, the oldest of them
	Limit  int
}

// direction is the order in which an index is walked.
func (t turn) direction() string {
	if t.Before != "" {
		return ""
	}
	return " DESC"
}

// turned makes a page, newest first, of rows that were read in the direction of the
// turn, with one more than the page has.
func turned[T any](rows []T, t turn) (page []T, newer, older bool) {
	rows, more := cut(rows, t.Limit)
	if t.Before != "" {
		slices.Reverse(rows)
		return rows, more, true
	}
	return rows, t.After != "", more
}
