package readiness

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"emissor/fiscal/cities"
	issuing "emissor/issuing/company"
	"emissor/issuing/company/whereissued"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// CheckNational checks what the national system requires, and a city that takes its declaration on a
// server of its own, as far as possible without asking them.
func CheckNational(ctx context.Context, of Company) (*Report, error) {
	r := &Report{Company: of}
	r.CheckProfile()
	r.OpenCertificate(ctx)
	r.CheckTaxID(ctx)
	if err := r.CheckNumbers(ctx); err != nil {
		return r, err
	}
	if err := r.CheckAuthority(ctx); err != nil {
		return r, err
	}
	r.checkServer()
	r.checkServices()
	return r, nil
}

// checkServer checks, for the profile of a city that takes the national declaration, that the table of
// cities has a server of it for the profile's environment, and that notes are sent to such servers here.
func (r *Report) checkServer() {
	const check = "server"
	row, isCity := cities.Current().Named(r.Profile.Authority, r.Day)
	if !isCity {
		return
	}
	environment, base := nfse.EnvironmentName(r.Profile.Production), row.Base(r.Profile.Production)
	switch {
	case base == "":
		r.Add(check, "", fmt.Errorf("the table of cities has no server of %s for --environment %s: its notes wait",
			row.Name, environment))
	case r.Cities == nil:
		r.Skip(check, base+"; whether the worker sends to cities' servers is not known here")
	case !*r.Cities:
		r.Add(check, "", errors.New("the worker sends nothing to cities' servers: EMISSOR_CITIES is false"))
	default:
		r.Add(check, base, nil)
	}
}

// CheckAuthority checks that the authority of the profile is one that takes the company's notes of
// today.
func (r *Report) CheckAuthority(ctx context.Context) error {
	const check = "city"
	company, decision, err := whereissued.Read(ctx, r.Store, r.Profile, r.Day)
	if err != nil {
		return err
	}
	found := words(append(decision.Why, decision.Do))
	if coming, changes := company.Coming(decision.Day); changes {
		found += " " + coming.Said().English()
	}
	switch decision.Verdict {
	case whereissued.Wrong:
		if len(decision.Authorities) > 0 {
			found += " emissor fiscal-profile set --authority " + decision.Authorities[0]
		}
		reason, _, err := issuing.CityWarning(ctx, r.Store, r.Profile)
		if err != nil {
			return err
		}
		if ifWrong, is := reason.Arguments["if_wrong"].(fact.Fact); is {
			found += " " + ifWrong.English()
		}
		r.Add(check, "", errors.New(found))
	case whereissued.NotSure:
		if r.Profile.IgnoreMunicipalParameters {
			found = "the profile goes on without the parameters of cities (--ignore-municipal-parameters)"
		}
		r.Skip(check, found)
	default:
		r.Add(check, found, nil)
	}
	return nil
}

// words are facts in English, one after the other.
func words(facts []fact.Fact) string {
	var all []string
	for _, one := range facts {
		if !one.None() {
			all = append(all, one.English())
		}
	}
	return strings.Join(all, " ")
}
