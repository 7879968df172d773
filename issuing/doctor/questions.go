package doctor

import (
	"context"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/internal/limit"
	"emissor/internal/retry"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// pace keeps the questions of an examination to each authority within its rate.
type pace map[string]*limit.Limiter[string]

func newPace(authorities map[string]Authority) pace {
	limits := pace{}
	for name, authority := range authorities {
		limits[name] = limit.New[string](authority.Rate, 1)
	}
	return limits
}

// wait waits until an authority may be asked once more.
func (p pace) wait(ctx context.Context, authority string) error {
	for !p[authority].Allow(authority, time.Now()) {
		if retry.Sleep(ctx, p[authority].Interval()) != nil {
			return ctx.Err()
		}
	}
	return nil
}

// question asks the authority whether the next number of the organization's series is free: with its
// certificate, about its own number. It changes nothing.
func (c *credentials) question(d *Doctor) func(context.Context, patient) ([]Finding, error) {
	return func(ctx context.Context, p patient) ([]Finding, error) {
		if d.Authorities == nil {
			return []Finding{skipped(Question, fact.DoctorElsewhere.Fact())}, nil
		}
		name := p.profile.Authority
		authority, is := d.Authorities[name]
		if !is || !authority.Serves(p.profile.Production) {
			return []Finding{problem(Question, fact.DoctorNotServed.With("authority", called(name),
				"environment", nfse.EnvironmentName(p.profile.Production)), fact.DoctorDoAddress.Fact())}, nil
		}
		if c.Credentials == nil || d.Store.Companies.CheckTaxID(ctx, p.profile) != nil {
			return []Finding{skipped(Question, fact.DoctorNeedsFirst.Fact())}, nil
		}
		next, err := d.Store.Lifecycle.NextNumber(ctx, p.profile)
		if err != nil {
			return nil, err
		}
		if err := d.pace.wait(ctx, name); err != nil {
			return nil, err
		}
		said := ask(d.clocks.watch(ctx, name), authority.Authority, c.access(p.profile), p.profile, next)
		return []Finding{answered(said, p.profile, next)}, nil
	}
}

// ask asks about one number. Nothing is known where the authority cannot be asked before something was sent.
func ask(
	ctx context.Context, authority fiscal.Authority, as fiscal.Access, profile nfse.FiscalProfile, number int64,
) fiscal.Numbers {
	if finder, is := authority.(fiscal.NumberFinder); is {
		return finder.FindNumbers(ctx, as, profile, []int64{number})
	}
	finder, is := authority.(fiscal.DocumentFinder)
	if !is {
		return fiscal.Numbers{}
	}
	switch found := finder.FindDocument(ctx, as, profile, number); found.Outcome {
	case fiscal.OutcomeNotFound:
		return fiscal.Numbers{Free: []int64{number}}
	case fiscal.OutcomeAccepted:
		return fiscal.Numbers{Used: []int64{number}}
	default:
		return fiscal.Numbers{Reason: fact.First(found.NeedsPerson, found.Reason, fact.NoAnswerInTime.Fact())}
	}
}

// answered is what an answer about a number says.
func answered(said fiscal.Numbers, profile nfse.FiscalProfile, number int64) Finding {
	of := called(profile.Authority)
	switch {
	case said.CertificateRefused != nil:
		return problem(Question, fact.DoctorQuestionRefused.With("authority", of, "code", said.CertificateRefused.Code),
			fact.DoctorDoCertificate.Fact())
	case slices.Contains(said.Free, number):
		return good(Question, fact.DoctorNumberFree.With("authority", of, "number", number, "series", profile.Series))
	case slices.Contains(said.Used, number):
		return problem(Question, fact.DoctorNumberUsed.With("authority", of, "number", number, "series", profile.Series),
			fact.DoctorDoSeries.Fact())
	case said.Reason.None():
		return skipped(Question, fact.DoctorNotAsked.With("authority", of))
	}
	return problem(Question, fact.DoctorQuestionFailed.With("authority", of, "why", said.Reason),
		fact.DoctorDoAskAgain.Fact())
}
