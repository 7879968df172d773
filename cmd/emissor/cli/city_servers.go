package cli

import (
	"errors"
	"log/slog"

	"emissor/fiscal/cities"
	"emissor/fiscal/drift"
	"emissor/fiscal/national/cityserver"
	"emissor/fiscal/national/classification"
	"emissor/issuing/company/series"
	"emissor/issuing/rehearsal"
	"emissor/nfse"
	"emissor/worker"
)

// CitiesConfig are the settings of the cities of the table. Their addresses, and in what they differ,
// are rows of it.
type CitiesConfig struct {
	Cities bool `envconfig:"EMISSOR_CITIES" default:"false" readers:"worker commands" desc:"Whether notes are issued by the servers of the cities whose row in the table of cities is on (emissor city list). While it is false nothing is sent to any of them, and their notes wait."`
}

// cityOptions are what every city is made with, but for the connections.
func (c Config) cityOptions(tables *classification.Source, logger *slog.Logger) cityserver.Options {
	return cityserver.Options{
		Software: Software(), IBSCBSRequiredFrom: nfse.Day(c.IBSCBSRequired), Tables: tables, Logger: logger,
	}
}

// ServedCities makes the cities of the table for the worker, if it issues by them. Those that are off
// are among them, so that what waits for one says so. One that cannot be made stops no others.
func (c Config) ServedCities(tables *classification.Source, watch *drift.Watch, logger *slog.Logger) (
	served []worker.Authority, err error) {
	switch {
	case !c.Cities:
		return nil, nil
	case !cities.Loaded():
		logger.Warn("no city of the table is served before it is known which table was imported")
		return nil, nil
	}
	transport, err := c.Transport()
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

// RehearsedCities makes the cities of the table for a command that calls none of them.
func (c Config) RehearsedCities(tables *classification.Source, logger *slog.Logger) (all []rehearsal.Authority,
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

// AskedOfNumbers makes the authority of a name, for a command that asks it about numbers.
func (s *CommandRun) AskedOfNumbers(name string) (series.Authority, error) {
	if len(cities.Current().OfName(name)) == 0 {
		return s.SaoPaulo()
	}
	if !s.Config.Cities {
		return nil, errors.New("EMISSOR_CITIES is not true for this command: without it no server of a city is called")
	}
	transport, err := s.Config.Transport()
	if err != nil {
		return nil, err
	}
	options := s.Config.cityOptions(nil, slog.New(slog.DiscardHandler))
	options.Transport = transport
	return cityserver.New(name, cities.Current(), options)
}
