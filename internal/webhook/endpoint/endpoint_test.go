package endpoint_test

import (
	"testing"

	"emissor/internal/webhook/endpoint"
	"emissor/nfse"
	"emissor/store/webhooks"
)

// Of several obstacles that of the delivery itself is said: another endpoint would not help.
func TestObstacleOf(t *testing.T) {
	t.Parallel()
	now := new(nfse.Timestamp)
	failed := webhooks.Delivery{Status: webhooks.DeliveryFailed, ContentKept: true}
	for _, c := range []struct {
		delivery webhooks.Delivery
		endpoint webhooks.Endpoint
		obstacle endpoint.Obstacle
	}{
		{failed, webhooks.Endpoint{}, ""},
		{failed, webhooks.Endpoint{DisabledAt: now}, endpoint.Disabled},
		{failed, webhooks.Endpoint{DisabledAt: now, DeletedAt: now}, endpoint.Removed},
		{webhooks.Delivery{Status: webhooks.DeliveryFailed}, webhooks.Endpoint{DeletedAt: now}, endpoint.Forgotten},
		{webhooks.Delivery{Status: webhooks.DeliveryDelivered}, webhooks.Endpoint{DeletedAt: now}, endpoint.Delivered},
	} {
		if found := endpoint.ObstacleOf(c.delivery, c.endpoint); found != c.obstacle {
			t.Errorf("%+v at %+v: %q, expected %q", c.delivery, c.endpoint, found, c.obstacle)
		}
	}
}
