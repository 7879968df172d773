package main

import (
	"errors"
	"strings"

	"emissor/internal/cnpj"
	"emissor/internal/municipality"
)

// zipCodes are on-line services of zip codes.
type zipCodes []municipality.Service

// Decode implements envconfig.Decoder.
func (z *zipCodes) Decode(value string) error {
	for _, part := range splitList(value) {
		kind, address, _ := strings.Cut(part, "=")
		service, err := newZipCodeService(kind, address)
		if err != nil {
			return err
		}
		*z = append(*z, service)
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
	return nil, errors.New("a service of zip codes must be viacep=URL or brasilapi=URL")
}

// cnpjService is the on-line service of CNPJs; it is nil where none is configured.
type cnpjService struct{ *cnpj.Service }

// Decode implements envconfig.Decoder.
func (c *cnpjService) Decode(value string) (err error) {
	if value == "" {
		return nil
	}
	kind, address, _ := strings.Cut(value, "=")
	c.Service, err = cnpj.New(kind, address)
	return err
}
