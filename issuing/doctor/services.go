package doctor

import (
	"context"

	"emissor/issuing/company"
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
	tables, lacking, which := d.Tables.On(string(today())), 0, []fact.Fact{}
	for _, service := range all {
		defects := company.ServiceDefects(p.profile.Authority, tables, service)
		if len(defects) == 0 {
			continue
		}
		if lacking++; lacking <= mostNamed {
			which = append(which, fact.DoctorServiceLacks.With("service", service.ID, "defect", defects[0]))
		}
	}
	seen := fact.DoctorServicesLack.With("lacking", lacking, "services", len(all), "which", which)
	switch {
	case len(all) == 0:
		return []Finding{problem(Services, fact.DoctorServicesNone.Fact(), fact.DoctorDoService.Fact())}, nil
	case lacking == len(all):
		return []Finding{problem(Services, seen, fact.DoctorDoServices.Fact())}, nil
	case lacking > 0:
		return []Finding{warning(Services, seen, fact.DoctorDoServices.Fact())}, nil
	}
	return []Finding{good(Services, fact.DoctorServicesGood.With("services", len(all)))}, nil
}
