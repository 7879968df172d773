package apiclient

import (
	"context"
	"net/http"

	"emissor/nfse"
)

// Issuance is the body that issues a note (contract, section 4.1). It names a customer by
// CustomerID, or has one inline.
type Issuance struct {
	Reference   string          `json:"reference"` // of the charge in the caller's system, kept before it is sent
	ServiceID   string          `json:"service_id"`
	AmountCents int64           `json:"amount_cents"`
	CustomerID  string          `json:"customer_id,omitempty"`
	Customer    *InlineCustomer `json:"customer,omitempty"`
	Service     *ServiceDetail  `json:"service,omitempty"`
	ISSWithheld bool            `json:"iss_withheld,omitempty"`
	Scenario    nfse.Scenario   `json:"sandbox_scenario,omitempty"` // with a test key only
}

// InlineCustomer is the customer of one issuance.
type InlineCustomer struct {
	Document         string  `json:"document"`
	Name             string  `json:"name"`
	Address          Address `json:"address"`
	MunicipalityCode *string `json:"municipality_code,omitempty"`
}

// ServiceDetail is what one note says otherwise than the service of the catalogue.
type ServiceDetail struct {
	Description string `json:"description"`
}

// Accepted is the answer to an issuance (contract, section 2.3).
type Accepted struct {
	ID         string      `json:"id"`
	Status     nfse.Status `json:"status"`
	Livemode   bool        `json:"livemode"`
	Idempotent bool        `json:"idempotent"` // the note was there already
	Reference  string      `json:"reference"`
	CustomerID string      `json:"customer_id"`
}

// Cancel is the body that cancels a note (contract, section 4.2).
type Cancel struct {
	ReasonCode string `json:"reason_code"` // 1 error in issuance, 2 service not rendered, 9 other
	ReasonText string `json:"reason_text"` // 15 to 255 characters
}

// Issue issues a note from an Issuance or a json.RawMessage. Its reference makes it safe to
// repeat: one note exists for it, whatever was answered.
func (c *Client) Issue(ctx context.Context, body any) (Accepted, error) {
	return post[Accepted](ctx, c, "/v1/nfse", body, true)
}

// Notes lists the notes of the key's environment.
func (c *Client) Notes(ctx context.Context, page Page) (List[nfse.Note], error) {
	return get[List[nfse.Note]](ctx, c, "/v1/nfse", page.query())
}

// Note reads one note.
func (c *Client) Note(ctx context.Context, id string) (nfse.Note, error) {
	return get[nfse.Note](ctx, c, "/v1/nfse"+segment(id), nil)
}

// CancelNote asks for a note's cancellation, which is pending in what it returns unless the note
// is cancelled already. The same request twice is one.
func (c *Client) CancelNote(ctx context.Context, id string, body Cancel) (nfse.Note, error) {
	return post[nfse.Note](ctx, c, "/v1/nfse"+segment(id)+"/cancel", body, true)
}

// XML reads a note's document: the authority's exact bytes. Until there is one the error is
// xml_not_available.
func (c *Client) XML(ctx context.Context, id string) ([]byte, error) {
	answer, err := c.Do(ctx, Call{Method: http.MethodGet, Path: "/v1/nfse" + segment(id) + "/xml", Repeatable: true})
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}
