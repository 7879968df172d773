package dashboard

import (
	"net/http"

	"emissor/nfse"
	"emissor/store/postgres"
	"emissor/store/webhooks"
)

// keysOnPage is how many API keys a page lists.
const keysOnPage = 50

// integrationsPage is the keys and the endpoints of an environment.
type integrationsPage struct {
	Keys      []nfse.APIKey
	OlderURL  string // of keys; empty: there are none
	Older     bool   // the keys are not the newest ones
	Endpoints []webhooks.Endpoint
	States    []endpointState // of the endpoints

	KeyForm      *form
	EndpointForm *form // as it was sent, where something is wrong
	NewEndpoint  *form // as it is shown
}

func (d *Dashboard) showIntegrations(r *request) error {
	return r.showIntegrations(http.StatusOK, nil, nil)
}

// showIntegrations shows the page, with the form of a new key or endpoint as it was sent,
// where something in it is wrong.
func (r *request) showIntegrations(status int, keyForm, endpointForm *form) error {
	page := integrationsPage{KeyForm: keyForm, EndpointForm: endpointForm}
	if page.NewEndpoint = endpointForm; endpointForm == nil {
		page.NewEndpoint = newEndpointForm()
	}
	from := postgres.Page{Limit: keysOnPage}
	if id := r.URL.Query().Get("older"); nfse.IsID(nfse.PrefixAPIKey, id) {
		from.After, page.Older = id, true
	}
	var more bool
	var err error
	if page.Keys, more, err = r.d.store.Access.APIKeysIn(r.Context(), r.scope, from); err != nil {
		return err
	}
	if more {
		page.OlderURL = r.link("/integrations", "older", page.Keys[len(page.Keys)-1].ID)
	}
	if page.Endpoints, err = r.d.store.Webhooks.EndpointsIn(r.Context(), r.scope); err != nil {
		return err
	}
	if page.States, err = r.endpointStates(page.Endpoints...); err != nil {
		return err
	}
	return r.renderStatus(status, "integrations", "section.integrations", page)
}
