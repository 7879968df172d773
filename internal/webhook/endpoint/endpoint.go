// Package endpoint is what pages and commands do with an organization's webhook endpoints: their
// secrets, which are sealed at rest and shown once, test calls, and why a delivery cannot be sent
// again.
package endpoint

import (
	"context"
	"time"

	"emissor/internal/seal"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/webhooks"
)

// Add puts an endpoint on record with a new secret, which is shown only now.
func Add(
	ctx context.Context, by *store.Changes, sealer *seal.Sealer, endpoint webhooks.Endpoint,
) (added webhooks.Endpoint, secret string, err error) {
	if secret, endpoint.Secret, err = newSecret(sealer, endpoint); err != nil {
		return endpoint, "", err
	}
	added, err = by.Webhooks.CreateEndpoint(ctx, endpoint)
	return added, secret, err
}

// Rotate gives an endpoint a new secret, which is shown only now; for a day the previous one signs
// as well. Within that time another rotation is an error, unless it is forced.
func Rotate(
	ctx context.Context, by *store.Changes, sealer *seal.Sealer, endpoint webhooks.Endpoint, force bool,
) (rotated webhooks.Endpoint, secret string, err error) {
	secret, sealed, err := newSecret(sealer, endpoint)
	if err != nil {
		return endpoint, "", err
	}
	rotated, err = by.Webhooks.RotateSecret(ctx, endpoint.ID, sealed, force)
	return rotated, secret, err
}

// newSecret makes a secret, and seals it for its endpoint.
func newSecret(sealer *seal.Sealer, endpoint webhooks.Endpoint) (secret string, sealed []byte, err error) {
	secret = webhook.NewSecret()
	sealed, err = sealer.Seal([]byte(secret), endpoint.OrganizationID, endpoint.ID)
	return secret, sealed, err
}

// Test posts the body of a test call from this process to an endpoint, signed with its secrets.
func Test(
	ctx context.Context, client *webhook.Client, sealer *seal.Sealer, endpoint webhooks.Endpoint,
) (nfse.DeliveryAttempt, error) {
	secrets, err := open(sealer, endpoint)
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	body, err := nfse.NewTestCall(endpoint.Livemode, nfse.Timestamp{Time: time.Now()})
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	return client.Send(ctx, endpoint.URL, secrets, body).Log(), nil
}

// CheckSecrets returns why the secrets of an endpoint do not open, without which nothing is sent to it.
func CheckSecrets(sealer *seal.Sealer, endpoint webhooks.Endpoint) error {
	_, err := open(sealer, endpoint)
	return err
}

func open(sealer *seal.Sealer, endpoint webhooks.Endpoint) (secrets []string, err error) {
	sealed := [][]byte{endpoint.Secret, endpoint.PreviousSecret}
	return sealer.UnsealAll(sealed, endpoint.OrganizationID, endpoint.ID)
}

// Obstacle is why nothing can be sent again; empty when it can.
type Obstacle string

// The obstacles: of a delivery, and of its endpoint.
const (
	Delivered Obstacle = "delivered"
	Forgotten Obstacle = "forgotten" // the content of the event is no longer kept
	Removed   Obstacle = "removed"
	Disabled  Obstacle = "disabled"
)

// ObstacleOf is why a delivery to an endpoint cannot be sent again.
func ObstacleOf(delivery webhooks.Delivery, endpoint webhooks.Endpoint) Obstacle {
	switch {
	case delivery.Status == webhooks.DeliveryDelivered:
		return Delivered
	case !delivery.ContentKept:
		return Forgotten
	}
	return ObstacleAt(endpoint)
}

// ObstacleAt is why nothing can be sent to an endpoint.
func ObstacleAt(endpoint webhooks.Endpoint) Obstacle {
	switch {
	case endpoint.DeletedAt != nil:
		return Removed
	case endpoint.DisabledAt != nil:
		return Disabled
	}
	return ""
}

// State is the word for what an endpoint is: enabled, disabled or removed.
func State(endpoint webhooks.Endpoint) string {
	if obstacle := ObstacleAt(endpoint); obstacle != "" {
		return string(obstacle)
	}
	return "enabled"
}
