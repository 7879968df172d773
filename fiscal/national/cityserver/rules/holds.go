package rules

import (
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// simplesNational is the first day of competence on which companies in Simples Nacional issue by
// the national system, whatever their city does (CGSN 191).
const simplesNational nfse.Day = "2026-11-01"

// Holds says what only a person can give or decide before a declaration is sent to the city of these
// rows; none where nothing is missing.
func Holds(rows []cities.Row, declaration fiscal.Declaration) fact.Fact {
	day, issuer := declaration.Note.Competence, declaration.Issuer
	city := rows[0].Municipality().String()
	i := slices.IndexFunc(rows, func(r cities.Row) bool { return r.Holds(day) })
	if i < 0 {
		return fact.CityNotOnDay.With("city", city, "day", day)
	}
	row, service := rows[i], declaration.Note.Service.ID
	series := row.Series()
	switch code := declaration.MunicipalCode(); {
	case !row.On():
		return fact.CityOff.With("city", city, "why", row.Off)
	case !issuer.TaxID.IsCNPJ():
		return fact.CityOfIndividual.With("city", city)
	case issuer.Simples != nfse.SimplesNone && day >= simplesNational:
		return fact.CityOfSimples.With("from", simplesNational)
	case issuer.MunicipalRegistration == nil:
		return fact.CityRegistrationMissing.With("city", city)
	case series != nil && (issuer.Series < series.First || issuer.Series > series.Last):
		return fact.CitySeries.With("city", city, "first", series.First, "last", series.Last, "series", issuer.Series)
	case Families[row.Family].GrantsNumbers && issuer.GrantedNumbers == nil:
		return fact.CityNumbersMissing.With("city", city, "series", issuer.Series)
	case declaration.Details.Replaces != nil:
		return fact.CityReplaces.With("city", city)
	case row.MunicipalCode != nil && code == "":
		return fact.CityCodeMissing.With("city", city, "service", service)
	case row.MunicipalCode != nil && !row.MunicipalCode.Fit(code):
		return fact.CityCodeDigits.With("city", city, "service", service, "digits", row.MunicipalCode.String())
	}
	if holds := Families[row.Family].Holds; holds != nil {
		return holds(row, declaration)
	}
	return fact.Fact{}
}
