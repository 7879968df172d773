package webhooks

import (
	"net/http"
	"slices"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
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
	Form      *frame.Form
	Statuses  []webhooks.DeliveryStatus
	Endpoints []webhooks.Endpoint // to choose from
	Filtered  bool
	NewerURL  string // empty: there are none
	OlderURL  string
}

func ListDeliveries(r *frame.Request) error {
	form := r.NewForm("state", "endpoint", "since")
	page := deliveriesPage{Form: form, Statuses: deliveryStatuses, Filtered: form.Value("state") != "" ||
		form.Value("endpoint") != "" || form.Value("since") != ""}
	var err error
	if page.Endpoints, err = r.D.Store.Webhooks.EndpointsIn(r.Context(), r.Scope); err != nil {
		return err
	}
	search := deliverySearch(r, form)
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "deliveries", "deliveries.title", page)
	}
	if page.DeliveryPage, err = r.D.Store.Webhooks.SearchDeliveries(r.Context(), r.Scope, search); err != nil {
		return err
	}
	address := func(direction, id string) string {
		return r.Link("/integrations/deliveries", "state", form.Value("state"), "endpoint", form.Value("endpoint"),
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
	return r.Render("deliveries", "deliveries.title", page)
}

// deliverySearch reads the filters of the address.
func deliverySearch(r *frame.Request, form *frame.Form) webhooks.DeliverySearch {
	search := webhooks.DeliverySearch{Status: webhooks.DeliveryStatus(form.Value("state")), Limit: deliveriesOnPage}
	if search.Status != "" && !slices.Contains(deliveryStatuses, search.Status) {
		form.AddProblem("state", "deliveries.state.wrong")
	}
	if search.EndpointID = form.Value("endpoint"); search.EndpointID != "" &&
		!nfse.IsID(nfse.PrefixEndpoint, search.EndpointID) {
		form.AddProblem("endpoint", "deliveries.endpoint.wrong")
	}
	var err error
	if search.Since, err = format.ParseDay(form.Value("since")); err != nil {
		form.AddProblem("since", "notes.date.wrong")
	}
	query := r.URL.Query()
	if id := query.Get("older"); nfse.IsID(nfse.PrefixDelivery, id) {
		search.After = id
	} else if id := query.Get("newer"); nfse.IsID(nfse.PrefixDelivery, id) {
		search.Before = id
	}
	return search
}
