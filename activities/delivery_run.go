package activities

import (
	"context"
	"errors"
	"time"

	"emissor/internal/webhook"
	"emissor/nfse/fact"
	"emissor/store/webhooks"
)

// deliveryRun is the run that an attempt is made in: its slot, and how it handles what goes
// wrong.
type deliveryRun interface {
	// take takes the slot for an attempt; why is the error of an attempt for which there is none.
	take(ctx context.Context, delivery webhooks.DeliveryToSend) (why error)
	// free gives it back, and says how the attempt went.
	free(delivery webhooks.DeliveryToSend, made webhook.Attempt)
	// sealed is the error of a delivery whose secrets do not open here.
	sealed(ctx context.Context, delivery webhooks.DeliveryToSend, err error) error
	// failed is the error with which an attempt that did not deliver ends, from that of outcomeOf.
	failed(err error) error
	// id is the id of the delivery's own run; empty for the note's run.
	id() string
}

// firstDelivery is an attempt in the run that settled the note: where it cannot be made a run
// of the delivery's own makes it.
type firstDelivery struct{ *Deliveries }

var errOwnRun = errors.New("activities: the delivery gets a run of its own")

func (r *firstDelivery) take(ctx context.Context, delivery webhooks.DeliveryToSend) error {
	// One slot stays free for deliveries in their own runs, which have waited longer.
	if !r.First.Take(ctx, delivery.EndpointID, max(1, r.Slots.cap-1)) {
		return errOwnRun
	}
	switch {
	case !r.Slots.take(delivery.EndpointID):
	case !r.Rate.AllowSpare(delivery.Scope, time.Now()): // half stays for those that have waited longer
		r.Slots.free(delivery.EndpointID)
	default:
		return nil
	}
	r.First.Done(delivery.EndpointID, 0, false)
	return errOwnRun
}

func (r *firstDelivery) free(delivery webhooks.DeliveryToSend, made webhook.Attempt) {
	r.Slots.free(delivery.EndpointID)
	// A failure on our side, before anything was sent, does not count against the receiver.
	r.First.Done(delivery.EndpointID, made.Duration, made.Duration > 0 && !made.Succeeded())
}

func (r *firstDelivery) sealed(context.Context, webhooks.DeliveryToSend, error) error {
	return errOwnRun
}

func (r *firstDelivery) failed(error) error { return nil }

func (r *firstDelivery) id() string { return "" }

// ownDelivery is an attempt in the delivery's own run, which waits for what it needs.
type ownDelivery struct {
	*Deliveries
	runID string
}

func (r *ownDelivery) take(ctx context.Context, delivery webhooks.DeliveryToSend) error {
	if r.Slots.take(delivery.EndpointID) {
		return nil
	}
	return RetryAfter("endpoint_busy", "every slot of the endpoint is taken", busyTarget.After(attempt(ctx)))
}

func (r *ownDelivery) free(delivery webhooks.DeliveryToSend, _ webhook.Attempt) {
	r.Slots.free(delivery.EndpointID)
}

// sealed waits for an operator: without its secret a delivery cannot be signed,
// but it is not given up because of that.
func (r *ownDelivery) sealed(ctx context.Context, delivery webhooks.DeliveryToSend, err error) error {
	wait := missingSetting.After(attempt(ctx))
	reason := fact.DeliveryNotSigned.With("why", fact.OfError(err))
	if delayed := r.Store.Webhooks.DelayDelivery(ctx, delivery.ID, reason, wait); delayed != nil {
		return r.fail(ctx, delivery.ID, delayed)
	}
	r.Logger.WarnContext(ctx, "a delivery cannot be signed", "delivery_id", delivery.ID, "error", err)
	return RetryAfter("secret_sealed", reason.English(), wait)
}

func (r *ownDelivery) failed(err error) error { return err }

func (r *ownDelivery) id() string { return r.runID }
