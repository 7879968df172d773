package apiclient

import (
	"context"

	"emissor/nfse"
)

// CustomerRecord is the body that creates a customer, or synchronizes the one that has this
// document (contract, section 2.2). What is nil is left out, and stays as it is.
type CustomerRecord struct {
	Document         string   `json:"document"`
	Name             string   `json:"name"`
	Nickname         *string  `json:"nickname,omitempty"`
	Email            *string  `json:"email,omitempty"`
	MunicipalityCode *string  `json:"municipality_code,omitempty"`
	Address          *Address `json:"address,omitempty"`
}

// Address is an address in a body; what is nil is left out.
type Address struct {
	StreetType *string `json:"street_type,omitempty"`
	Street     *string `json:"street,omitempty"`
	Number     *string `json:"number,omitempty"`
	District   *string `json:"district,omitempty"`
	ZipCode    *string `json:"zip_code,omitempty"`
	Complement *string `json:"complement,omitempty"`
}

// Customers lists the customers of the key's environment.
func (c *Client) Customers(ctx context.Context, page Page) (List[nfse.Customer], error) {
	return get[List[nfse.Customer]](ctx, c, "/v1/customers", page.query())
}

// Customer reads one customer.
func (c *Client) Customer(ctx context.Context, id string) (nfse.Customer, error) {
	return get[nfse.Customer](ctx, c, "/v1/customers"+segment(id), nil)
}

// SaveCustomer creates the customer, or synchronizes the one that has its document, from a
// CustomerRecord or a json.RawMessage. Doing it twice is doing it once.
func (c *Client) SaveCustomer(ctx context.Context, body any) (nfse.Customer, error) {
	return post[nfse.Customer](ctx, c, "/v1/customers", body, true)
}
