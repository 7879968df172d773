package postgres

// Page asks for a part of a list, newest first.
type Page struct {
	Limit int
	After string // the id after which the page starts; empty for the first page
}

// InPage, with scope and bounds as its parameters, selects a page of one scope.
// It is a range of the index on (organization_id, livemode, id): with equalities the
// planner might read along the primary key instead, past the records of every other
// organization.
const InPage = `(organization_id, livemode, id) >= ($1, $2, '') AND (organization_id, livemode, id) < ($1, $2, $3)
	ORDER BY organization_id DESC, livemode DESC, id DESC LIMIT $4`

// Bounds gives the end of the range, on the first page a text above every id,
// and asks for one row more than the page has.
func (p Page) Bounds() (after string, rows int) {
	after = p.After
	if after == "" {
		after = "~"
	}
	return after, p.Limit + 1
}

// Cut leaves out the one row more that was asked for; more says whether there was one.
func Cut[T any](rows []T, limit int) (page []T, more bool) {
	if len(rows) > limit {
		return rows[:limit], true
	}
	return rows, false
}
