package main

import (
	"context"
	"errors"
	"log/slog"

	"emissor/fiscal/cities"
	"emissor/fiscal/drift"
	"emissor/fiscal/national/cityserver"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/fiscal/national/classification"
	"emissor/internal/worker"
	"emissor/issuing/company/series"
	"emissor/issuing/rehearsal"
	"emissor/nfse"
)

// CitiesConfig are the settings of the cities of the table. Their addresses, and in what they differ,
// are rows of it.
type CitiesConfig struct {
	Cities bool `envconfig:"EMISSOR_CITIES" default:"false" readers:"worker commands" desc:"Whether notes are issued by the servers of the cities whose row in the table of cities is on (emissor city list). While it is false nothing is sent to any of them, and their notes wait."`
}

// cityOptions are what every city is made with, but for the connections.
func (c config) cityOptions(tables *classification.Source, logger *slog.Logger) cityserver.Options {
	return cityserver.Options{
		Software: software(), IBSCBSRequiredFrom: nfse.Day(c.IBSCBSRequired), Tables: tables, Logger: logger,
	}
}

// servedCities makes the cities of the table for the worker, if it issues by them. Those that are off
// are among them, so that what waits for one says so. One that cannot be made stops no others.
func (c config) servedCities(tables *classification.Source, watch *drift.Watch, logger *slog.Logger) (
	served []worker.Authority, err error) {
	switch {
	case !c.Cities:
		return nil, nil
	case !cities.Loaded():
		logger.Warn("no city of the table is served before it is known which table was imported")
		return nil, nil
	}
	transport, err := c.transport()
	if err != nil {
		return nil, err
	}
	options, table := c.cityOptions(tables, logger), cities.Current()
	options.Transport = transport
	for _, name := range table.Names() {
		options.Transport.Observe = watch.Of(name, string(table.OfName(name)[0].Family))
		city, err := cityserver.New(name, table, options)
		if err != nil {
			logger.Error("a city of the table cannot be served; its notes wait", "city", name, "error", err)
			continue
		}
		served = append(served, worker.Authority{
			Authority: city, Rate: city.Rate(), CallTimeout: city.CallTimeout() + c.connectTimeout(),
		})
	}
	return served, nil
}

// rehearsedCities makes the cities of the table for a command that calls none of them.
func (c config) rehearsedCities(tables *classification.Source, logger *slog.Logger) (all []rehearsal.Authority,
	err error) {
	options, table := c.cityOptions(tables, logger), cities.Current()
	for _, name := range table.Names() {
		city, err := cityserver.New(name, table, options)
		if err != nil {
			return nil, err
		}
		all = append(all, city)
	}
	return all, nil
}

// loadCities has a process that begins go by the table of cities that was imported last. Where it
// cannot be read it is tried again; until then the one that is built in is shown, and no city is served.
func (p *process) loadCities(ctx context.Context) {
	if err := cities.Load(ctx, p.store.Companies, cityrules.Quirks()); err != nil {
		p.logger.Error("the imported table of cities could not be read; no city is served yet",
			"error", err)
	}
}

// askedOfNumbers makes the authority of a name, for a command that asks it about numbers.
func (s *commandRun) askedOfNumbers(name string) (series.Authority, error) {
	if len(cities.Current().OfName(name)) == 0 {
		return s.saoPaulo()
	}
	if !s.config.Cities {
		return nil, errors.New("EMISSOR_CITIES is not true for this command: without it no server of a city is called")
	}
	transport, err := s.config.transport()
	if err != nil {
		return nil, err
	}
	options := s.config.cityOptions(nil, slog.New(slog.DiscardHandler))
	options.Transport = transport
	return cityserver.New(name, cities.Current(), options)
}
