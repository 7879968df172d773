package webhooks

import (
	"net/http"
	"strconv"

	"emissor/dashboard/frame"
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
	Delivered frame.Bars      // their newest deliveries

	KeyForm      *frame.Form
	EndpointForm *frame.Form // as it was sent, where something is wrong
	NewEndpoint  *frame.Form // as it is shown
}

func ShowIntegrations(r *frame.Request) error {
	return showIntegrations(r, http.StatusOK, nil, nil)
}

// ShowIntegrations shows the page, with the form of a new key or endpoint as it was sent,
// where something in it is wrong.
func showIntegrations(r *frame.Request, status int, keyForm, endpointForm *frame.Form) error {
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
	if page.Keys, more, err = r.D.Store.Access.APIKeysIn(r.Context(), r.Scope, from); err != nil {
		return err
	}
	if more {
		page.OlderURL = r.Link("/integrations", "older", page.Keys[len(page.Keys)-1].ID)
	}
	if page.Endpoints, err = r.D.Store.Webhooks.EndpointsIn(r.Context(), r.Scope); err != nil {
		return err
	}
	if page.States, err = endpointStates(r, page.Endpoints...); err != nil {
		return err
	}
	if page.Delivered, err = deliveriesDrawn(r, page.Endpoints); err != nil {
		return err
	}
	return r.RenderStatus(status, "integrations", "section.integrations", page)
}

// deliveriesDrawn are the newest deliveries by endpoint; those without any are left out.
func deliveriesDrawn(r *frame.Request, endpoints []webhooks.Endpoint) (frame.Bars, error) {
	bars := frame.Bars{Name: "deliveries", Of: "endpoints.url", Columns: []string{"deliveries.status.delivered",
		"deliveries.status.pending", "deliveries.status.failed"},
		Title: r.Language.Say("deliveries.drawn", webhooks.DeliveriesCounted)}
	ids, addresses := []string{}, map[string]string{}
	for _, one := range endpoints {
		ids, addresses[one.ID] = append(ids, one.ID), one.URL
	}
	counts, err := r.D.Store.Webhooks.CountDeliveries(r.Context(), ids)
	number := func(deliveries int64) string { return strconv.FormatInt(deliveries, 10) }
	for _, one := range counts {
		if one.Delivered+one.Pending+one.Failed > 0 {
			bars.Add(addresses[one.EndpointID], number, one.Delivered, one.Pending, one.Failed)
		}
	}
	return bars, err
}
