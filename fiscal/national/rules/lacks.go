package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Lacks says what a declaration lacks that can be set for its service or its customer: its note
// waits for that. None where nothing is missing.
func Lacks(declaration fiscal.Declaration) fact.Fact {
	for _, find := range []func(fiscal.Declaration) fact.Fact{
		workLacks, eventLacks, issLacks, foreignTradeLacks,
	} {
		if missing := find(declaration); !missing.None() {
			return missing
		}
	}
	return fact.Fact{}
}

func workLacks(declaration fiscal.Declaration) fact.Fact {
	work, code := taxation.WorkOf(declaration), codeOf(declaration)
	switch {
	case work == nil && taxation.NeedsWorks(code) && declaration.WorkID() != "":
		return fact.WorkClosed.With("work", declaration.WorkID())
	case work == nil && taxation.NeedsWorks(code):
		return fact.WorkMissing.With("tax_code", code)
	case work != nil && lacksCountry(declaration, work.Foreign):
		return fact.ForeignTradeLacks.With("rule", "E0384", "field", "country")
	case work != nil && place(declaration) == taxation.Place{}:
		return fact.WorkLacks.With("field", "municipality_code")
	}
	return fact.Fact{}
}

func eventLacks(declaration fiscal.Declaration) fact.Fact {
	event, code := taxation.EventOf(declaration), codeOf(declaration)
	switch {
	case event == nil && taxation.NeedsEvent(code) && declaration.EventID() != "":
		return fact.EventClosed.With("event", declaration.EventID())
	case event == nil && taxation.NeedsEvent(code):
		return fact.EventMissing.With("tax_code", code)
	case event != nil && lacksCountry(declaration, event.Foreign):
		return fact.ForeignTradeLacks.With("rule", "E0402", "field", "country")
	case event != nil && place(declaration) == taxation.Place{}:
		return fact.EventLacks.With("field", "municipality_code")
	}
	return fact.Fact{}
}

func issLacks(declaration fiscal.Declaration) fact.Fact {
	iss := declaration.ISS()
	lacks := func(rule, field string) fact.Fact {
		return fact.ISSTreatmentLacks.With("rule", rule, "field", field)
	}
	switch {
	case iss.Kind == nfse.ISSImmune && iss.Immunity == 0:
		return lacks("E0593", "immunity")
	case iss.Kind == nfse.ISSSuspended && iss.Suspension == 0:
		return lacks("E0585", "suspension")
	case iss.Kind == nfse.ISSSuspended && iss.Process == "":
		return lacks("E0585", "process")
	case iss.Kind == nfse.ISSBenefit && iss.Benefit == "":
		return lacks("E0541", "benefit")
	case iss.Kind == nfse.ISSBenefit && !taxation.DueToActiveCity(declaration):
		city := taxation.Incidence(declaration)
		return fact.BenefitOfInactiveCity.With("municipality", city, "if_wrong", ifWrong(declaration.Issuer, city))
	}
	return fact.Fact{}
}

// foreignTradeLacks says what the group comExt lacks, and cPaisResult. Of how the service is
// rendered (mdPrestacao) only two kinds are offered: schema and annex disagree on the others.
func foreignTradeLacks(declaration fiscal.Declaration) fact.Fact {
	export, abroad := taxation.ExportOfDeclaration(declaration), declaration.Abroad()
	if !export.ForeignTrade {
		return fact.Fact{}
	}
	for _, need := range []struct {
		rule, field string
		missing     bool
	}{
		{"E0330", "mode", abroad.Mode != 1 && abroad.Mode != 2},
		{"E0330", "amount_cents", abroad.AmountCents == 0 && taxation.CurrencyOf(abroad) != taxation.Real},
		{"E0352", "import_declaration", abroad.Goods == taxation.GoodsImported && abroad.ImportDeclaration == ""},
		{"E0356", "export_record", abroad.Goods == taxation.GoodsExported && abroad.ExportRecord == ""},
		{"E0590", "result_country", export.ResultCountry && abroad.ResultCountry == ""},
	} {
		if need.missing {
			return fact.ForeignTradeLacks.With("rule", need.rule, "field", need.field)
		}
	}
	return fact.Fact{}
}
