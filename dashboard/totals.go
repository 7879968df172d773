package dashboard

import "emissor/nfse"

// totalColumns are those of a download with what a note's document states, by the keys of their names.
func totalColumns() []string {
	columns := []string{"note.totals.total", "note.totals.net", "note.totals.withheld"}
	for _, name := range taxesOfTotals {
		columns = append(columns, "note.totals."+name)
	}
	return columns
}

// taxesOfTotals are the members of totals that are taxes.
var taxesOfTotals = []string{"iss", "iss_withheld", "irrf", "csrf", "inss", "ibs", "cbs"}

// totalCells are the cells of totalColumns; empty where the document does not state the amount.
func totalCells(totals *nfse.Totals, write func(cents int64) string) []string {
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
	for _, name := range taxesOfTotals {
		cells = append(cells, amount(stated[name]))
	}
	return cells
}
