package cli

import (
	"errors"
	"strings"

	"emissor/internal/cnpj"
	"emissor/internal/municipality"
)

// ZipCodes are on-line services of zip codes, and the one that knows companies by their CNPJ.
type ZipCodes struct {
	Services []municipality.Service
	Cnpj     *cnpj.Service // the first that is named; nil: none is
}

// Decode implements envconfig.Decoder.
func (z *ZipCodes) Decode(value string) error {
	for _, part := range splitList(value) {
		kind, address, _ := strings.Cut(part, "=")
		if kind != "receitaws" {
			service, err := newZipCodeService(kind, address)
			if err != nil {
				return err
			}
			z.Services = append(z.Services, service)
		}
		if z.Cnpj == nil && kind != "viacep" {
			var err error
			if z.Cnpj, err = cnpj.New(kind, address); err != nil {
				return err
			}
		}
	}
	return nil
}

func newZipCodeService(kind, address string) (municipality.Service, error) {
	switch kind {
	case "viacep":
		return municipality.NewViaCEP(address)
	case "brasilapi":
		return municipality.NewBrasilAPI(address)
	}
	return nil, errors.New("a service of zip codes must be viacep=URL or brasilapi=URL, and one of CNPJs receitaws=URL")
}
