package cli

import (
	"errors"
	"log/slog"
	"strings"

	"emissor/fiscal/drift"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/saopaulo"
	"emissor/worker"
)

// SaoPauloConfig are the settings of the city of São Paulo. The address has no
// default: without it nothing is sent. (Its fields begin with a word of their own,
// because config embeds the settings of both authorities.)
type SaoPauloConfig struct {
	CityURL   string         `envconfig:"EMISSOR_SAO_PAULO_URL" readers:"worker commands" desc:"Synchronous web service of the city, as https://nfews.prefeitura.sp.gov.br/lotenfe.asmx. Empty: its notes wait."`
	CitySOAP  soapVersion    `envconfig:"EMISSOR_SAO_PAULO_SOAP" expert:"true" default:"1.2" readers:"worker commands" desc:"Version of the envelope: 1.2 (with the header SOAPAction) or 1.1."`
	CityPlace placeOfService `envconfig:"EMISSOR_SAO_PAULO_PLACE" expert:"true" default:"indicator" readers:"worker commands" desc:"The city that is named as the place of a service: indicator (the home of supplier or taker, where the indicator of the operation makes it that) or service (always the service's)."`
	CityRate  float64        `envconfig:"EMISSOR_SAO_PAULO_RATE" expert:"true" default:"10" readers:"worker" desc:"Notes a second that all workers together transmit at most."`
}

func (c SaoPauloConfig) check() error {
	if c.CityRate <= 0 {
		return errors.New("EMISSOR_SAO_PAULO_RATE must be more than 0")
	}
	return nil
}

// SaoPauloAuthorities makes the authority of São Paulo for the worker, if it is configured.
func (c Config) SaoPauloAuthorities(tables *classification.Source, watch *drift.Watch, logger *slog.Logger) (
	[]worker.Authority, error) {
	if c.CityURL == "" {
		return nil, nil
	}
	authority, err := c.saoPaulo(tables, watch, logger)
	if err != nil {
		return nil, err
	}
	return []worker.Authority{c.served(authority, c.CityRate)}, nil
}

// SaoPaulo makes the authority of São Paulo, for the worker and for commands, which need
// no tables and watch no answers.
func (c Config) saoPaulo(tables *classification.Source, watch *drift.Watch, logger *slog.Logger) (
	*saopaulo.Authority, error) {
	transport, err := c.Transport()
	if err != nil {
		return nil, err
	}
	transport.Observe = watch.Of(saopaulo.Name, drift.SaoPaulo)
	authority, err := saopaulo.New(saopaulo.Options{
		URL: c.CityURL, SOAP: string(c.CitySOAP), Place: saopaulo.Place(c.CityPlace), Tables: tables,
		Transport: transport, GracePeriod: c.AuthorityGracePeriod, Logger: logger,
	})
	if err != nil {
		return nil, errors.New("EMISSOR_SAO_PAULO_" + strings.TrimSpace(err.Error()))
	}
	return authority, nil
}

type soapVersion string

// Decode implements envconfig.Decoder.
func (s *soapVersion) Decode(value string) error {
	if value != "1.1" && value != "1.2" {
		return errors.New("must be 1.1 or 1.2")
	}
	*s = soapVersion(value)
	return nil
}

type placeOfService saopaulo.Place

// Decode implements envconfig.Decoder.
func (p *placeOfService) Decode(value string) error {
	*p = placeOfService(value)
	if place := saopaulo.Place(value); place != saopaulo.PlaceByIndicator && place != saopaulo.PlaceOfService {
		return errors.New("must be indicator or service")
	}
	return nil
}
