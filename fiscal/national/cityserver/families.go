package cityserver

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/dsf"
	dsfrules "emissor/fiscal/national/dsf/rules"
	"emissor/fiscal/national/fiorilli"
	fiorillirules "emissor/fiscal/national/fiorilli/rules"
	"emissor/fiscal/national/issnet"
	issnetrules "emissor/fiscal/national/issnet/rules"
	"emissor/fiscal/national/sefin"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Transport is how a city's server is called. One that is a fiscal.StandingFinder too tells of
// cancellations by others.
type Transport interface {
	Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer
	Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer
	// FindNumber asks whether something was made of the declaration of an issuer under a number of its
	// series, by whomever: OutcomeAccepted, OutcomeNotFound or OutcomeUnknown.
	FindNumber(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile, number int64) fiscal.Answer
}

// Connect makes the server of the city of a row reachable.
type Connect func(cities.Row, mtls.Options, *slog.Logger) (Transport, error)

// connections are how the families of package rules are called. They are apart because pages know the rules,
// and are linked with nothing that calls.
var connections = map[cities.Family]Connect{
	dsfrules.Name:      bySEFIN(dsf.Dialect),
	fiorillirules.Name: by(fiorilli.New),
	issnetrules.Name:   by(issnet.New),
	cityrules.SEFIN:    bySEFIN(sefinDialect),
}

// by connects by the client of a family.
func by[Client Transport](client func(cities.Row, mtls.Options, *slog.Logger) (Client, error)) Connect {
	return func(row cities.Row, transport mtls.Options, logger *slog.Logger) (Transport, error) {
		return client(row, transport, logger)
	}
}

// sefinDialect is how a server is spoken to that speaks as SEFIN Nacional does. Nothing is known of HEAD there.
func sefinDialect(row cities.Row) *sefin.Dialect {
	dialect := sefin.Dialect{OnlyDocuments: true}
	if paths := strings.Split(row.Quirks[cities.Paths], ","); len(paths) == 4 {
		dialect.Paths = sefin.Paths{Issue: paths[0], Find: paths[1], Fetch: paths[2], Event: paths[3]}
	}
	return &dialect
}

// bySEFIN connects to a server that speaks as SEFIN Nacional does, but for a dialect.
func bySEFIN(dialect func(cities.Row) *sefin.Dialect) Connect {
	return by(func(row cities.Row, transport mtls.Options, logger *slog.Logger) (sefinTransport, error) {
		client, err := sefin.New(sefin.Options{
			ProductionURL: row.Production, RestrictedURL: row.Test, Dialect: dialect(row),
			Transport: transport, Logger: logger,
		})
		return sefinTransport{client}, err
	})
}

// connect connects to the server of a city.
func (o Options) connect(row cities.Row) (Transport, error) {
	transport, err := connections[row.Family](row, o.TransportOf(row), o.Logger)
	if err != nil {
		return nil, fmt.Errorf("the city %s: %w", row.Name, err)
	}
	return transport, nil
}

// sefinTransport calls a server that speaks as SEFIN does.
type sefinTransport struct{ *sefin.Client }

// FindNumber implements Transport.
func (t sefinTransport) FindNumber(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	number int64) fiscal.Answer {
	id, err := dps.ID(issuer, number)
	if err != nil {
		return fiscal.Unknown(fact.OfError(err))
	}
	return t.Client.FindNumber(ctx, access, id)
}
