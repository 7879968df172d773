package taxation

import (
	"cmp"

	"emissor/fiscal"
	"emissor/nfse"
)

// PartiesAbroad says which of a declaration's parties and places are in another country.
type PartiesAbroad struct{ Taker, Intermediary, Place bool }

// AbroadOf finds what of a declaration is abroad.
func AbroadOf(declaration fiscal.Declaration) PartiesAbroad {
	intermediary := declaration.Details.Intermediary
	return PartiesAbroad{
		Taker:        declaration.Details.ForeignTaker != nil,
		Intermediary: intermediary != nil && intermediary.Foreign != nil,
		Place:        PlaceOf(declaration).Abroad(),
	}
}

// Any reports whether anything is abroad.
func (a PartiesAbroad) Any() bool { return a.Taker || a.Intermediary || a.Place }

// The movements of goods that a service goes with (movTempBens); 0 is none stated, which is NoGoods.
const (
	NoGoods       = 1
	GoodsImported = 2 // for a time: with the number of the import declaration (E0352)
	GoodsExported = 3 // for a time: with the number of the export record (E0356)
)

// Due is to which municipality the ISS of a kind of service is due (MUN.INCID_INFO.SERV.).
type Due int

// The municipalities.
const (
	DueAtProvider Due = iota // where the provider is established
	DueAtTaker
	DueAtPlace // where the service is rendered
	DueNowhere // of what the ISS is never due
)

// DueOf returns it for a national tax code.
func DueOf(code string) Due {
	switch {
	case NeverTaxed(code):
		return DueNowhere
	case DueToCustomersCity(code):
		return DueAtTaker
	case len(code) == 6 && dueAtPlace[code[:4]]:
		return DueAtPlace
	}
	return DueAtProvider
}

// Export is what the authority's table of exports (EXPORTACAO_EMISSÃO_NFS-e) says of one case.
type Export struct {
	Refused       string // the rule by which the authority refuses the case; empty for none
	ForeignTrade  bool   // the group comExt and an NBS code are needed (E0318, E0330)
	ResultCountry bool   // cPaisResult is needed (E0590); else it is forbidden (E0591)
}

// The rules by which cases of the table are refused.
const (
	RuleNoExport      = "E0529" // it is taxed in Brazil, and declared as exported
	RuleExport        = "E0530" // it is exported, and declared as taxed here
	RuleOnlyByTheCity = "E0539" // only a city can say that a service of the list is not taxed
)

// ExportOf decides a case, by rules that give the same as every row of the table. A service of
// the list that is declared as not taxed is refused unless its city says the same.
func ExportOf(abroad PartiesAbroad, due Due, iss ISSTaxation) Export {
	export := Export{ForeignTrade: abroad.Any() || iss == Exported}
	dueHere := due == DueAtPlace || due == DueAtTaker && !abroad.Taker
	dueAbroad := due == DueAtPlace || due == DueAtTaker && abroad.Taker
	switch {
	case iss == NotTaxed && due != DueNowhere:
		export.Refused = RuleOnlyByTheCity
	case iss == Exported && !abroad.Place && dueHere:
		export.Refused = RuleNoExport
	case iss == Taxable && abroad.Place && dueAbroad:
		export.Refused = RuleExport
	default:
		export.ResultCountry = iss == Exported && !abroad.Place
	}
	return export
}

// ExportOfDeclaration decides the case of a declaration.
func ExportOfDeclaration(declaration fiscal.Declaration) Export {
	return ExportOf(AbroadOf(declaration), DueOf(codeOf(declaration)), ISSOf(declaration))
}

// Real is the real in the table of currencies of the central bank (tpMoeda).
const Real = "790"

// CurrencyOf returns the currency of a price that has to do with another country: where none is
// stated, the real of the note.
func CurrencyOf(abroad nfse.Abroad) string { return cmp.Or(abroad.Currency, Real) }
