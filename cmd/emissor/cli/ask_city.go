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
	certificates, err := s.certificates(ctx)
	if err != nil {
		return nil, err
	}
	return certificates.Open(ctx, profile.OrganizationID, company.Holder(profile), time.Now())
}

// Access is on whose behalf the authority of an organization's profile is asked.
func (s *CommandRun) Access(ctx context.Context, profile nfse.FiscalProfile) (fiscal.Access, error) {
	certificates, err := s.certificates(ctx)
	if err != nil {
		return fiscal.Access{}, err
	}
	credentials, err := certificates.Open(ctx, profile.OrganizationID, company.Holder(profile), time.Now())
	if err != nil {
		return fiscal.Access{}, err
	}
	return certificates.Access(ctx, profile, credentials)
}

func (s *CommandRun) certificates(ctx context.Context) (*activities.CertificateCache, error) {
	sealer, err := s.Config.Sealer(ctx)
	if err != nil {
		return nil, err
	}
	certificates := activities.NewCertificateCache(s.Store, sealer, metrics.New())
	certificates.Signer, err = s.Config.SigningProgram()
	return certificates, err
}

// SaoPaulo makes the authority of São Paulo from the settings of this command.
func (s *CommandRun) SaoPaulo() (*saopaulo.Authority, error) {
	if s.Config.CityURL == "" {
		return nil, errors.New("EMISSOR_SAO_PAULO_URL is not set for this command: the address of the city's " +
			"service, as the worker has it")
	}
	return s.Config.saoPaulo(nil, nil, slog.New(slog.DiscardHandler))
}
