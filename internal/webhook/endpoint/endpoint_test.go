package endpoint_test

import (
	"testing"

	"emissor/internal/webhook/endpoint"
	"emissor/nfse"
	"emissor/store"
)

// Of several obstacles that of the delivery itself is said: another endpoint would not help.
func TestObstacleOf(t *testing.T) {
	t.Parallel()
	now := new(nfse.Timestamp)
	failed := store.Delivery{Status: store.DeliveryFailed, ContentKept: true}
	for _, c := range []struct {
		delivery store.Delivery
		endpoint store.Endpoint
		obstacle endpoint.Obstacle
	}{
		{failed, store.Endpoint{}, ""},
		{failed, store.Endpoint{DisabledAt: now}, endpoint.Disabled},
		{failed, store.Endpoint{DisabledAt: now, DeletedAt: now}, endpoint.Removed},
		{store.Delivery{Status: store.DeliveryFailed}, store.Endpoint{DeletedAt: now}, endpoint.Forgotten},
		{store.Delivery{Status: store.DeliveryDelivered}, store.Endpoint{DeletedAt: now}, endpoint.Delivered},
	} {
		if found := endpoint.ObstacleOf(c.delivery, c.endpoint); found != c.obstacle {
			t.Errorf("%+v at %+v: %q, expected %q", c.delivery, c.endpoint, found, c.obstacle)
		}
	}
}
