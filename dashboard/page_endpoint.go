package dashboard

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/internal/webhook"
	"emissor/internal/webhook/endpoint"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/webhooks"
)

const (
	// resentAtOnce is how many deliveries one request sends again.
	resentAtOnce = 1000

	// latestDeliveries is how many deliveries the page of an endpoint lists.
	latestDeliveries = 10

	// minutes is how <input type="datetime-local"> writes a moment.
	minutes = "2006-01-02T15:04"
)

// endpointState is what an endpoint is, with its failed deliveries: an enabled one that has some is failing.
type endpointState struct {
	State  string // the end of its key
	Failed int    // deliveries of the last 30 days that were given up
}

// Many reports whether there are more than were counted.
func (s endpointState) Many() bool { return s.Failed > webhooks.FailuresCounted }

// endpointStates are the states of endpoints, in their order.
func (r *request) endpointStates(endpoints ...webhooks.Endpoint) ([]endpointState, error) {
	var ids []string
	for _, one := range endpoints {
		ids = append(ids, one.ID)
	}
	failed, err := r.d.store.Webhooks.FailedDeliveries(r.Context(), ids)
	var states []endpointState
	for _, one := range endpoints {
		state := endpointState{endpoint.State(one), failed[one.ID]}
		if state.State == "enabled" && state.Failed > 0 {
			state.State = "failing"
		}
		states = append(states, state)
	}
	return states, err
}

// endpointPage is one webhook endpoint, and the result of what was just done with it.
type endpointPage struct {
	Endpoint   webhooks.Endpoint
	State      endpointState
	Deliveries []webhooks.Delivery
	Form       *form  // of sending again
	Change     *form  // of the URL and the events
	Version    string // of the endpoint that it was made from
	Conflict   bool   // somebody else changed it first
	Changed    bool   // its URL was changed just now
	Problem    string
	Call       *shownAttempt // the test call that was just made
	Resent     *int          // how many deliveries are now sent again
	More       bool          // there may be more of them
}

func (d *Dashboard) showEndpoint(r *request) error {
	endpoint, err := r.endpoint()
	if err != nil {
		return err
	}
	return r.showEndpoint(http.StatusOK, endpointPage{Endpoint: endpoint})
}

func (r *request) showEndpoint(status int, page endpointPage) error {
	states, err := r.endpointStates(page.Endpoint)
	if err != nil {
		return err
	}
	page.State, page.Version = states[0], endpointVersion(page.Endpoint)
	if page.Change == nil {
		page.Change = endpointForm(page.Endpoint)
	}
	if page.Form == nil {
		dayAgo := time.Now().Add(-24 * time.Hour).In(format.Zone).Format(minutes)
		page.Form = &form{values: map[string]string{"since": dayAgo}}
	}
	latest, err := r.d.store.Webhooks.SearchDeliveries(r.Context(), r.scope,
		webhooks.DeliverySearch{EndpointID: page.Endpoint.ID, Limit: latestDeliveries})
	if err != nil {
		return err
	}
	page.Deliveries = latest.Deliveries
	return r.renderStatus(status, "endpoint", "endpoints.one", page)
}

// endpoint is the endpoint that the address names, even a removed one. A command that listens has no page.
func (r *request) endpoint() (webhooks.Endpoint, error) {
	endpoint, err := r.d.store.Webhooks.EndpointIn(r.Context(), r.scope, r.PathValue("id"))
	if err == nil && endpoint.Listens {
		err = problem{http.StatusNotFound, "problem.not_found"}
	}
	return endpoint, err
}

// addEndpoint adds an endpoint and shows its secret, this once.
func (d *Dashboard) addEndpoint(r *request) error {
	form := r.newForm("url", "nfse.issued", "nfse.rejected", "nfse.cancelled")
	events := form.readEvents()
	address := strings.TrimSpace(form.Value("url"))
	if err := d.Webhooks.CheckURL(address); err != nil {
		form.wrongURL(err)
	}
	if !form.good() {
		return r.showIntegrations(http.StatusUnprocessableEntity, nil, form)
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	added, secret, err := endpoint.Add(r.Context(), r.changes(), d.Sealer,
		webhooks.Endpoint{ID: nfse.NewID(nfse.PrefixEndpoint), Scope: r.scope, URL: address, Events: events})
	if isLimit(err) {
		form.wrong("url", "endpoints.too_many")
		return r.showIntegrations(http.StatusConflict, nil, form)
	}
	if err != nil {
		return err
	}
	return r.showEndpointSecret(added, secret)
}

// wrongURL says why a URL cannot be an endpoint.
func (f *form) wrongURL(err error) {
	if wrong := (*webhook.URLError)(nil); errors.As(err, &wrong) {
		f.wrongBecause("url", wrong.Why)
		return
	}
	f.wrong("url", "endpoints.url.address")
}

func (r *request) showEndpointSecret(endpoint webhooks.Endpoint, secret string) error {
	return r.showSecret(secretPage{
		Title: "endpoints.new", Means: "endpoints.new.means", Text: secret, File: "emissor-" + endpoint.ID + ".txt",
		Back: "/integrations/endpoints/" + endpoint.ID, Until: endpoint.PreviousSecretEndsAt,
		Receivers: receivers(secret),
	})
}

// present is the endpoint that the address names. Of one that was removed meanwhile it
// answers with the page, which shows that.
func (r *request) present() (webhooks.Endpoint, error) {
	endpoint, err := r.endpoint()
	if err == nil && endpoint.DeletedAt != nil {
		err = r.showEndpoint(http.StatusConflict, endpointPage{Endpoint: endpoint, Problem: "endpoints.is_removed"})
		if err == nil {
			err = errAnswered
		}
	}
	return endpoint, err
}

// testEndpoint sends a test call from this process, signed with the endpoint's secrets,
// and shows the answer.
func (d *Dashboard) testEndpoint(r *request) error {
	tested, err := r.present()
	if err != nil {
		return err
	}
	attempt, err := endpoint.Test(r.Context(), d.webhooks, d.Sealer, tested)
	if err != nil {
		return err
	}
	call := showAttempt(attempt)
	return r.showEndpoint(http.StatusOK, endpointPage{Endpoint: tested, Call: &call})
}

// rotateSecret gives an endpoint a new secret, and shows it. For a day the old one signs as
// well: rotating again in that day would end it at once, and must be forced.
func (d *Dashboard) rotateSecret(r *request) error {
	before, err := r.present()
	if err != nil {
		return err
	}
	rotated, secret, err := endpoint.Rotate(r.Context(), r.changes(), d.Sealer, before, r.PostForm.Get("force") != "")
	if nfse.IsCode(err, nfse.CodeInvalidRequest) {
		form := &form{}
		form.wrong("force", "endpoints.rotating")
		return r.showEndpoint(http.StatusConflict, endpointPage{Endpoint: before, Form: form})
	}
	if err != nil {
		return err
	}
	return r.showEndpointSecret(rotated, secret)
}

func (d *Dashboard) disableEndpoint(r *request) error {
	endpoint, err := r.present()
	if err != nil {
		return err
	}
	if _, err := r.changes().Webhooks.DisableEndpoint(r.Context(), endpoint.ID,
		fact.EndpointDisabledInDashboard.Fact()); err != nil {
		return err
	}
	return r.redirect(r.link("/integrations/endpoints/"+endpoint.ID), "endpoints.disabled")
}

func (d *Dashboard) enableEndpoint(r *request) error {
	endpoint, err := r.present()
	if err != nil {
		return err
	}
	if _, err := r.changes().Webhooks.EnableEndpoint(r.Context(), endpoint.ID); err != nil {
		return err
	}
	return r.redirect(r.link("/integrations/endpoints/"+endpoint.ID), "endpoints.enabled")
}

func (d *Dashboard) removeEndpoint(r *request) error {
	endpoint, err := r.present()
	if err != nil {
		return err
	}
	if _, err := r.changes().Webhooks.DeleteEndpoint(r.Context(), endpoint.ID); err != nil {
		return err
	}
	return r.redirect(r.link("/integrations"), "endpoints.removed")
}

// retryFailed sends the failed deliveries of an endpoint since a moment again, at most
// resentAtOnce of them.
func (d *Dashboard) retryFailed(r *request) error {
	endpoint, err := r.present()
	if err != nil {
		return err
	}
	form := r.newForm("since")
	since, err := time.ParseInLocation(minutes, form.Value("since"), format.Zone)
	if err != nil || since.After(time.Now()) {
		form.wrong("since", "endpoints.since.wrong")
		return r.showEndpoint(http.StatusUnprocessableEntity, endpointPage{Endpoint: endpoint, Form: form})
	}
	if endpoint.DisabledAt != nil {
		return r.showEndpoint(http.StatusConflict, endpointPage{Endpoint: endpoint, Form: form,
			Problem: "endpoints.is_disabled"})
	}
	ids, err := r.changes().Webhooks.RetryDeliveries(r.Context(), webhooks.DeliveryFilter{
		EndpointID: endpoint.ID, Status: webhooks.DeliveryFailed, Since: since, Limit: resentAtOnce,
	})
	if err != nil {
		return err
	}
	resent := len(ids)
	return r.showEndpoint(http.StatusOK, endpointPage{Endpoint: endpoint, Form: form, Resent: &resent,
		More: resent == resentAtOnce})
}
