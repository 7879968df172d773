package cityserver

import (
	"slices"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// simplesNational is the first day of competence on which companies in Simples Nacional issue by
// the national system, whatever their city does (CGSN 191).
const simplesNational nfse.Day = "2026-11-01"

// holds says what only a person can give or decide before a declaration is sent to the city; none
// where nothing is missing.
func (a *Authority) holds(declaration fiscal.Declaration) fact.Fact {
	day, issuer := declaration.Note.Competence, declaration.Issuer
	i := slices.IndexFunc(a.rows, func(s served) bool { return s.Holds(day) })
	city := a.today().Municipality().String()
	if i < 0 {
		return fact.CityNotOnDay.With("city", city, "day", day)
	}
	row, service := a.rows[i].Row, declaration.Note.Service.ID
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
	case declaration.Details.Replaces != nil:
		return fact.CityReplaces.With("city", city)
	case row.MunicipalCode != nil && code == "":
		return fact.CityCodeMissing.With("city", city, "service", service)
	case row.MunicipalCode != nil && !row.MunicipalCode.Fit(code):
		return fact.CityCodeDigits.With("city", city, "service", service, "digits", row.MunicipalCode.String())
	}
	return fact.Fact{}
}
