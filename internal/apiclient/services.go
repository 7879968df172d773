package apiclient

import (
	"context"

	"emissor/nfse"
)

// NewService is the body that creates a service (contract, section 2.1). What is nil is left
// out.
type NewService struct {
	Name               string     `json:"name"`
	Description        string     `json:"description"`
	MunicipalityCode   string     `json:"municipality_code"`
	DefaultAmountCents int64      `json:"default_amount_cents"`
	NationalTaxCode    *string    `json:"national_tax_code,omitempty"`
	MunicipalTaxCode   *string    `json:"municipal_tax_code,omitempty"`
	MunicipalTaxation  *string    `json:"municipal_taxation,omitempty"`
	ISSRate            *nfse.Rate `json:"iss_rate,omitempty"`
	Active             *bool      `json:"active,omitempty"`
}

// Services lists the catalogue of the key's environment.
func (c *Client) Services(ctx context.Context, page Page) (List[nfse.Service], error) {
	return get[List[nfse.Service]](ctx, c, "/v1/services", page.query())
}

// Service reads one service.
func (c *Client) Service(ctx context.Context, id string) (nfse.Service, error) {
	return get[nfse.Service](ctx, c, "/v1/services"+segment(id), nil)
}

// CreateService creates a service from a NewService or a json.RawMessage. It is not repeated
// when nobody knows what became of it: each creation makes another service.
func (c *Client) CreateService(ctx context.Context, body any) (nfse.Service, error) {
	return post[nfse.Service](ctx, c, "/v1/services", body, false)
}
