package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/description"
	national "emissor/fiscal/national/rules"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Describe describes the cities of a table as authorities, in its order. A city that is off is one
// of them, so that a profile can be made ready for the day on which an operator turns it on.
func Describe(table *cities.Table) (described []description.Authority) {
	for _, name := range table.Names() {
		described = append(described, describe(table.OfName(name)))
	}
	return described
}

// describe describes the city of these rows: as the national system, but for what it wants beside.
func describe(rows []cities.Row) description.Authority {
	last := rows[len(rows)-1]
	city := last.Municipality().Name
	by := national.Description
	by.Name, by.English, by.Portuguese = last.Name, "City of "+city, "Prefeitura de "+city
	by.Municipality, by.Off, by.WhyOff = last.MunicipalityCode, last.Off, whyOff(last.Off)
	by.ValidateProfile = func(profile nfse.FiscalProfile) error { return validateProfile(last, profile) }
	of := Families[last.Family]
	by.TakesTurns, by.TakesLogin, by.TellsOfAll = of.TakesTurns, of.TakesLogin, false
	by.CityRefuses, by.Replacement = nil, nil
	by.GroupsObjection = func(declaration fiscal.Declaration) fact.Fact {
		return fact.First(Holds(rows, declaration), national.GroupsObjection(declaration))
	}
	by.MunicipalCodeDefect = func(serviceID, code string, day nfse.Day) fact.Fact {
		return codeDefect(rowOn(rows, day), serviceID, code)
	}
	by.Limits = func(day nfse.Day) description.Limits { return limits(rowOn(rows, day)) }
	by.ClassifiedFrom = of.IBSCBSRequiredFrom
	by.Catalogue, by.RepairOf = of.Catalogue, of.RepairOf
	return by
}

// validateProfile refuses a profile that the city could take no note of.
func validateProfile(row cities.Row, profile nfse.FiscalProfile) error {
	series := row.Series()
	switch {
	case profile.MunicipalityCode != row.MunicipalityCode:
		return nfse.Invalid("municipality_code", "must be that of the city, %s (%s)", row.MunicipalityCode,
			row.Municipality())
	case profile.MunicipalRegistration == nil:
		return nfse.Invalid("municipal_registration", "is needed by this city")
	case series != nil && (profile.Series < series.First || profile.Series > series.Last):
		return nfse.Invalid("series", "must be one that the city leaves to companies: %d to %d", series.First,
			series.Last)
	}
	if Families[row.Family].GrantsNumbers && profile.GrantedNumbers == nil {
		return nfse.Invalid("granted_numbers", "are needed: this city grants the numbers that a company uses")
	}
	profile.SendMunicipalRegistration = true
	return national.ValidateProfile(profile)
}

// rowOn is the row that holds on a day; where none does, the last.
func rowOn(rows []cities.Row, day nfse.Day) cities.Row {
	for _, row := range rows {
		if row.Holds(day) {
			return row
		}
	}
	return rows[len(rows)-1]
}

// limits are what a city does not do for its notes, by its row of a day.
func limits(row cities.Row) (limits description.Limits) {
	of, city := Families[row.Family], row.Municipality().String()
	limits.Replacing = fact.CityReplaces.With("city", city)
	if !row.Cancels(of.Cancels) {
		limits.Cancelling = fact.CityCancelsNothing.With("city", city)
	}
	if !of.Tells {
		limits.Telling = fact.CityTellsNothing.With("city", city)
	}
	return limits
}
