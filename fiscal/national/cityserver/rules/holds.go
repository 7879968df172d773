package rules

import (
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// simplesNational is the first day of competence on which companies in Simples Nacional issue by the national system,
// no matter what their city does (CGSN 191).
const simplesNational nfse.Day = "2026-11-01"

// OfSimples says that an issuer, being in Simples Nacional, issues by the national system of a day of competence, no
// matter what its city does; none where that is not so.
func OfSimples(issuer nfse.FiscalProfile, day nfse.Day) fact.Fact {
	switch {
	case issuer.Simples == nfse.SimplesMEI:
		return fact.CityOfMEI.Fact()
	case issuer.Simples == nfse.SimplesME && day >= simplesNational:
		return fact.CityOfSimples.With("from", simplesNational)
	}
	return fact.Fact{}
}

// Closed says why the city of these rows takes no notes of an issuer from here of a day of competence, no matter what
// they declare; none where it does.
func Closed(rows []cities.Row, issuer nfse.FiscalProfile, day nfse.Day) fact.Fact {
	city := rows[0].Municipality().String()
	i := slices.IndexFunc(rows, func(r cities.Row) bool { return r.Holds(day) })
	switch simples := OfSimples(issuer, day); {
	case !simples.None():
		return simples
	case i < 0:
		return fact.CityNotOnDay.With("city", city, "day", day)
	case !rows[i].On():
		return fact.CityOff.With("city", city, "why", whyOff(rows[i].Off))
	case !issuer.TaxID.IsCNPJ():
		return fact.CityOfIndividual.With("city", city)
	}
	return fact.Fact{}
}

// Holds says what only a person can give or decide before a declaration is sent to the city of these
// rows; none where nothing is missing.
func Holds(rows []cities.Row, declaration fiscal.Declaration) fact.Fact {
	day, issuer := declaration.Note.Competence, declaration.Issuer
	if closed := Closed(rows, issuer, day); !closed.None() {
		return closed
	}
	row := rowOn(rows, day)
	city, series := row.Municipality().String(), row.Series()
	switch {
	case issuer.MunicipalRegistration == nil:
		return fact.CityRegistrationMissing.With("city", city)
	case series != nil && (issuer.Series < series.First || issuer.Series > series.Last):
		return fact.CitySeries.With("city", city, "first", series.First, "last", series.Last, "series", issuer.Series)
	case Families[row.Family].GrantsNumbers && issuer.GrantedNumbers == nil:
		return fact.CityNumbersMissing.With("city", city, "series", issuer.Series)
	case declaration.Details.Replaces != nil:
		return fact.CityReplaces.With("city", city)
	}
	if defect := codeDefect(row, declaration.Note.Service.ID, declaration.MunicipalCode()); !defect.None() {
		return defect
	}
	if holds := Families[row.Family].Holds; holds != nil {
		return holds(row, declaration)
	}
	return fact.Fact{}
}

// codeDefect says what is wrong with the city's own code of a service (cTribMun); none where the code
// is right, or none is wanted.
func codeDefect(row cities.Row, serviceID, code string) fact.Fact {
	city := row.Municipality().String()
	switch wanted := row.MunicipalCode; {
	case wanted == nil || wanted.Fit(code):
		return fact.Fact{}
	case code == "":
		return fact.CityCodeMissing.With("city", city, "service", serviceID)
	default:
		return fact.CityCodeDigits.With("city", city, "service", serviceID, "digits", wanted.String())
	}
}
