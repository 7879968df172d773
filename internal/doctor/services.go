package doctor

import (
	"context"
	"strings"

	"emissor/issuing/company/readiness"
	"emissor/nfse/fact"
)

const (
	mostServices = 1000 // of an organization that are looked at
	mostNamed    = 5    // of those that lack something
)

// services checks that the active live services have what the authority asks of one, as a classification.
func (d *Doctor) services(ctx context.Context, p patient) ([]Finding, error) {
	all, err := readiness.ActiveServices(ctx, d.Store, p.id, mostServices)
	if err != nil {
		return nil, err
	}
	ready, lacking := readiness.ReadyServices(p.profile.Authority, d.Tables.On(string(today())), all)
	which := strings.Join(lacking[:min(len(lacking), mostNamed)], ", ")
	if len(lacking) > mostNamed {
		which += " …"
	}
	seen := fact.DoctorServicesLack.With("lacking", len(lacking), "services", len(all), "which", which)
	switch {
	case len(all) == 0:
		return []Finding{problem(Services, fact.DoctorServicesNone.Fact(), fact.DoctorDoService.Fact())}, nil
	case len(ready) == 0:
		return []Finding{problem(Services, seen, fact.DoctorDoServices.Fact())}, nil
	case len(lacking) > 0:
		return []Finding{warning(Services, seen, fact.DoctorDoServices.Fact())}, nil
	}
	return []Finding{good(Services, fact.DoctorServicesGood.With("services", len(all)))}, nil
}
