package readiness

import (
	"context"
	"errors"

	"emissor/fiscal/authorities"
	"emissor/issuing/company"
)

// CheckNational checks what the national system requires, as far as possible without asking it.
func CheckNational(ctx context.Context, of Company) (*Report, error) {
	r := &Report{Company: of}
	r.CheckProfile()
	r.OpenCertificate(ctx)
	r.CheckTaxID(ctx)
	if err := r.CheckNumbers(ctx); err != nil {
		return r, err
	}
	if err := r.checkCity(ctx); err != nil {
		return r, err
	}
	r.checkServices()
	return r, nil
}

// checkCity checks what is known of the company's city.
func (r *Report) checkCity(ctx context.Context) error {
	const check = "city"
	reason, city, err := company.CityWarning(ctx, r.Store, r.Profile)
	own, itself := authorities.OfCity(r.Profile.MunicipalityCode)
	switch name := cityName(r.Profile.MunicipalityCode); {
	case err != nil:
		return err
	case r.Profile.IgnoreMunicipalParameters:
		r.Skip(check, "the profile goes on without the parameters of cities (--ignore-municipal-parameters)")
	case !city.Counts:
		r.Skip(check, "whether "+name+" takes this issuer's notes is not known here yet: the worker asks")
	case !reason.None() && itself:
		r.Add(check, "", errors.New(reason.English()+" The city issues for this company itself: "+
			"emissor fiscal-profile set --authority "+own.Name))
	case !reason.None():
		r.Add(check, "", errors.New(reason.English()))
	default:
		r.Add(check, name+" takes this issuer's notes", nil)
	}
	return nil
}
