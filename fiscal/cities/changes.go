package cities

import "emissor/nfse"

// What becomes of a row when another table takes the place of the one before.
const (
	Added     = "added"
	Removed   = "removed"
	TurnedOn  = "turned on"
	TurnedOff = "turned off"
	Changed   = "changed"
)

// Change is what another table makes of a row, which is named by its city and its first day.
type Change struct {
	Name    string   `json:"name"`
	From    nfse.Day `json:"from"`
	Change  string   `json:"change"`
	Columns []string `json:"columns"` // that have other values
}

// Changes are what is different in a table that takes the place of another.
func Changes(before, after *Table) (changes []Change) {
	for _, row := range before.rows {
		if _, stays := after.beginning(row); !stays {
			changes = append(changes, Change{row.Name, row.From, Removed, []string{}})
		}
	}
	for _, row := range after.rows {
		old, known := before.beginning(row)
		switch {
		case !known:
			changes = append(changes, Change{row.Name, row.From, Added, []string{}})
		case !row.Same(old):
			changes = append(changes, Change{row.Name, row.From, changeOf(old, row), differing(old, row)})
		}
	}
	return changes
}

// beginning is the row of the same city that begins on the same day.
func (t *Table) beginning(like Row) (row Row, known bool) {
	return t.first(func(r Row) bool { return r.Name == like.Name && r.From == like.From })
}

func changeOf(before, after Row) string {
	switch {
	case after.On() && !before.On():
		return TurnedOn
	case before.On() && !after.On():
		return TurnedOff
	}
	return Changed
}

func differing(before, after Row) (names []string) {
	for i, column := range columns {
		if before.values[i] != after.values[i] {
			names = append(names, column.name)
		}
	}
	return names
}
