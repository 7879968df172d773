package cityserver

import (
	"context"
	"fmt"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/national/dsf"
	"emissor/fiscal/national/sefin"
)

// transport is how a city's server is called.
type transport interface {
	Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer
	Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer
	// FindNumber asks whether something was made of the declaration of this Id.
	FindNumber(ctx context.Context, access fiscal.Access, dpsID string) fiscal.Answer
}

// families are how the servers of each supplier are called.
var families = map[cities.Family]func(cities.Row, Options) (transport, error){
	cities.DSF: connectDSF,
}

func connectDSF(row cities.Row, options Options) (transport, error) {
	client, err := sefin.New(sefin.Options{
		ProductionURL: row.Production, RestrictedURL: row.Test, Dialect: dsf.Dialect(row),
		Transport: options.transportOf(row), Logger: options.Logger,
	})
	if err != nil {
		return nil, fmt.Errorf("the city %s: %w", row.Name, err)
	}
	return client, nil
}
