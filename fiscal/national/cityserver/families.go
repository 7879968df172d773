package cityserver

import (
	"context"
	"fmt"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/dsf"
	"emissor/fiscal/national/issnet"
	issnetrules "emissor/fiscal/national/issnet/rules"
	"emissor/fiscal/national/sefin"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Family is the protocol of a supplier of cities' servers, and what is known of how they behave.
type Family struct {
	// Connect makes the server of a city reachable.
	Connect func(cities.Row, Options) (Transport, error)
	// NotFounds is how many questions must find nothing before a declaration is sent again: see
	// fiscal.Capabilities.
	NotFounds int
	// Issuer is an issuer as the city of a row knows it; nil: as the fiscal profile has it.
	Issuer func(cities.Row, nfse.FiscalProfile) nfse.FiscalProfile
	// IBSCBSRequiredFrom is the first day of competence of which every DPS must have the group IBSCBS,
	// whatever the option says; empty: the option alone does.
	IBSCBSRequiredFrom nfse.Day
}

// Transport is how a city's server is called. One that is a fiscal.StandingFinder too tells of
// cancellations by others.
type Transport interface {
	Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer
	Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer
	// FindNumber asks whether something was made of the declaration of an issuer under a number of its
	// series, by whomever: OutcomeAccepted, OutcomeNotFound or OutcomeUnknown.
	FindNumber(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile, number int64) fiscal.Answer
}

// families are those that the program speaks.
var families = map[cities.Family]Family{
	// Nobody has tried whether a declaration that comes twice makes a second note.
	cities.DSF: {Connect: connectSEFIN(dsf.Dialect), NotFounds: 2},
	// A declaration that was made a note of is refused (manual 6.1.2).
	cities.ISSNet: {Connect: connectISSNet, NotFounds: 1, Issuer: issnet.Issuer,
		IBSCBSRequiredFrom: issnetrules.IBSCBSRequiredFrom},
	// As DSF: nobody has tried a declaration that comes twice.
	cities.SEFIN: {Connect: connectSEFIN(sefinDialect), NotFounds: 2},
}

// sefinDialect is how a server is spoken to that speaks as SEFIN Nacional does. Nothing is known of HEAD there.
func sefinDialect(row cities.Row) *sefin.Dialect {
	dialect := sefin.Dialect{OnlyDocuments: true}
	if paths := strings.Split(row.Quirks[cities.Paths], ","); len(paths) == 4 {
		dialect.Paths = sefin.Paths{Issue: paths[0], Find: paths[1], Fetch: paths[2], Event: paths[3]}
	}
	return &dialect
}

// connectSEFIN connects to a server that speaks as SEFIN Nacional does, but for a dialect.
func connectSEFIN(dialect func(cities.Row) *sefin.Dialect) func(cities.Row, Options) (Transport, error) {
	return func(row cities.Row, options Options) (Transport, error) {
		client, err := sefin.New(sefin.Options{
			ProductionURL: row.Production, RestrictedURL: row.Test, Dialect: dialect(row),
			Transport: options.TransportOf(row), Logger: options.Logger,
		})
		if err != nil {
			return nil, fmt.Errorf("the city %s: %w", row.Name, err)
		}
		return sefinTransport{client}, nil
	}
}

// sefinTransport calls a server that speaks as SEFIN does.
type sefinTransport struct{ *sefin.Client }

// FindNumber implements Transport.
func (t sefinTransport) FindNumber(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	number int64) fiscal.Answer {
	id, err := dps.ID(issuer, number)
	if err != nil {
		return fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: fact.OfError(err)}
	}
	return t.Client.FindNumber(ctx, access, id)
}

func connectISSNet(row cities.Row, options Options) (Transport, error) {
	client, err := issnet.New(row, options.TransportOf(row), options.Logger)
	if err != nil {
		return nil, fmt.Errorf("the city %s: %w", row.Name, err)
	}
	return client, nil
}
