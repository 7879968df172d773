package company

import (
	"emissor/cmd/emissor/cli"
	"emissor/dashboard/words"
	"emissor/nfse"
)

// printTotals prints the amounts that a note's document states, a line each.
func printTotals(line func(name string, value any), authority *nfse.Authorization) {
	if authority == nil {
		return
	}
	for _, one := range authority.Totals.Stated() {
		line(words.English.Say("note.totals."+one.Name), cli.Reais(one.Cents))
	}
}
