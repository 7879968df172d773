package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/fiscal/saopaulo"
	"emissor/internal/metrics"
	"emissor/issuing/company"
	"emissor/nfse"
)

// credentials opens the certificate with which an organization issues.
func (s *commandRun) credentials(ctx context.Context, profile nfse.FiscalProfile) (*fiscal.Credentials, error) {
	sealer, err := s.config.sealer(ctx)
	if err != nil {
		return nil, err
	}
	certificates := activities.NewCertificateCache(s.store, sealer, metrics.New())
	return certificates.Open(ctx, profile.OrganizationID, company.Holder(profile), time.Now())
}

// saoPaulo makes the authority of São Paulo from the settings of this command.
func (s *commandRun) saoPaulo() (*saopaulo.Authority, error) {
	if s.config.CityURL == "" {
		return nil, errors.New("EMISSOR_SAO_PAULO_URL is not set for this command: the address of the city's " +
			"service, as the worker has it")
	}
	return s.config.saoPaulo(nil, nil, slog.New(slog.DiscardHandler))
}
