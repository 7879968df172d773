package doctor

import (
	"context"
	"slices"
	"strings"
	"sync"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/parameters"
	"emissor/fiscal/national/rules"
	"emissor/issuing/company/readiness"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// contact meets the authority of an organization before anything is issued there: by questions about what does not
// exist, which create nothing. Each check is judged by itself.
type contact struct {
	*Doctor
	of        patient
	authority Authority
	access    fiscal.Access

	mutex sync.Mutex
	met   []mtls.Connection // by the calls that the authority answered
}

// meet makes the checks of the first contact.
func (c *credentials) meet(ctx context.Context, d *Doctor, p patient) (found []Finding) {
	authority, is := d.Authorities[p.profile.Authority]
	if c.Credentials == nil || !is || !authority.Serves(p.profile.Production) ||
		d.Store.Companies.CheckTaxID(ctx, p.profile) != nil {
		return []Finding{skipped(Absent, fact.DoctorNeedsFirst.Fact())}
	}
	to := &contact{Doctor: d, of: p, authority: authority,
		access: c.access(p.profile)}
	for _, one := range []struct {
		name Name
		look func(context.Context) ([]Finding, error)
	}{
		{Absent, to.exists}, {Absent, to.absent}, {Asked, to.asked}, {Convenio, to.convenio}, {Parameters, to.parameters},
		{Registration, to.registration}, {Signer, to.signer},
	} {
		found = append(found, d.check(ctx, one.name, one.look)...)
	}
	return found
}

// call waits until the authority of a name may be called, and returns the context of a call to it.
func (c *contact) call(ctx context.Context, authority string) (context.Context, error) {
	if err := c.pace.wait(ctx, authority); err != nil {
		return nil, err
	}
	ctx = mtls.WithConnectionReport(ctx, func(met mtls.Connection) {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if authority == c.authority.Name() {
			c.met = append(c.met, met)
		}
	})
	return c.clocks.watch(ctx, authority), nil
}

// nobodys is a number of the series that nobody uses: the greatest.
func (c *contact) nobodys() int64 { return c.authority.Capabilities().NumberLimit() }

// exists asks by HEAD, where the authority offers it.
func (c *contact) exists(ctx context.Context) ([]Finding, error) {
	finder, is := c.authority.Authority.(fiscal.ExistenceFinder)
	if !is {
		return nil, nil
	}
	ctx, err := c.call(ctx, c.authority.Name())
	if err != nil {
		return nil, err
	}
	said := fiscal.Numbers{}
	switch answer := finder.Exists(ctx, c.access, c.of.profile, c.nobodys()); answer.Outcome {
	case fiscal.OutcomeNotFound:
		said.Free = []int64{c.nobodys()}
	case fiscal.OutcomeAccepted:
		said.Used = []int64{c.nobodys()}
	default:
		said.Reason = fact.First(answer.NeedsPerson, answer.Reason)
	}
	return []Finding{c.absence(fact.DoctorCallExists, said)}, nil
}

// absent asks about a number that nobody uses.
func (c *contact) absent(ctx context.Context) ([]Finding, error) {
	ctx, err := c.call(ctx, c.authority.Name())
	if err != nil {
		return nil, err
	}
	said := ask(ctx, c.authority.Authority, c.access, c.of.profile, c.nobodys())
	return []Finding{c.absence(fact.DoctorCallFind, said)}, nil
}

// absence is what an answer says about something that does not exist.
func (c *contact) absence(call fact.Code, said fiscal.Numbers) Finding {
	authority, asked := called(c.authority.Name()), call.Fact()
	switch {
	case len(said.Free) > 0:
		return good(Absent, fact.DoctorAbsentGood.With("authority", authority, "call", asked))
	case len(said.Used) > 0:
		return problem(Absent, fact.DoctorAbsentFound.With("authority", authority, "call", asked),
			fact.DoctorDoReportAnswer.Fact())
	}
	why := fact.First(said.Reason, fact.NoAnswerInTime.Fact())
	return problem(Absent, fact.DoctorAbsentFails.With("authority", authority, "call", asked, "why", why),
		after(why, said.CertificateRefused))
}

// after is what is to be done when a question was not answered for a reason.
func after(why fact.Fact, refused *nfse.Rejection) fact.Fact {
	within, _ := why.Arguments["why"].(fact.Fact)
	is := func(codes ...fact.Code) bool { return why.Is(codes...) || within.Is(codes...) }
	switch {
	case refused != nil, is(fact.AddCertificateItTakes, fact.CertificateShutOut, fact.TLSCertificateRefused):
		return fact.DoctorDoShutOut.Fact()
	case is(fact.TLSRenegotiationAsked):
		return fact.DoctorDoTLS.Fact()
	case is(fact.TLSServerNotTrusted, fact.TLSServerOfAnotherHost, fact.TLSServerNotValid):
		return fact.DoctorDoHost.Fact()
	case is(fact.SefinAnsweredNoJSON, fact.SefinAnsweredNothing, fact.SefinAnsweredElsewhere, fact.CityServerMoved,
		fact.CityServiceNotThere, fact.CityAnswerUnread, fact.CityRefusedUnread, fact.AnswerNotUnderstood):
		return fact.DoctorDoPath.Fact()
	}
	return fact.DoctorDoAskAgain.Fact()
}

// asked says how the authority asks for the company's certificate, by the calls that it has answered.
func (c *contact) asked(context.Context) ([]Finding, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	of := called(c.authority.Name())
	how := func(asked mtls.Asked) bool {
		return slices.ContainsFunc(c.met, func(met mtls.Connection) bool { return met.Asked == asked })
	}
	switch {
	case len(c.met) == 0:
		return []Finding{skipped(Asked, fact.DoctorAskedUnknown.With("authority", of))}, nil
	case how(mtls.AskedByRenegotiation):
		return []Finding{good(Asked, fact.DoctorAskedByRenegotiation.With("authority", of))}, nil
	case how(mtls.AskedInHandshake):
		return []Finding{good(Asked, fact.DoctorAskedInHandshake.With("authority", of))}, nil
	}
	return []Finding{good(Asked, fact.DoctorAskedNever.With("authority", of))}, nil
}

// country is the national system where its ADN can be asked about cities, no matter who takes the company's notes;
// nil: it cannot.
func (c *contact) country() fiscal.CityParameters {
	country, is := c.Authorities[rules.Name].Authority.(fiscal.CityParameters)
	if !is || !country.ServesCities(c.of.profile.Production) {
		return nil
	}
	return country
}

// convenio asks what the issuer's city has agreed with the national system.
func (c *contact) convenio(ctx context.Context) ([]Finding, error) {
	country := c.country()
	if country == nil {
		return []Finding{skipped(Convenio, fact.DoctorADNMissing.With("environment",
			nfse.EnvironmentName(c.of.profile.Production)))}, nil
	}
	ctx, err := c.call(ctx, rules.Name)
	if err != nil {
		return nil, err
	}
	answer := country.AskCity(ctx, c.access, c.of.profile.MunicipalityCode)
	switch city := answer.City; {
	case city == nil:
		return []Finding{warning(Convenio, fact.DoctorConvenioFails.With("why", answer.Reason),
			c.afterADN(answer.Reason, answer.ShutOut))}, nil
	case !city.Active && c.authority.Name() == rules.Name &&
		!slices.Contains(c.of.profile.InactiveMunicipalities, c.of.profile.MunicipalityCode):
		return []Finding{warning(Convenio, fact.DoctorConvenioAbsent.Fact(), fact.DoctorDoConvenio.Fact())}, nil
	case !city.Active:
		return []Finding{good(Convenio, fact.DoctorConvenioAbsent.Fact())}, nil
	case city.AderenteEmissorNacional != nil && !*city.AderenteEmissorNacional:
		return []Finding{good(Convenio, fact.DoctorConvenioOwn.Fact())}, nil
	}
	return []Finding{good(Convenio, fact.DoctorConvenioGood.Fact())}, nil
}

func (c *contact) afterADN(why fact.Fact, shutOut bool) fact.Fact {
	if shutOut {
		return fact.DoctorDoShutOut.Fact()
	}
	return after(why, nil)
}

// parameters asks what the issuer's city has set for one of the company's services today.
func (c *contact) parameters(ctx context.Context) ([]Finding, error) {
	country := c.country()
	if country == nil {
		return nil, nil // which convenio has said
	}
	services, err := readiness.ActiveServices(ctx, c.Store, c.of.id, mostServices)
	if err != nil {
		return nil, err
	}
	code := ""
	for _, one := range services {
		if one.NationalTaxCode != nil && code == "" {
			code = parameters.ServiceCode(*one.NationalTaxCode)
		}
	}
	if code == "" {
		return []Finding{skipped(Parameters, fact.DoctorParametersNone.Fact())}, nil
	}
	ctx, err = c.call(ctx, rules.Name)
	if err != nil {
		return nil, err
	}
	answer := country.AskService(ctx, c.access, c.of.profile.MunicipalityCode, code, today().Begin())
	if answer.Service == nil {
		return []Finding{warning(Parameters, fact.DoctorConvenioFails.With("why", answer.Reason),
			c.afterADN(answer.Reason, answer.ShutOut))}, nil
	}
	var rates []string
	for _, one := range answer.Service.Rates {
		rates = append(rates, one.Percent+" %")
	}
	var said any = fact.DoctorNoRates.Fact()
	if rates != nil {
		said = strings.Join(rates, ", ")
	}
	return []Finding{good(Parameters, fact.DoctorParametersGood.With("service", code, "rates", said))}, nil
}

// registration asks whether the authority knows the company and lets it issue, where it offers that.
func (c *contact) registration(ctx context.Context) ([]Finding, error) {
	of := called(c.authority.Name())
	finder, is := c.authority.Authority.(fiscal.RegistrationFinder)
	if !is {
		return []Finding{skipped(Registration, fact.DoctorRegistrationNotAsked.With("authority", of))}, nil
	}
	ctx, err := c.call(ctx, c.authority.Name())
	if err != nil {
		return nil, err
	}
	list, reason := finder.Registrations(ctx, c.access, c.of.profile)
	if !reason.None() {
		return []Finding{warning(Registration, fact.DoctorRegistrationFails.With("authority", of, "why", reason),
			after(reason, nil))}, nil
	}
	for _, one := range list {
		switch {
		case one.Number != c.of.profile.PlainRegistration():
		case one.Issues:
			return []Finding{good(Registration, fact.DoctorRegistrationGood.With("authority", of))}, nil
		default:
			return []Finding{problem(Registration, fact.DoctorRegistrationNotIssuing.With("authority", of),
				fact.DoctorDoRegistration.Fact())}, nil
		}
	}
	return []Finding{problem(Registration, fact.DoctorRegistrationUnknown.With("authority", of, "others", len(list)),
		fact.DoctorDoRegistration.Fact())}, nil
}
