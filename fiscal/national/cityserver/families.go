package cityserver

import (
	"context"
	"fmt"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/national/dsf"
	"emissor/fiscal/national/sefin"
	"emissor/fiscal/rulecatalogue"
)

// transport is how a city's server is called.
type transport interface {
	Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer
	Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer
	// FindNumber asks whether something was made of the declaration of this Id.
	FindNumber(ctx context.Context, access fiscal.Access, dpsID string) fiscal.Answer
}

// family is how the servers of a supplier are called, and what their codes mean.
type family struct {
	connect   func(cities.Row, Options) (transport, error)
	catalogue *rulecatalogue.Catalogue
	repairOf  func(code string) fiscal.Repair
}

var families = map[cities.Family]family{
	cities.DSF: {connectDSF, dsf.Catalogue, dsf.RepairOf},
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
