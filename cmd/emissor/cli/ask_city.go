package cli

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

// Credentials opens the certificate with which an organization issues.
func (s *CommandRun) Credentials(ctx context.Context, profile nfse.FiscalProfile) (*fiscal.Credentials, error) {
	sealer, err := s.Config.Sealer(ctx)
	if err != nil {
		return nil, err
	}
	certificates := activities.NewCertificateCache(s.Store, sealer, metrics.New())
	if certificates.Signer, err = s.Config.SigningProgram(); err != nil {
		return nil, err
	}
	return certificates.Open(ctx, profile.OrganizationID, company.Holder(profile), time.Now())
}

// SaoPaulo makes the authority of São Paulo from the settings of this command.
func (s *CommandRun) SaoPaulo() (*saopaulo.Authority, error) {
	if s.Config.CityURL == "" {
		return nil, errors.New("EMISSOR_SAO_PAULO_URL is not set for this command: the address of the city's " +
			"service, as the worker has it")
	}
	return s.Config.saoPaulo(nil, nil, slog.New(slog.DiscardHandler))
}
