package doctor

import (
	"context"
	"errors"
	"math"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
)

// fewDays is how many days before its end somebody is to renew a certificate: from then on people are told.
const fewDays = 30

// credentials are the certificate of an organization, once it was opened, and its login with its city.
type credentials struct {
	*fiscal.Credentials // nil: nothing is asked in its name
	login               *fiscal.Login
}

// access is on whose behalf the authority of a profile is asked.
func (c *credentials) access(profile nfse.FiscalProfile) fiscal.Access {
	return fiscal.Access{Production: profile.Production, Credentials: c.Credentials, Login: c.login}
}

// look opens the organization's certificate as the worker does, of the usable ones the newest that opens,
// and checks it.
func (c *credentials) look(d *Doctor) func(context.Context, patient) ([]Finding, error) {
	return func(ctx context.Context, p patient) ([]Finding, error) {
		if d.Sealer == nil {
			return []Finding{skipped(Certificate, fact.DoctorNeedsFirst.Fact())}, nil
		}
		now := time.Now()
		usable, err := d.Store.Companies.UsableCertificates(ctx, p.id, company.Holder(p.profile), now)
		var none *companies.NoUsableCertificate
		switch {
		case errors.As(err, &none):
			return []Finding{problem(Certificate, fact.DoctorCertificateNone.With("why", none.Reason),
				fact.DoctorDoCertificate.Fact())}, nil
		case err != nil:
			return nil, err
		}
		var found []Finding
		for _, one := range usable {
			opened, bundle, err := d.open(one)
			if err != nil {
				why := fact.CertificateDoesNotOpen.With("certificate", one.ID, "why", fact.OfError(err))
				found = append(found, warning(Certificate, why, fact.DoctorDoCertificate.Fact()))
				continue
			}
			c.Credentials = opened
			if certificate.External(opened) != nil {
				found = append(found, d.proven(one, bundle))
			}
			return append(found, d.judge(p.profile, one, bundle, now)...), nil
		}
		for i := range found {
			found[i].Result = Problem
		}
		return found, nil
	}
}

// open opens a certificate that is on record.
func (d *Doctor) open(one companies.Certificate) (*fiscal.Credentials, *certificate.Bundle, error) {
	content, err := d.Sealer.Unseal(one.Sealed, one.OrganizationID, one.ID)
	if err != nil {
		return nil, nil, err
	}
	defer clear(content)
	opened, err := certificate.Parse(one.ID, content, d.Signer)
	if err != nil {
		return nil, nil, err
	}
	bundle, err := certificate.Opened(opened)
	return opened, bundle, err
}

// proven says whether the program signs with a key that is kept elsewhere.
func (d *Doctor) proven(one companies.Certificate, bundle *certificate.Bundle) Finding {
	if d.Authorities == nil {
		return skipped(Certificate, fact.DoctorElsewhere.Fact())
	}
	if err := bundle.Prove(); err != nil {
		return problem(Certificate, fact.DoctorSigningFails.With("certificate", one.ID, "why", fact.OfError(err)),
			fact.DoctorDoSigning.Fact())
	}
	return good(Certificate, fact.DoctorSigningGood.With("certificate", one.ID))
}

// judge checks an opened certificate: whom it names, where its chain leads and when it ends.
func (d *Doctor) judge(
	profile nfse.FiscalProfile, one companies.Certificate, bundle *certificate.Bundle, now time.Time,
) (found []Finding) {
	days := int(math.Floor(one.NotAfter.Sub(now).Hours() / 24))
	until := nfse.DayOf(one.NotAfter.Time)
	checks := certificate.Checks{Holder: company.Holder(profile), At: now, UnverifiedChain: true}
	if err := bundle.Check(checks); err != nil {
		found = append(found, problem(Certificate,
			fact.DoctorCertificateRefused.With("certificate", one.ID, "why", reasonOf(err)),
			fact.DoctorDoCertificate.Fact()))
	}
	if err := bundle.CheckChain(d.Roots, now); err != nil {
		unknown := fact.DoctorCertificateChain.With("certificate", one.ID, "why", reasonOf(err))
		if d.Roots == nil {
			found = append(found, warning(Certificate, unknown, fact.DoctorDoRoots.Fact()))
		} else {
			found = append(found, problem(Certificate, unknown, fact.DoctorDoRoots.Fact()))
		}
	}
	if named, err := bundle.TaxID(); err == nil && named != profile.TaxID && company.Holder(profile).Is(named) {
		found = append(found, warning(Certificate, fact.DoctorCertificateBranch.With("certificate", one.ID),
			fact.DoctorDoCertificate.Fact()))
	}
	if days < fewDays {
		found = append(found, warning(Certificate,
			fact.DoctorCertificateEnds.With("certificate", one.ID, "until", until, "days", days),
			fact.DoctorDoCertificate.Fact()))
	}
	if len(found) == 0 {
		found = append(found, good(Certificate,
			fact.DoctorCertificateGood.With("certificate", one.ID, "until", until, "days", days)))
	}
	return found
}

// reasonOf is why something is refused, in both languages where there are both.
func reasonOf(err error) fact.Fact {
	var known *nfse.Error
	if errors.As(err, &known) {
		return fact.First(known.Reason, fact.InWords(known.Message))
	}
	return fact.OfError(err)
}
