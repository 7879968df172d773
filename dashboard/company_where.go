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

// offCity is a city that can be chosen as the authority, and why notes are not issued by it yet.
type offCity struct {
	City string
	Why  fact.Fact
}

// OffCities are the cities among the choices whose row in the table of cities is off.
func (companyPage) OffCities() (off []offCity) {
	for _, by := range authorities.All() {
		if by.Off != "" {
			city := municipalityName(by.Municipality)
			off = append(off, offCity{city, fact.CityOff.With("city", city, "why", by.Off)})
		}
	}
	return off
}
