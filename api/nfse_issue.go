package api

import (
	"net/http"

	"emissor/internal/web"
	"emissor/nfse"
)

// issueNote accepts a note. Its 202 promises that the note ends; it is given after one
// commit, without a call to the workflow engine.
func (a *API) issueNote(w http.ResponseWriter, r *http.Request) error {
	current := requestOf(r.Context())
	sent, err := readBody(w, r)
	if err != nil {
		return err
	}
	issuance, err := readIssuance(sent, current.key.Livemode)
	if err != nil {
		return err
	}
	accepted, created, err := a.catalogue.Issue(r.Context(), current.key, current.ID, issuance)
	if err != nil {
		return explained(located(err, issuancePath))
	}
	if created {
		a.accepted()
	}
	current.noteID = accepted.ID
	return web.WriteJSON(w, http.StatusAccepted, struct {
		ID         string      `json:"id"`
		Status     nfse.Status `json:"status"`
		Livemode   bool        `json:"livemode"`
		Idempotent bool        `json:"idempotent"`
		Reference  string      `json:"reference"`
		CustomerID string      `json:"customer_id"`
	}{accepted.ID, accepted.Status, accepted.Livemode, !created, accepted.Reference, accepted.CustomerID})
}

// issuancePaths are where a request sends what is not a field of its customer.
var issuancePaths = map[string]string{
	"reference":    "reference",
	"service":      "service_id",
	"amount_cents": "amount_cents",
	"customer":     "customer_id",
	"description":  "service.description",
	"scenario":     "sandbox_scenario",
}

// issuancePath is where a request sends a field of an issuance.
func issuancePath(field string) string {
	if path, ok := issuancePaths[field]; ok {
		return path
	}
	return "customer." + customerPath(field)
}

// explained adds to an error what the caller of this API can do about it.
func explained(err error) error {
	known, ok := err.(*nfse.Error)
	if !ok {
		return err
	}
	switch known.Code {
	case nfse.CodeZipCodeNotFound:
		known.Message += "; send customer.municipality_code as well"
	case nfse.CodeZipCodeLookupUnavailable:
		known.Message += ", or send customer.municipality_code as well"
	case nfse.CodeCustomerIncomplete:
		known.Message = "the customer's record lacks " + known.Field + "; complete it with PATCH /v1/customers/{id}"
	}
	return known
}
