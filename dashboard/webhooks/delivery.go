package webhooks

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"emissor/dashboard/frame"
	"emissor/internal/webhook"
	"emissor/internal/webhook/endpoint"
	"emissor/nfse"
	"emissor/store/webhooks"
)

// deliveryPage is one delivery, and every attempt at it.
type deliveryPage struct {
	Delivery webhooks.Delivery
	Attempts []shownAttempt
	Payload  string // the exact bytes; empty: no longer kept
	Pretty   string // the same, for people
	Obstacle string // key of why it cannot be sent again; empty when it can
	Problem  string // key of what could not be done
}

// shownAttempt is an attempt as pages show it.
type shownAttempt struct {
	nfse.DeliveryAttempt
	Took    time.Duration
	Headers []webhook.Header // that were sent; nil where they are not shown
}

func showAttempt(attempt nfse.DeliveryAttempt) shownAttempt {
	return shownAttempt{DeliveryAttempt: attempt, Took: time.Duration(attempt.DurationMS) * time.Millisecond}
}

// pretty is a payload with a line for each field; as it is where it is not JSON.
func pretty(payload []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, payload, "", "  ") != nil {
		return string(payload)
	}
	return out.String()
}

func ShowDelivery(r *frame.Request) error {
	return showDelivery(r, http.StatusOK, "")
}

func showDelivery(r *frame.Request, status int, problem string) error {
	delivery, attempts, err := delivery(r)
	if err != nil {
		return err
	}
	page := deliveryPage{Delivery: delivery, Problem: problem}
	payload, err := r.D.Store.Webhooks.DeliveryPayload(r.Context(), r.Scope, delivery.ID)
	if err != nil {
		return err
	}
	page.Payload, page.Pretty = string(payload), pretty(payload)
	for _, attempt := range attempts {
		shown := showAttempt(attempt)
		if len(payload) > 0 {
			shown.Headers = webhook.Described(attempt.StartedAt.Time, payload)
		}
		page.Attempts = append(page.Attempts, shown)
	}
	if page.Obstacle, err = obstacle(r, delivery); err != nil {
		return err
	}
	return r.RenderStatus(status, "delivery", "deliveries.one", page)
}

// delivery is the delivery that the address names. One of another organization or
// environment is not found.
func delivery(r *frame.Request) (webhooks.Delivery, []nfse.DeliveryAttempt, error) {
	delivery, attempts, err := r.D.Store.Webhooks.Delivery(r.Context(), r.PathValue("id"))
	if err == nil && delivery.Scope != r.Scope {
		err = frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	return delivery, attempts, err
}

// obstacle is the key of why a delivery cannot be sent again; empty when it can.
func obstacle(r *frame.Request, delivery webhooks.Delivery) (string, error) {
	at, err := r.D.Store.Webhooks.EndpointIn(r.Context(), r.Scope, delivery.EndpointID)
	return obstacleKeys[endpoint.ObstacleOf(delivery, at)], err
}

var obstacleKeys = map[endpoint.Obstacle]string{
	endpoint.Delivered: "deliveries.is_delivered", endpoint.Forgotten: "deliveries.is_old",
	endpoint.Removed: "endpoints.is_removed", endpoint.Disabled: "endpoints.is_disabled",
}

// RetryDelivery sends a delivery again, with a new window of attempts.
func RetryDelivery(r *frame.Request) error {
	delivery, _, err := delivery(r)
	if err != nil {
		return err
	}
	obstacle, err := obstacle(r, delivery)
	if err != nil {
		return err
	}
	if obstacle == "" {
		var ids []string
		ids, err = r.Changes().Webhooks.RetryDeliveries(r.Context(), webhooks.DeliveryFilter{ID: delivery.ID, Limit: 1})
		if err != nil {
			return err
		}
		if len(ids) == 0 { // delivered meanwhile
			obstacle = "deliveries.is_delivered"
		}
	}
	if obstacle != "" {
		return showDelivery(r, http.StatusConflict, obstacle)
	}
	return r.Redirect(r.Link("/integrations/deliveries/"+delivery.ID), "deliveries.resent")
}
