package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"emissor/fiscal/mtls"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/saopaulo"
	"emissor/worker"
)

// SaoPauloConfig are the settings of the city of São Paulo. The address has no
// default: without it nothing leaves the process. (Exported, because envconfig
// fills only what is; its fields begin with a word of their own, because those of
// two authorities stand in one configuration.)
type SaoPauloConfig struct {
	CityURL               string            `envconfig:"EMISSOR_SAO_PAULO_URL"`
	CitySOAP              soapVersion       `envconfig:"EMISSOR_SAO_PAULO_SOAP" default:"1.2"`
	CityCancellationWidth cancellationWidth `envconfig:"EMISSOR_SAO_PAULO_CANCELLATION_WIDTH" default:"20"`
	CityPlace             placeOfService    `envconfig:"EMISSOR_SAO_PAULO_PLACE" default:"indicator"`
	CityServerCA          string            `envconfig:"EMISSOR_SAO_PAULO_SERVER_CA"`
	CityRate              float64           `envconfig:"EMISSOR_SAO_PAULO_RATE" default:"10"`
	CityConnectTimeout    time.Duration     `envconfig:"EMISSOR_SAO_PAULO_CONNECT_TIMEOUT" default:"10s"`
	CityTimeout           time.Duration     `envconfig:"EMISSOR_SAO_PAULO_TIMEOUT" default:"45s"`
	CityGracePeriod       time.Duration     `envconfig:"EMISSOR_SAO_PAULO_GRACE_PERIOD" default:"60s"`
	CityWatchEvery        time.Duration     `envconfig:"EMISSOR_SAO_PAULO_WATCH_EVERY" default:"24h"`
	CityWatchFor          time.Duration     `envconfig:"EMISSOR_SAO_PAULO_WATCH_FOR" default:"4320h"`
	CityMinTLS            tlsVersion        `envconfig:"EMISSOR_SAO_PAULO_TLS_MIN" default:"1.2"`
	CityMaxTLS            tlsVersion        `envconfig:"EMISSOR_SAO_PAULO_TLS_MAX" default:"1.3"`
	CityRenegotiation     renegotiation     `envconfig:"EMISSOR_SAO_PAULO_TLS_RENEGOTIATION" default:"never"`
}

func (c SaoPauloConfig) check() error {
	switch {
	case c.CityRate <= 0:
		return errors.New("EMISSOR_SAO_PAULO_RATE must be more than 0")
	case c.CityConnectTimeout <= 0 || c.CityTimeout <= 0 || c.CityGracePeriod <= 0:
		return errors.New("EMISSOR_SAO_PAULO_CONNECT_TIMEOUT, EMISSOR_SAO_PAULO_TIMEOUT and " +
			"EMISSOR_SAO_PAULO_GRACE_PERIOD must be more than 0s")
	case c.CityWatchEvery <= 0 || c.CityWatchFor <= 0:
		return errors.New("EMISSOR_SAO_PAULO_WATCH_EVERY and EMISSOR_SAO_PAULO_WATCH_FOR must be more than 0s")
	case c.CityTimeout > maxCall:
		return fmt.Errorf("EMISSOR_SAO_PAULO_TIMEOUT must be at most %s", maxCall)
	case c.CityMinTLS > c.CityMaxTLS:
		return errors.New("EMISSOR_SAO_PAULO_TLS_MIN is higher than EMISSOR_SAO_PAULO_TLS_MAX")
	}
	return nil
}

// authorities makes the city, if it is configured.
func (c SaoPauloConfig) authorities(tables *classification.Source,
	logger *slog.Logger) ([]worker.Authority, error) {
	if c.CityURL == "" {
		return nil, nil
	}
	authority, err := c.authority(tables, logger)
	if err != nil {
		return nil, err
	}
	if c.CityGracePeriod < time.Minute {
		logger.Warn("EMISSOR_SAO_PAULO_GRACE_PERIOD is less than a minute: " +
			"against the real city a note that was not found yet would be cancelled by sending its RPS again")
	}
	return []worker.Authority{{
		Authority: authority, Rate: c.CityRate, CallTimeout: c.CityTimeout + c.CityConnectTimeout,
	}}, nil
}

// authority makes the city, for the worker and for commands that ask it, which need no
// tables.
func (c SaoPauloConfig) authority(tables *classification.Source, logger *slog.Logger) (*saopaulo.Authority, error) {
	roots, err := certificatePool("EMISSOR_SAO_PAULO_SERVER_CA", c.CityServerCA)
	if err != nil {
		return nil, err
	}
	authority, err := saopaulo.New(saopaulo.Options{
		URL: c.CityURL, SOAP: string(c.CitySOAP), WideCancellation: c.CityCancellationWidth == wideCancellation,
		Place: saopaulo.Place(c.CityPlace), Tables: tables,
		Transport: mtls.Options{
			ServerRoots: roots, UserAgent: software(), ConnectTimeout: c.CityConnectTimeout, Timeout: c.CityTimeout,
			MinTLS: uint16(c.CityMinTLS), MaxTLS: uint16(c.CityMaxTLS),
			Renegotiation: tls.RenegotiationSupport(c.CityRenegotiation),
		},
		GracePeriod: c.CityGracePeriod, WatchEvery: c.CityWatchEvery, WatchFor: c.CityWatchFor, Logger: logger,
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

type cancellationWidth int

const wideCancellation cancellationWidth = 24

// Decode implements envconfig.Decoder.
func (w *cancellationWidth) Decode(value string) error {
	switch value {
	case "20":
		*w = 20
	case "24":
		*w = wideCancellation
	default:
		return errors.New("must be 20 or 24")
	}
	return nil
}
