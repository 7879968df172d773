package dashboard

import (
	"time"

	"emissor/fiscal/authorities"
	"emissor/issuing/company/whereissued"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// whereIssued is who takes the company's notes of today, as its page shows it.
type whereIssued struct {
	whereissued.Decision
	Names  []string  // of the authorities that take them
	Coming fact.Fact // from when on it is others; none where nothing is known of that
}

// whereIssued decides it by what is on record.
func (d *Dashboard) whereIssued(r *request, profile nfse.FiscalProfile) (*whereIssued, error) {
	company, decision, err := whereissued.Read(r.Context(), d.store, profile, nfse.DayOf(time.Now()))
	if err != nil {
		return nil, err
	}
	shown := whereIssued{Decision: decision}
	for _, name := range decision.Authorities {
		by, _ := authorities.Named(name)
		shown.Names = append(shown.Names, r.language.Of(by))
	}
	if coming, changes := company.Coming(decision.Day); changes {
		shown.Coming = coming.Said()
	}
	return &shown, nil
}

// whereToDecide is what a person does about the authority that the company's profile names, where another
// takes its notes too, or instead; none where there is nothing to do.
func (r *request) whereToDecide() (fact.Fact, error) {
	profile, err := r.profileOrNone()
	if err != nil || profile.Authority == "" {
		return fact.Fact{}, err
	}
	_, decision, err := whereissued.Read(r.Context(), r.d.store, profile, nfse.DayOf(time.Now()))
	if len(decision.Authorities) == 0 {
		return fact.Fact{}, err
	}
	return decision.Do, err
}

// OffCities says of each city among the choices whose row in the table of cities is off why that is so.
func (companyPage) OffCities() (off []fact.Fact) {
	for _, by := range authorities.All() {
		if by.Off != "" {
			off = append(off, fact.CityOff.With("city", municipalityName(by.Municipality), "why", by.WhyOff))
		}
	}
	return off
}
