package workflows

import "go.temporal.io/sdk/workflow"

// DeliveryInput names the delivery of a run.
type DeliveryInput struct {
	DeliveryID string
}

// DeliveryResult is how a delivery ended: delivered or skipped. One that was
// given up fails its run, so that operators see it.
type DeliveryResult struct {
	Status string
}

// Delivery sends one event to one endpoint, for days if it must. The activity
// says when it is tried again; its attempts are in the delivery's log.
func Delivery(ctx workflow.Context, input DeliveryInput) (DeliveryResult, error) {
	return deliver(ctx, input.DeliveryID)
}
