// Package whereissued decides which authorities take the notes of a company of a day of competence, and
// compares them with the one that its fiscal profile names. It goes by the option of Simples Nacional,
// by what the company's city has set in the national system, and by the table of cities that issue by
// servers of their own. It reports, and changes nothing.
package whereissued

import (
	"context"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/cities"
	"emissor/fiscal/description"
	cityserver "emissor/fiscal/national/cityserver/rules"
	national "emissor/fiscal/national/rules"
	"emissor/internal/municipality"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
)

// Verdict says how the authority of a fiscal profile compares with those that take its notes.
type Verdict string

// The verdicts.
const (
	Right   Verdict = "right"
	Decide  Verdict = "decide"  // right, and another one takes them by now too: a person decides
	NotSure Verdict = "unsure"  // whether it takes them is not known
	Wrong   Verdict = "refuses" // it does not take them
)

// Company is what is known of a company.
type Company struct {
	Profile nfse.FiscalProfile
	// City is what its city has set in the national system; nil: nothing that counts is known.
	City *fiscal.City
}

// Decision is which authorities take a company's notes of a day of competence.
type Decision struct {
	Day         nfse.Day    `json:"day"`
	Authorities []string    `json:"authorities"` // by name; none: nobody, as far as is known
	Verdict     Verdict     `json:"verdict"`
	Why         []fact.Fact `json:"why"`
	Do          fact.Fact   `json:"do"` // what a person does; none where there is nothing to do
}

// takes is whether an authority takes notes, and why or why not.
type takes struct {
	authority description.Authority
	known, is bool
	why       fact.Fact
}

// Read decides about the company of a profile by what is on record.
func Read(ctx context.Context, db *store.Store, profile nfse.FiscalProfile, day nfse.Day) (Company, Decision, error) {
	of := Company{Profile: profile}
	record, err := db.Companies.City(ctx, company.CityOf(profile))
	if record.Counts && !profile.IgnoreMunicipalParameters {
		of.City = record.City
	}
	return of, of.On(day), err
}

// On decides about a day of competence.
func (c Company) On(day nfse.Day) Decision {
	decision := Decision{Day: day, Verdict: Wrong, Authorities: []string{}}
	country, city, hasCity := c.national(day), takes{}, false
	if city, hasCity = c.city(day); !hasCity {
		city = takes{known: true}
		country.is = country.is || !country.known // as is usual
	}
	for _, one := range []takes{city, country} {
		if one.is {
			decision.Authorities = append(decision.Authorities, one.authority.Name)
		}
		if !one.why.None() && !slices.ContainsFunc(decision.Why, one.why.Equal) {
			decision.Why = append(decision.Why, one.why)
		}
	}
	switch named := c.Profile.On(day).Authority; {
	case named == country.authority.Name && !country.known:
		decision.Verdict = NotSure
	case slices.Contains(decision.Authorities, named):
		decision.Verdict = Right
		if named != country.authority.Name && country.is {
			decision.Verdict, decision.Do = Decide, fact.WhereDecide.Fact()
		}
	case len(decision.Authorities) > 0:
		decision.Do = fact.WhereChangeTo.With("authority", called(decision.Authorities))
	default:
		decision.Do = fact.WhereIssueThere.Fact()
	}
	return decision
}

// national is whether the national system takes notes of the company. Companies in Simples Nacional issue there
// regardless of what their city has set: an MEI always, and an ME or EPP of competence from 2026-11-01 on (CGSN
// 191/2026), which is what CityRefuses goes by.
func (c Company) national(day nfse.Day) takes {
	by, _ := authorities.Named(national.Name)
	is := takes{authority: by, known: true, is: true}
	name := cityName(c.Profile.MunicipalityCode)
	if c.Profile.Simples != nfse.SimplesNone {
		is.why = cityserver.OfSimples(c.Profile, day)
		return is
	}
	if c.City == nil {
		return takes{authority: by, why: fact.WhereNationalNotKnown.With("city", name)}
	}
	refusal := by.CityRefuses(fiscal.Declaration{Issuer: c.Profile,
		Cities: map[string]fiscal.City{c.Profile.MunicipalityCode: *c.City}})
	if refusal.None() {
		is.why = fact.WhereNationalTakes.With("city", name)
		return is
	}
	return takes{authority: by, known: true, why: fact.WhereNationalRefuses.With("city", name,
		"parameter", refusal.Arguments["parameter"], "rule", refusal.Arguments["rule"])}
}

// city is whether the company's city takes its notes itself; has is false where it has no service of
// its own that the program knows.
func (c Company) city(day nfse.Day) (is takes, has bool) {
	code := c.Profile.MunicipalityCode
	all := authorities.All()
	i := slices.IndexFunc(all, func(a description.Authority) bool { return a.Municipality == code })
	if i < 0 || code == "" {
		return is, false
	}
	is = takes{authority: all[i], known: true, is: true}
	table := cities.Current()
	name, rows := cityName(code), table.OfName(all[i].Name)
	switch {
	case rows == nil && c.Profile.Simples != nfse.SimplesNone:
		is.is, is.why = false, fact.WhereNotOfSimples.With("city", name)
	case rows == nil:
		is.why = fact.WhereCityItself.With("city", name)
	default:
		if is.why = cityserver.Closed(rows, c.Profile, day); !is.why.None() {
			is.is = false
			return is, true
		}
		row, _ := table.Named(all[i].Name, day)
		is.why = fact.WhereCityServer.With("city", name, "from", row.From)
	}
	return is, true
}

// Coming is what is decided about the first day after another on which other authorities take the
// company's notes, by the days that are known of now.
func (c Company) Coming(after nfse.Day) (coming Decision, changes bool) {
	now := c.On(after)
	for _, day := range c.days() {
		if day <= after {
			continue
		}
		if coming = c.On(day); !slices.Equal(coming.Authorities, now.Authorities) {
			return coming, true
		}
	}
	return Decision{}, false
}

// days are those on which something may change, in order.
func (c Company) days() (days []nfse.Day) {
	for _, row := range cities.Current().Rows() {
		if row.MunicipalityCode != c.Profile.MunicipalityCode {
			continue
		}
		days = append(days, row.From)
		if row.Until != "" {
			days = append(days, row.Until.Before(-1))
		}
	}
	for _, move := range c.Profile.Moves {
		days = append(days, move.From)
	}
	slices.Sort(days)
	return days
}

// Said says of a coming decision from when on who takes the notes.
func (d Decision) Said() fact.Fact {
	if len(d.Authorities) == 0 {
		return fact.WhereNobody.With("day", d.Day)
	}
	return fact.WhereFrom.With("day", d.Day, "authority", called(d.Authorities))
}

// called are authorities as people call them.
func called(names []string) (all []fact.Fact) {
	for _, name := range names {
		by, _ := authorities.Named(name)
		one := fact.WhereByNational.With("name", name)
		if by.Municipality != "" {
			one = fact.WhereByCity.With("city", cityName(by.Municipality), "name", name)
		}
		all = append(all, one)
	}
	return all
}

func cityName(code string) string {
	city, _ := municipality.Find(code)
	return city.String()
}
