package fiscal

import (
	"fmt"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// TotalsComparer is an Authority of whose documents it is known which totals they have to state.
type TotalsComparer interface {
	// CompareTotals returns where the totals of a document are not those that its declaration
	// leads to; none where they agree. A member that is not stated, or of which nothing is
	// certain, is not compared.
	CompareTotals(declaration Declaration, document IssuedDocument) fact.Fact
}

// TotalsDiffer compares totals to the cent, member by member, where both are there. It names
// each member that differs, with what was expected and what is stated.
func TotalsDiffer(expected, stated nfse.Totals) (alarm fact.Fact) {
	known := map[string]int64{}
	for _, one := range expected.Stated() {
		known[one.Name] = one.Cents
	}
	for _, one := range stated.Stated() {
		if cents, is := known[one.Name]; is && cents != one.Cents {
			alarm = alarm.And(fact.TotalsDiffer.With("member", one.Name, "expected", Reais(cents), "stated",
				Reais(one.Cents)))
		}
	}
	return alarm
}

// Reais writes an amount as fiscal documents do: 1234.50.
func Reais(cents int64) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
