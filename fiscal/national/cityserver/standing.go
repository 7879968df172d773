package cityserver

import (
	"context"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
)

// telling is a city whose server tells what others did to a document.
type telling struct{ *Authority }

var _ fiscal.StandingFinder = telling{}

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
