package store

// Page asks for a slice of a list, newest first.
type Page struct {
	Limit int
	After string // the id after which the page starts; empty for the first page
}

// bounds gives the keyset condition `id < $after` something to compare with on
// the first page: a text above every id.
func (p Page) bounds() (after string, rows int) {
	after = p.After
	if after == "" {
		after = "~"
	}
	return after, p.Limit + 1
}

// cut turns the one row more that was asked for into "there is more".
func cut[T any](rows []T, limit int) (page []T, more bool) {
	if len(rows) > limit {
		return rows[:limit], true
	}
	return rows, false
}
