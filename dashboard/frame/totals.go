package frame

import (
	"emissor/nfse"
)

// NumberOf is the number of an issued note's document; empty where there is none.
func NumberOf(note nfse.Note) string {
	if note.Authority == nil {
		return ""
	}
	return nfse.OrEmpty(note.Authority.Number)
}

// TotalColumns are the columns of a download with what a note's document states, by the keys of their names.
func TotalColumns() []string {
	columns := []string{"note.totals.total", "note.totals.net", "note.totals.withheld"}
	for _, name := range TaxesOfTotals {
		columns = append(columns, "note.totals."+name)
	}
	return columns
}

// TaxesOfTotals are the members of totals that are taxes.
var TaxesOfTotals = []string{"iss", "iss_withheld", "irrf", "csrf", "inss", "ibs", "cbs"}

// TotalCells are the cells of TotalColumns; empty where the document does not state the amount.
func TotalCells(totals *nfse.Totals, write func(cents int64) string) []string {
	amount := func(cents *int64) string {
		if cents == nil {
			return ""
		}
		return write(*cents)
	}
	cells := []string{amount(totals.Charged()), amount(totals.Net()), amount(totals.Withheld())}
	stated := map[string]*int64{}
	for _, one := range totals.Stated() {
		stated[one.Name] = &one.Cents
	}
	for _, name := range TaxesOfTotals {
		cells = append(cells, amount(stated[name]))
	}
	return cells
}
