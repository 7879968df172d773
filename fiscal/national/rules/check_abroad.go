package rules

import (
	"regexp"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

var (
	currencyForm  = regexp.MustCompile(`^[0-9]{3}$`)
	mechanismForm = regexp.MustCompile(`^(0[1-9]|1[0-9]|2[0-6])$`)
)

// abroadViolation finds what is wrong with what a service has to do with another country. What
// of it is missing is held: see Hold.
func abroadViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	breaks := func(rule string) *rulecatalogue.Violation {
		return rulecatalogue.Breaks(rule, fact.ForeignTradeRefused.Fact())
	}
	export, abroad := taxation.ExportOfDeclaration(declaration), declaration.Abroad()
	switch export.Refused {
	case taxation.RuleNoExport, taxation.RuleExport:
		return breaks(export.Refused)
	}
	if !export.ForeignTrade {
		return nil
	}
	switch {
	case export.ResultCountry && abroad.ResultCountry != "" && !schema.ForeignCountry(abroad.ResultCountry):
		return detailViolation("abroad.result_country")
	case abroad.Goods <= taxation.NoGoods && (abroad.ImportDeclaration != "" || abroad.ExportRecord != ""):
		return breaks("E0354")
	}
	return foreignTradeViolation(abroad)
}

// relationships are the relationships of the parties that the layout knows (vincPrest).
var relationships = []int{0, 1, 2, 3, 4, 5, 6, 9}

// foreignTradeViolation finds a value that the group comExt cannot carry.
func foreignTradeViolation(abroad nfse.Abroad) *rulecatalogue.Violation {
	for _, part := range []struct {
		field string
		fits  bool
	}{
		{"relationship", slices.Contains(relationships, abroad.Relationship)},
		{"currency", abroad.Currency == "" || currencyForm.MatchString(abroad.Currency)},
		{"amount_cents", abroad.AmountCents >= 0 && abroad.AmountCents <= nfse.MaxAmountCents},
		{"provider_mechanism", abroad.ProviderMechanism == "" ||
			mechanismForm.MatchString(abroad.ProviderMechanism) && abroad.ProviderMechanism <= "08"},
		{"taker_mechanism", abroad.TakerMechanism == "" || mechanismForm.MatchString(abroad.TakerMechanism)},
		{"goods", abroad.Goods >= 0 && abroad.Goods <= taxation.GoodsExported},
		{"import_declaration", abroad.ImportDeclaration == "" ||
			isLine(abroad.ImportDeclaration, schema.MaxTradeNumber)},
		{"export_record", abroad.ExportRecord == "" || isLine(abroad.ExportRecord, schema.MaxTradeNumber)},
	} {
		if !part.fits {
			return detailViolation("abroad." + part.field)
		}
	}
	return nil
}
