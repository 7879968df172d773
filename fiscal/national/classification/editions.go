package classification

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"emissor/nfse"
)

// Editions are all editions of the tables.
type Editions struct{ list []*Edition }

// NewEditions are the ones that are built in, and those imported, in the order of
// their import: of two from the same day the later import counts.
func NewEditions(imported ...*Edition) *Editions {
	return &Editions{slices.Concat(builtIn(), imported)}
}

// On returns the tables in force on a day, as 2026-11-22.
func (e *Editions) On(day string) Tables {
	tables := Tables{Day: day, in: map[Table]*Edition{}}
	for _, edition := range e.list {
		if chosen := tables.in[edition.Table]; edition.From <= day && (chosen == nil || edition.From >= chosen.From) {
			tables.in[edition.Table] = edition
		}
	}
	return tables
}

// With adds editions that are imported after these.
func (e *Editions) With(imported ...*Edition) *Editions {
	return &Editions{slices.Concat(e.list, imported)}
}

// All lists them: those built in, and those imported in their order.
func (e *Editions) All() []*Edition { return e.list }

// Tables are the tables in force on a day.
type Tables struct {
	Day    string
	in     map[Table]*Edition
	indOps Table // of the indicators of the operation; empty: Annex C
}

// WithIndOps returns the tables with another one of indicators of the operation in the
// place of Annex C: that of an authority which applies it.
func (t Tables) WithIndOps(table Table) Tables {
	t.indOps = table
	return t
}

// IndOpTable is the table of indicators of the operation.
func (t Tables) IndOpTable() Table { return cmp.Or(t.indOps, TableIndOp) }

// Edition returns the edition of a table that is in force; nil when there is
// none.
func (t Tables) Edition(table Table) *Edition { return t.in[table] }

// empty stands for the edition of a table that there is none of.
var empty = &Edition{}

func (t Tables) edition(table Table) *Edition {
	if edition := t.in[table]; edition != nil {
		return edition
	}
	return empty
}

// CST finds a kind of taxation.
func (t Tables) CST(code string) (row CST, ok bool) {
	row, ok = t.edition(TableCST).cst[code]
	return row, ok
}

// ClassTrib finds a classification, whether or not it is valid on the day.
func (t Tables) ClassTrib(code string) (row ClassTrib, ok bool) {
	row, ok = t.edition(TableClassTrib).classTribs[code]
	return row, ok
}

// ClassTribs are all classifications, in order.
func (t Tables) ClassTribs() []ClassTrib { return sorted(t.edition(TableClassTrib).classTribs) }

// CSTs are all kinds of taxation, in order.
func (t Tables) CSTs() []CST { return sorted(t.edition(TableCST).cst) }

// IndOp finds an indicator of the operation.
func (t Tables) IndOp(code string) (row IndOp, ok bool) {
	row, ok = t.edition(t.IndOpTable()).indOps[code]
	return row, ok
}

// IndOps are all indicators of the operation, in order.
func (t Tables) IndOps() []IndOp { return sorted(t.edition(t.IndOpTable()).indOps) }

// CredPres finds a presumed credit, where the table was imported.
func (t Tables) CredPres(code string) (row CredPres, ok bool) {
	row, ok = t.edition(TableCredPres).credPres[code]
	return row, ok
}

// NBS reports whether Annex B lists a code, and its name in the words of the annex.
func (t Tables) NBS(code string) (name string, ok bool) {
	name, ok = t.edition(TableNBS).names[code]
	return name, ok
}

// ServiceCode finds a national tax code in Annex B, where that was imported.
func (t Tables) ServiceCode(code string) (name string, ok bool) {
	name, ok = t.edition(TableServiceCode).names[code]
	return name, ok
}

func sorted[Row any](rows map[string]Row) []Row {
	list := make([]Row, 0, len(rows))
	for _, code := range slices.Sorted(maps.Keys(rows)) {
		list = append(list, rows[code])
	}
	return list
}

// Day is the day of a moment where days of competence are counted, in Brasília.
func Day(at time.Time) string {
	return string(nfse.DayOf(at))
}
