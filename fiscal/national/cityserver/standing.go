package cityserver

import (
	"context"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// telling is a city whose server tells what others did to a document, and what it has on record of an issuer.
type telling struct{ *Authority }

var (
	_ fiscal.StandingFinder     = telling{}
	_ fiscal.RegistrationFinder = telling{}
)

// registers is a Transport that tells what the city has on record of an issuer.
type registers interface {
	Registrations(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile) ([]fiscal.Registration, fact.Fact)
}

// Registrations implements fiscal.RegistrationFinder.
func (t telling) Registrations(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile) (
	list []fiscal.Registration, reason fact.Fact) {
	row := t.today()
	finder, tells := row.Transport.(registers)
	if !tells {
		return nil, fact.CityServiceNotThere.Fact()
	}
	asked, stop := context.WithTimeout(ctx, askTimeout(row.Row))
	defer stop()
	return finder.Registrations(asked, access, row.issuer(issuer))
}

// FindStandings implements fiscal.StandingFinder.
func (t telling) FindStandings(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	numbers []string) fiscal.Standings {
	row := t.today()
	finder, tells := row.Transport.(fiscal.StandingFinder)
	if !tells {
		return fiscal.Standings{}
	}
	asked, stop := context.WithTimeout(ctx, askTimeout(row.Row))
	defer stop()
	return finder.FindStandings(asked, access, row.issuer(issuer), numbers)
}

// PollInterval implements fiscal.StandingFinder.
func (t telling) PollInterval() (every, duration time.Duration) {
	if finder, tells := t.today().Transport.(fiscal.StandingFinder); tells {
		return finder.PollInterval()
	}
	return 24 * time.Hour, 0
}
