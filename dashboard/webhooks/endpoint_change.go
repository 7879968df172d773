package webhooks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"

	"emissor/dashboard/frame"
	"emissor/internal/webhook/endpoint"
	"emissor/nfse"
	"emissor/store/postgres"
	"emissor/store/webhooks"
)

// newEndpointForm is the form of a new endpoint, which wants all events.
func newEndpointForm() *frame.Form { return endpointForm(webhooks.Endpoint{}) }

// endpointForm is an endpoint as the form that changes it shows it.
func endpointForm(shown webhooks.Endpoint) *frame.Form {
	values := map[string]string{"url": shown.URL}
	for _, event := range nfse.EventTypes {
		if len(shown.Events) == 0 || slices.Contains(shown.Events, string(event)) {
			values[string(event)] = "on"
		}
	}
	return &frame.Form{Values: values}
}

// endpointVersion is a digest of what may be changed of an endpoint.
func endpointVersion(of webhooks.Endpoint) string {
	sum := sha256.Sum256([]byte(of.URL + "\n" + strings.Join(of.Events, ",")))
	return hex.EncodeToString(sum[:8])
}

// readEvents are the events that were ticked; nil where all were, so that the endpoint gets kinds of
// events as well that there will be.
func readEvents(f *frame.Form) (events []string) {
	for _, event := range nfse.EventTypes {
		if f.Value(string(event)) != "" {
			events = append(events, string(event))
		}
	}
	switch len(events) {
	case 0:
		f.AddProblem(string(nfse.EventTypes[0]), "endpoints.events.none")
	case len(nfse.EventTypes):
		return nil
	}
	return events
}

// ChangeEndpoint changes the URL of an endpoint and the events that it wants. The new URL is checked
// like that of a new endpoint, and gets a test call at once: the secret is the same.
func ChangeEndpoint(r *frame.Request) error {
	before, err := present(r)
	if err != nil {
		return err
	}
	form := r.NewForm("url", "version", "nfse.issued", "nfse.rejected", "nfse.cancelled")
	address, events := strings.TrimSpace(form.Value("url")), readEvents(form)
	if err := r.D.Webhooks.CheckURL(address); err != nil {
		wrongURL(form, err)
	}
	if !form.Good() {
		return showEndpoint(r, http.StatusUnprocessableEntity, endpointPage{Endpoint: before, Change: form})
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	changed, err := r.Changes().Webhooks.SetEndpoint(r.Context(), before.ID, address, events,
		func(now webhooks.Endpoint) error {
			if endpointVersion(now) != form.Value("version") {
				return postgres.ErrChanged
			}
			return nil
		})
	if errors.Is(err, postgres.ErrChanged) {
		now, err := Endpoint(r)
		if err != nil {
			return err
		}
		return showEndpoint(r, http.StatusConflict, endpointPage{Endpoint: now, Change: form, Conflict: true})
	}
	if err != nil {
		return err
	}
	if changed.URL == before.URL {
		return r.Redirect(r.Link("/integrations/endpoints/"+changed.ID), "endpoints.changed")
	}
	attempt, err := endpoint.Test(r.Context(), r.D.WebhookClient, r.D.Sealer, changed)
	if err != nil {
		return err
	}
	call := showAttempt(attempt)
	return showEndpoint(r, http.StatusOK, endpointPage{Endpoint: changed, Call: &call, Changed: true})
}
