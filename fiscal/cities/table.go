package cities

import (
	_ "embed"
	"slices"
	"sync"

	"emissor/nfse"
)

// Table are the rows of all cities, in the order of the file. It is never changed.
type Table struct {
	ID   string // of the import; empty: the table that is built in
	File string // what it was read from
	rows []Row
}

//go:embed builtin.tsv
var builtIn string

// BuiltIn is the table that comes with the program, of families that it speaks.
var BuiltIn = sync.OnceValue(func() *Table {
	table, _, err := parse(builtIn)
	if err != nil {
		panic("the table of cities: " + err.Error())
	}
	return &table
})

// Rows are all rows.
func (t *Table) Rows() []Row { return slices.Clone(t.rows) }

// Names returns the names of the cities, each once.
func (t *Table) Names() (names []string) {
	for _, row := range t.rows {
		if !slices.Contains(names, row.Name) {
			names = append(names, row.Name)
		}
	}
	return names
}

// OfName are the rows of a name.
func (t *Table) OfName(name string) (rows []Row) {
	for _, row := range t.rows {
		if row.Name == name {
			rows = append(rows, row)
		}
	}
	return rows
}

// Named is the row of a name that holds on a day of competence.
func (t *Table) Named(name string, day nfse.Day) (row Row, known bool) {
	return t.first(func(r Row) bool { return r.Name == name && r.Holds(day) })
}

// OfMunicipality is the row of a city that holds on a day of competence.
func (t *Table) OfMunicipality(code string, day nfse.Day) (row Row, known bool) {
	return t.first(func(r Row) bool { return r.MunicipalityCode == code && r.Holds(day) })
}

func (t *Table) first(is func(Row) bool) (row Row, known bool) {
	i := slices.IndexFunc(t.rows, is)
	if i < 0 {
		return Row{}, false
	}
	return t.rows[i], true
}

// Has reports whether a table has a row as it is.
func (t *Table) Has(like Row) bool {
	return slices.ContainsFunc(t.rows, func(r Row) bool { return r.Same(like) })
}
