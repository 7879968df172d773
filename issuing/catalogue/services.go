package catalogue

import (
	"context"

	"emissor/nfse"
	"emissor/store/postgres"
)

// ServiceChange is a change of a service. Nil leaves a field as it is, a pointer to
// nil clears it.
type ServiceChange struct {
	Name               *string
	Description        *string
	MunicipalityCode   *string
	DefaultAmountCents *int64
	NationalTaxCode    **string
	MunicipalTaxCode   **string
	MunicipalTaxation  **string
	ISSRate            **nfse.Rate
	Active             *bool

	// Version is the nfse.VersionOf the service that the change was made from. Where it
	// differs by now the change is refused with postgres.ErrChanged. Empty is any.
	Version string
}

// CreateService puts a service into the catalogue of the scope, active unless
// the change says otherwise. It needs a name, a description, a municipality and an
// amount.
func (c *Catalogue) CreateService(
	ctx context.Context, scope nfse.Scope, change ServiceChange,
) (nfse.Service, error) {
	service := nfse.Service{Active: true}
	if err := change.merge(&service, true); err != nil {
		return nfse.Service{}, err
	}
	return c.writes.CreateService(ctx, scope, service)
}

// UpdateService changes a service of the scope. Notes keep the service as they were
// issued with it.
func (c *Catalogue) UpdateService(
	ctx context.Context, scope nfse.Scope, id string, change ServiceChange,
) (nfse.Service, error) {
	return c.writes.UpdateService(ctx, scope, id, func(service *nfse.Service) error {
		if change.Version != "" && change.Version != nfse.VersionOf(*service) {
			return postgres.ErrChanged
		}
		return change.merge(service, false)
	})
}

func (c ServiceChange) merge(service *nfse.Service, complete bool) error {
	m := merger{complete: complete}
	m.required("name", &service.Name, c.Name, ServiceName)
	m.required("description", &service.Description, c.Description, Description)
	m.required("municipality_code", &service.MunicipalityCode, c.MunicipalityCode, MunicipalityCode)
	m.amount("default_amount_cents", &service.DefaultAmountCents, c.DefaultAmountCents)
	m.optional("national_tax_code", &service.NationalTaxCode, c.NationalTaxCode, NationalTaxCode)
	m.optional("municipal_tax_code", &service.MunicipalTaxCode, c.MunicipalTaxCode, MunicipalTaxCode)
	m.optional("municipal_taxation", &service.MunicipalTaxation, c.MunicipalTaxation, MunicipalTaxation)
	m.rate("iss_rate", &service.ISSRate, c.ISSRate)
	if c.Active != nil {
		service.Active = *c.Active
	}
	return m.problem
}
