package doctor

import (
	"context"
	"time"

	"emissor/issuing/company/whereissued"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// city checks that the authority of the profile is one that takes the company's notes of today, by what the
// city has set in the national system (its convênio) and by the table of cities.
func (d *Doctor) city(ctx context.Context, p patient) ([]Finding, error) {
	_, decision, err := whereissued.Read(ctx, d.Store, p.profile, today())
	if err != nil {
		return nil, err
	}
	var seen fact.Fact
	for _, why := range decision.Why {
		seen = seen.And(why)
	}
	switch decision.Verdict {
	case whereissued.Wrong:
		return []Finding{problem(City, fact.First(seen, decision.Do), decision.Do)}, nil
	case whereissued.Decide:
		return []Finding{warning(City, seen, decision.Do)}, nil
	case whereissued.NotSure:
		if p.profile.IgnoreMunicipalParameters {
			return []Finding{skipped(City, fact.DoctorCityIgnored.Fact())}, nil
		}
		return []Finding{warning(City, seen, fact.DoctorDoCity.Fact())}, nil
	}
	return []Finding{good(City, seen)}, nil
}

func today() nfse.Day { return nfse.DayOf(time.Now()) }
