package main

import (
	"errors"
	"strings"

	"emissor/internal/cnpj"
	"emissor/internal/municipality"
)

// zipCodes are on-line services of zip codes, and the one that knows companies by their CNPJ.
type zipCodes struct {
	services []municipality.Service
	cnpj     *cnpj.Service // the first that is named; nil: none is
}

// Decode implements envconfig.Decoder.
func (z *zipCodes) Decode(value string) error {
	for _, part := range splitList(value) {
		kind, address, _ := strings.Cut(part, "=")
		if kind != "receitaws" {
			service, err := newZipCodeService(kind, address)
			if err != nil {
				return err
			}
			z.services = append(z.services, service)
		}
		if z.cnpj == nil && kind != "viacep" {
			var err error
			if z.cnpj, err = cnpj.New(kind, address); err != nil {
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
