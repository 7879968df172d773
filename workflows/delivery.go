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

// Delivery sends one event to one endpoint, with attempts for days if needed. The
// activity says when the next one is due; attempts are in the delivery's log.
func Delivery(ctx workflow.Context, input DeliveryInput) (DeliveryResult, error) {
	return deliver(ctx, input.DeliveryID)
}
