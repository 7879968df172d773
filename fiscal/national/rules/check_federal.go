package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/fiscal/taxes"
	"emissor/nfse/fact"
)

// federalViolation finds withholdings that take the price, or together with what else is taken
// of it more than the price. A rate that is not sent is the city's, and not known.
func federalViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	federal, price := taxes.FederalOf(declaration), declaration.Note.AmountCents
	for _, withheld := range []struct {
		rule  string
		cents int64
	}{{"E0699", federal.INSS}, {"E0700", federal.IRRF}, {"E0701", federal.CSRF()}} {
		if withheld.cents > 0 && withheld.cents >= price {
			return rulecatalogue.Breaks(withheld.rule, fact.WithheldTakesPrice.Fact())
		}
	}
	if taxes.Taken(declaration, taxation.SentRate(declaration)) > price {
		return rulecatalogue.Breaks("E0428", fact.MoreTakenThanPrice.Fact())
	}
	return nil
}
