package doctor

import (
	"context"
	"errors"

	"emissor/internal/panics"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
)

// patient is an organization that is examined.
type patient struct {
	id      string
	named   bool               // it was asked for: that it issues no live notes is wrong
	profile nfse.FiscalProfile // as it holds today
	err     error              // why there is none
}

// patients are the organizations to examine. unknown says why there are none.
func (d *Doctor) patients(ctx context.Context, organizationID string) (patients []patient, unknown []Finding) {
	unknown = d.check(ctx, Existence, func(ctx context.Context) ([]Finding, error) {
		if !d.readable(ctx) {
			return []Finding{skipped(Existence, fact.DoctorNeedsFirst.Fact())}, nil
		}
		ids, err := d.ids(ctx, organizationID)
		if nfse.IsCode(err, nfse.CodeNotFound) {
			return []Finding{problem(Existence, fact.DoctorOrganizationGone.Fact(), fact.DoctorDoOrganization.Fact())}, nil
		}
		for _, id := range ids {
			one := patient{id: id, named: organizationID != ""}
			one.profile, one.err = d.profileOf(ctx, id)
			patients = append(patients, one)
		}
		return nil, err
	})
	return patients, unknown
}

func (d *Doctor) ids(ctx context.Context, organizationID string) (ids []string, err error) {
	if organizationID != "" {
		_, err := d.Store.Access.Organization(ctx, organizationID)
		return []string{organizationID}, err
	}
	all, err := d.Store.Access.Organizations(ctx)
	for _, one := range all {
		ids = append(ids, one.ID)
	}
	return ids, err
}

// profileOf reads a profile; one that cannot be read is an error, also where reading panics.
func (d *Doctor) profileOf(ctx context.Context, id string) (profile nfse.FiscalProfile, err error) {
	err = panics.Caught(func() (err error) {
		profile, err = d.Store.Companies.FiscalProfile(ctx, id)
		profile = profile.On(today())
		return err
	})
	return profile, err
}

// organization examines one organization. What needs its profile is left out where there is none.
func (d *Doctor) organization(ctx context.Context, p patient) (found []Finding) {
	look := func(name Name, look func(context.Context, patient) ([]Finding, error)) {
		found = append(found, d.check(ctx, name, func(ctx context.Context) ([]Finding, error) { return look(ctx, p) })...)
	}
	look(Profile, d.profile)
	if p.err == nil {
		opened := &credentials{}
		look(TaxID, d.taxID)
		look(Certificate, opened.look(d))
		look(Login, opened.openLogin(d))
		look(Series, d.series)
		look(City, d.city)
		look(Services, d.services)
		look(Question, opened.question(d))
		if d.FirstContact {
			found = append(found, opened.meet(ctx, d, p)...)
		}
	}
	look(Webhooks, d.webhooks)
	for i := range found {
		found[i].Organization = p.id
	}
	return found
}

// profile checks the profile by the rules of its authorities.
func (d *Doctor) profile(_ context.Context, p patient) ([]Finding, error) {
	do := fact.DoctorDoProfile.Fact()
	switch {
	case errors.Is(p.err, companies.ErrNoFiscalProfile) && !p.named:
		return []Finding{skipped(Profile, fact.DoctorProfileMissing.Fact())}, nil
	case errors.Is(p.err, companies.ErrNoFiscalProfile):
		return []Finding{problem(Profile, fact.DoctorProfileMissing.Fact(), do)}, nil
	case p.err != nil:
		return []Finding{problem(Profile, fact.DoctorProfileUnreadable.Fact(), do)}, nil
	}
	var wrong *nfse.Error
	switch err := company.CheckProfile(p.profile); {
	case errors.As(err, &wrong):
		why := fact.First(wrong.Reason, fact.InWords(wrong.Message))
		return []Finding{problem(Profile, fact.DoctorProfileWrong.With("field", wrong.Field, "why", why), do)}, nil
	case err != nil:
		return nil, err
	}
	return []Finding{good(Profile, fact.DoctorProfileGood.With("authority", called(p.profile.Authority),
		"series", p.profile.Series, "environment", nfse.EnvironmentName(p.profile.Production)))}, nil
}

// taxID checks that the issuer is shown to be the organization's: of another's nothing is asked or shown.
func (d *Doctor) taxID(ctx context.Context, p patient) ([]Finding, error) {
	var unshown *nfse.Error
	switch err := d.Store.Companies.CheckTaxID(ctx, p.profile); {
	case errors.As(err, &unshown):
		return []Finding{problem(TaxID, fact.DoctorTaxIDNot.Fact(), fact.DoctorDoTaxID.Fact())}, nil
	case err != nil:
		return nil, err
	}
	return []Finding{good(TaxID, fact.DoctorTaxIDShown.Fact())}, nil
}

// series checks that nothing holds the profile's series, and that numbers are left of those that a city
// has granted.
func (d *Doctor) series(ctx context.Context, p patient) (found []Finding, err error) {
	if d.Store.Companies.CheckTaxID(ctx, p.profile) != nil {
		return []Finding{skipped(Series, fact.DoctorNeedsFirst.Fact())}, nil
	}
	held, err := d.Store.Numbers.SeriesHeld(ctx, p.profile.SeriesKey())
	switch {
	case err != nil:
		return nil, err
	case !held.None():
		found = append(found, problem(Series, fact.DoctorSeriesHeld.With("series", p.profile.Series, "why", held),
			fact.DoctorDoHeld.Fact()))
	default:
		found = append(found, good(Series, fact.DoctorSeriesGood.With("series", p.profile.Series)))
	}
	if p.profile.GrantedNumbers == nil {
		return found, nil
	}
	next, err := d.Store.Lifecycle.NextNumber(ctx, p.profile)
	if err != nil {
		return found, err
	}
	left, few := p.profile.GrantedNumbers.Left(next)
	seen := fact.DoctorNumbersFew.With("left", left)
	switch {
	case left == 0:
		found = append(found, problem(Series, seen, fact.DoctorDoNumbers.Fact()))
	case few:
		found = append(found, warning(Series, seen, fact.DoctorDoNumbers.Fact()))
	}
	return found, nil
}
