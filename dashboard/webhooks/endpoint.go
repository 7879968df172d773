package webhooks

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
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

	// Minutes is how <input type="datetime-local"> writes a moment.
	Minutes = "2006-01-02T15:04"
)

// endpointState is what an endpoint is, with its failed deliveries: an enabled one that has some is failing.
type endpointState struct {
	State  string // the end of its key
	Failed int    // deliveries of the last 30 days that were given up
}

// Many reports whether there are more than were counted.
func (s endpointState) Many() bool { return s.Failed > webhooks.FailuresCounted }

// endpointStates are the states of endpoints, in their order.
func endpointStates(r *frame.Request, endpoints ...webhooks.Endpoint) ([]endpointState, error) {
	var ids []string
	for _, one := range endpoints {
		ids = append(ids, one.ID)
	}
	failed, err := r.D.Store.Webhooks.FailedDeliveries(r.Context(), ids)
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
	Form       *frame.Form // of sending again
	Change     *frame.Form // of the URL and the events
	Version    string      // of the endpoint that it was made from
	Conflict   bool        // somebody else changed it first
	Changed    bool        // its URL was changed just now
	Problem    string
	Call       *shownAttempt // the test call that was just made
	Resent     *int          // how many deliveries are now sent again
	More       bool          // there may be more of them
}

func ShowEndpoint(r *frame.Request) error {
	endpoint, err := Endpoint(r)
	if err != nil {
		return err
	}
	return showEndpoint(r, http.StatusOK, endpointPage{Endpoint: endpoint})
}

func showEndpoint(r *frame.Request, status int, page endpointPage) error {
	states, err := endpointStates(r, page.Endpoint)
	if err != nil {
		return err
	}
	page.State, page.Version = states[0], endpointVersion(page.Endpoint)
	if page.Change == nil {
		page.Change = endpointForm(page.Endpoint)
	}
	if page.Form == nil {
		dayAgo := time.Now().Add(-24 * time.Hour).In(format.Zone).Format(Minutes)
		page.Form = &frame.Form{Values: map[string]string{"since": dayAgo}}
	}
	latest, err := r.D.Store.Webhooks.SearchDeliveries(r.Context(), r.Scope,
		webhooks.DeliverySearch{EndpointID: page.Endpoint.ID, Limit: latestDeliveries})
	if err != nil {
		return err
	}
	page.Deliveries = latest.Deliveries
	return r.RenderStatus(status, "endpoint", "endpoints.one", page)
}

// Endpoint is the endpoint that the address names, even a removed one. A command that listens has no page.
func Endpoint(r *frame.Request) (webhooks.Endpoint, error) {
	endpoint, err := r.D.Store.Webhooks.EndpointIn(r.Context(), r.Scope, r.PathValue("id"))
	if err == nil && endpoint.Listens {
		err = frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	return endpoint, err
}

// AddEndpoint adds an endpoint and shows its secret, this once.
func AddEndpoint(r *frame.Request) error {
	form := r.NewForm("url", "nfse.issued", "nfse.rejected", "nfse.cancelled")
	events := readEvents(form)
	address := strings.TrimSpace(form.Value("url"))
	if err := r.D.Webhooks.CheckURL(address); err != nil {
		wrongURL(form, err)
	}
	if !form.Good() {
		return showIntegrations(r, http.StatusUnprocessableEntity, nil, form)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	added, secret, err := endpoint.Add(r.Context(), r.Changes(), r.D.Sealer,
		webhooks.Endpoint{ID: nfse.NewID(nfse.PrefixEndpoint), Scope: r.Scope, URL: address, Events: events})
	if frame.IsLimit(err) {
		form.AddProblem("url", "endpoints.too_many")
		return showIntegrations(r, http.StatusConflict, nil, form)
	}
	if err != nil {
		return err
	}
	return showEndpointSecret(r, added, secret)
}

// wrongURL says why a URL cannot be an endpoint.
func wrongURL(f *frame.Form, err error) {
	if wrong := (*webhook.URLError)(nil); errors.As(err, &wrong) {
		f.WrongBecause("url", wrong.Why)
		return
	}
	f.AddProblem("url", "endpoints.url.address")
}

func showEndpointSecret(r *frame.Request, endpoint webhooks.Endpoint, secret string) error {
	return r.ShowSecret(frame.SecretPage{
		Title: "endpoints.new", Means: "endpoints.new.means", Text: secret, File: "emissor-" + endpoint.ID + ".txt",
		Back: "/integrations/endpoints/" + endpoint.ID, Until: endpoint.PreviousSecretEndsAt,
		Receivers: receivers(secret),
	})
}

// present is the endpoint that the address names. Of one that was removed meanwhile it
// answers with the page, which shows that.
func present(r *frame.Request) (webhooks.Endpoint, error) {
	endpoint, err := Endpoint(r)
	if err == nil && endpoint.DeletedAt != nil {
		err = showEndpoint(r, http.StatusConflict, endpointPage{Endpoint: endpoint, Problem: "endpoints.is_removed"})
		if err == nil {
			err = frame.ErrAnswered
		}
	}
	return endpoint, err
}

// TestEndpoint sends a test call from this process, signed with the endpoint's secrets,
// and shows the answer.
func TestEndpoint(r *frame.Request) error {
	tested, err := present(r)
	if err != nil {
		return err
	}
	attempt, err := endpoint.Test(r.Context(), r.D.WebhookClient, r.D.Sealer, tested)
	if err != nil {
		return err
	}
	call := showAttempt(attempt)
	return showEndpoint(r, http.StatusOK, endpointPage{Endpoint: tested, Call: &call})
}

// RotateSecret gives an endpoint a new secret, and shows it. For a day the old one signs as
// well: rotating again in that day would end it at once, and must be forced.
func RotateSecret(r *frame.Request) error {
	before, err := present(r)
	if err != nil {
		return err
	}
	rotated, secret, err := endpoint.Rotate(r.Context(), r.Changes(), r.D.Sealer, before, r.PostForm.Get("force") != "")
	if nfse.IsCode(err, nfse.CodeInvalidRequest) {
		form := &frame.Form{}
		form.AddProblem("force", "endpoints.rotating")
		return showEndpoint(r, http.StatusConflict, endpointPage{Endpoint: before, Form: form})
	}
	if err != nil {
		return err
	}
	return showEndpointSecret(r, rotated, secret)
}

func DisableEndpoint(r *frame.Request) error {
	endpoint, err := present(r)
	if err != nil {
		return err
	}
	if _, err := r.Changes().Webhooks.DisableEndpoint(r.Context(), endpoint.ID,
		fact.EndpointDisabledInDashboard.Fact()); err != nil {
		return err
	}
	return r.Redirect(r.Link("/integrations/endpoints/"+endpoint.ID), "endpoints.disabled")
}

func EnableEndpoint(r *frame.Request) error {
	endpoint, err := present(r)
	if err != nil {
		return err
	}
	if _, err := r.Changes().Webhooks.EnableEndpoint(r.Context(), endpoint.ID); err != nil {
		return err
	}
	return r.Redirect(r.Link("/integrations/endpoints/"+endpoint.ID), "endpoints.enabled")
}

func RemoveEndpoint(r *frame.Request) error {
	endpoint, err := present(r)
	if err != nil {
		return err
	}
	if _, err := r.Changes().Webhooks.DeleteEndpoint(r.Context(), endpoint.ID); err != nil {
		return err
	}
	return r.Redirect(r.Link("/integrations"), "endpoints.removed")
}

// RetryFailed sends the failed deliveries of an endpoint since a moment again, at most
// resentAtOnce of them.
func RetryFailed(r *frame.Request) error {
	endpoint, err := present(r)
	if err != nil {
		return err
	}
	form := r.NewForm("since")
	since, err := time.ParseInLocation(Minutes, form.Value("since"), format.Zone)
	if err != nil || since.After(time.Now()) {
		form.AddProblem("since", "endpoints.since.wrong")
		return showEndpoint(r, http.StatusUnprocessableEntity, endpointPage{Endpoint: endpoint, Form: form})
	}
	if endpoint.DisabledAt != nil {
		return showEndpoint(r, http.StatusConflict, endpointPage{Endpoint: endpoint, Form: form,
			Problem: "endpoints.is_disabled"})
	}
	ids, err := r.Changes().Webhooks.RetryDeliveries(r.Context(), webhooks.DeliveryFilter{
		EndpointID: endpoint.ID, Status: webhooks.DeliveryFailed, Since: since, Limit: resentAtOnce,
	})
	if err != nil {
		return err
	}
	resent := len(ids)
	return showEndpoint(r, http.StatusOK, endpointPage{Endpoint: endpoint, Form: form, Resent: &resent,
		More: resent == resentAtOnce})
}
