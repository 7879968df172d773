package dashboard

import (
	"net/http"
	"slices"

	"emissor/dashboard/format"
	"emissor/nfse"
	"emissor/store/webhooks"
)

// deliveriesOnPage is how many deliveries a page lists.
const deliveriesOnPage = 50

// deliveryStatuses are the states of deliveries; the last one needs a person.
var deliveryStatuses = []webhooks.DeliveryStatus{
	webhooks.DeliveryPending, webhooks.DeliveryDelivered, webhooks.DeliverySkipped, webhooks.DeliveryFailed,
}

// deliveriesPage is a page of the list of deliveries.
type deliveriesPage struct {
	webhooks.DeliveryPage
	Form      *form
	Statuses  []webhooks.DeliveryStatus
	Endpoints []webhooks.Endpoint // to choose from
	Filtered  bool
	NewerURL  string // empty: there are none
	OlderURL  string
}

func (d *Dashboard) listDeliveries(r *request) error {
	form := r.newForm("state", "endpoint", "since")
	page := deliveriesPage{Form: form, Statuses: deliveryStatuses, Filtered: form.Value("state") != "" ||
		form.Value("endpoint") != "" || form.Value("since") != ""}
	var err error
	if page.Endpoints, err = d.store.Webhooks.EndpointsIn(r.Context(), r.scope); err != nil {
		return err
	}
	search := r.deliverySearch(form)
	if !form.good() {
		return r.renderStatus(http.StatusUnprocessableEntity, "deliveries", "deliveries.title", page)
	}
	if page.DeliveryPage, err = d.store.Webhooks.SearchDeliveries(r.Context(), r.scope, search); err != nil {
		return err
	}
	address := func(direction, id string) string {
		return r.link("/integrations/deliveries", "state", form.Value("state"), "endpoint", form.Value("endpoint"),
			"since", form.Value("since"), direction, id)
	}
	if shown := page.Deliveries; len(shown) > 0 {
		if page.Newer {
			page.NewerURL = address("newer", shown[0].ID)
		}
		if page.Older {
			page.OlderURL = address("older", shown[len(shown)-1].ID)
		}
	}
	return r.render("deliveries", "deliveries.title", page)
}

// deliverySearch reads the filters of the address.
func (r *request) deliverySearch(form *form) webhooks.DeliverySearch {
	search := webhooks.DeliverySearch{Status: webhooks.DeliveryStatus(form.Value("state")), Limit: deliveriesOnPage}
	if search.Status != "" && !slices.Contains(deliveryStatuses, search.Status) {
		form.wrong("state", "deliveries.state.wrong")
	}
	if search.EndpointID = form.Value("endpoint"); search.EndpointID != "" &&
		!nfse.IsID(nfse.PrefixEndpoint, search.EndpointID) {
		form.wrong("endpoint", "deliveries.endpoint.wrong")
	}
	var err error
	if search.Since, err = format.ParseDay(form.Value("since")); err != nil {
		form.wrong("since", "notes.date.wrong")
	}
	query := r.URL.Query()
	if id := query.Get("older"); nfse.IsID(nfse.PrefixDelivery, id) {
		search.After = id
	} else if id := query.Get("newer"); nfse.IsID(nfse.PrefixDelivery, id) {
		search.Before = id
	}
	return search
}
