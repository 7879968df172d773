package dashboard

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

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

func (d *Dashboard) showDelivery(r *request) error {
	return r.showDelivery(http.StatusOK, "")
}

func (r *request) showDelivery(status int, problem string) error {
	delivery, attempts, err := r.delivery()
	if err != nil {
		return err
	}
	page := deliveryPage{Delivery: delivery, Problem: problem}
	payload, err := r.d.store.Webhooks.DeliveryPayload(r.Context(), r.scope, delivery.ID)
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
	if page.Obstacle, err = r.obstacle(delivery); err != nil {
		return err
	}
	return r.renderStatus(status, "delivery", "deliveries.one", page)
}

// delivery is the delivery that the address names. One of another organization or
// environment is not found.
func (r *request) delivery() (webhooks.Delivery, []nfse.DeliveryAttempt, error) {
	delivery, attempts, err := r.d.store.Webhooks.Delivery(r.Context(), r.PathValue("id"))
	if err == nil && delivery.Scope != r.scope {
		err = problem{http.StatusNotFound, "problem.not_found"}
	}
	return delivery, attempts, err
}

// obstacle is the key of why a delivery cannot be sent again; empty when it can.
func (r *request) obstacle(delivery webhooks.Delivery) (string, error) {
	at, err := r.d.store.Webhooks.EndpointIn(r.Context(), r.scope, delivery.EndpointID)
	return obstacleKeys[endpoint.ObstacleOf(delivery, at)], err
}

var obstacleKeys = map[endpoint.Obstacle]string{
	endpoint.Delivered: "deliveries.is_delivered", endpoint.Forgotten: "deliveries.is_old",
	endpoint.Removed: "endpoints.is_removed", endpoint.Disabled: "endpoints.is_disabled",
}

// retryDelivery sends a delivery again, with a new window of attempts.
func (d *Dashboard) retryDelivery(r *request) error {
	delivery, _, err := r.delivery()
	if err != nil {
		return err
	}
	obstacle, err := r.obstacle(delivery)
	if err != nil {
		return err
	}
	if obstacle == "" {
		var ids []string
		ids, err = r.changes().Webhooks.RetryDeliveries(r.Context(), webhooks.DeliveryFilter{ID: delivery.ID, Limit: 1})
		if err != nil {
			return err
		}
		if len(ids) == 0 { // delivered meanwhile
			obstacle = "deliveries.is_delivered"
		}
	}
	if obstacle != "" {
		return r.showDelivery(http.StatusConflict, obstacle)
	}
	return r.redirect(r.link("/integrations/deliveries/"+delivery.ID), "deliveries.resent")
}
