package activities

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"emissor/metrics"
	"emissor/seal"
	"emissor/store"
	"emissor/webhook"
	"emissor/workflows"
)

// Deliveries sends events to subscribers.
type Deliveries struct {
	Store   *store.Store
	Client  *webhook.Client
	Sealer  *seal.Sealer
	Slots   *Slots
	Metrics *metrics.Metrics
	Logger  *slog.Logger
}

// Deliver makes one attempt. It reads its row first, so any run, however
// started, does what is left to do: what was delivered is done, what had ended
// otherwise and is started again gets a fresh window. An attempt that failed is
// an error that says when the next one is due; giving up is the last of them.
func (a *Deliveries) Deliver(ctx context.Context, id string) (workflows.DeliveryResult, error) {
	delivery, err := a.Store.DeliveryToSend(ctx, id)
	if err != nil {
		return workflows.DeliveryResult{}, a.fail(ctx, id, err)
	}
	runID := activity.GetInfo(ctx).WorkflowExecution.RunID
	switch {
	case delivery.Status == store.DeliveryDelivered:
		return workflows.DeliveryResult{Status: string(store.DeliveryDelivered)}, nil
	case delivery.Status == store.DeliveryFailed && delivery.FailedRunID == runID:
		return workflows.DeliveryResult{}, givenUp("the delivery was given up")
	case delivery.EndpointState != "":
		err := a.Store.SkipDelivery(ctx, id, delivery.EndpointState)
		return workflows.DeliveryResult{Status: string(store.DeliverySkipped)}, a.fail(ctx, id, err)
	}
	if !a.Slots.take(delivery.EndpointID) {
		return workflows.DeliveryResult{}, busy(activity.GetInfo(ctx).Attempt)
	}
	defer a.Slots.free(delivery.EndpointID)
	if delivery.Status != store.DeliveryPending {
		if err := a.Store.ReopenDelivery(ctx, id); err != nil {
			return workflows.DeliveryResult{}, a.fail(ctx, id, err)
		}
		delivery.Failures, delivery.Elapsed = 0, 0
	}
	secrets, err := a.Sealer.UnsealAll([][]byte{delivery.Secret, delivery.PreviousSecret}, delivery.OrganizationID, delivery.EndpointID)
	if err != nil {
		return workflows.DeliveryResult{}, a.sealed(ctx, id, err)
	}
	return a.record(ctx, delivery, runID, a.Client.Send(ctx, delivery.URL, secrets, delivery.Payload))
}

// record writes down an attempt and what it makes of its delivery.
func (a *Deliveries) record(ctx context.Context, delivery store.DeliveryToSend, runID string, attempt webhook.Attempt) (workflows.DeliveryResult, error) {
	outcome, result := judge(delivery, attempt)
	outcome.RunID = runID
	// What was sent was sent: it is written down even when the worker is stopping.
	ctx = context.WithoutCancel(ctx)
	if err := a.Store.RecordAttempt(ctx, delivery.ID, attempt.Log(), outcome); err != nil {
		return workflows.DeliveryResult{}, a.fail(ctx, delivery.ID, err)
	}
	if attempt.Status != 0 {
		a.noteAnswer(ctx, delivery, attempt.Status)
	}
	a.Metrics.Delivered(string(outcome.Status), delivery.Livemode)
	return workflows.DeliveryResult{Status: string(outcome.Status)}, result
}

// noteAnswer keeps track of a receiver that says it is gone.
func (a *Deliveries) noteAnswer(ctx context.Context, delivery store.DeliveryToSend, status int) {
	disabled, err := a.Store.EndpointAnswered(ctx, delivery.EndpointID, status == gone)
	if err != nil {
		a.Logger.WarnContext(ctx, "an endpoint's answer could not be noted", "endpoint_id", delivery.EndpointID, "error", err)
	}
	if disabled {
		a.Logger.WarnContext(ctx, "a webhook endpoint is disabled: it has answered 410 for 24 hours",
			"endpoint_id", delivery.EndpointID, "organization_id", delivery.OrganizationID)
	}
}

// gone is the status by which a receiver says that it will never take anything
// again.
const gone = 410

// judge decides what an attempt makes of its delivery, and the error that tells
// the engine.
func judge(delivery store.DeliveryToSend, attempt webhook.Attempt) (store.DeliveryOutcome, error) {
	if attempt.Succeeded() {
		return store.DeliveryOutcome{Status: store.DeliveryDelivered}, nil
	}
	if attempt.Status == gone {
		reason := "the receiver answered 410: it will not take this event"
		return store.DeliveryOutcome{Status: store.DeliveryFailed, Reason: reason}, givenUp(reason)
	}
	window := webhook.Window(delivery.Livemode)
	wait, more := webhook.Pause(delivery.Failures+1, attempt.RetryAfter, window-delivery.Elapsed-attempt.Duration)
	if !more {
		reason := fmt.Sprintf("given up after %s: %s", window, attempt.Problem)
		return store.DeliveryOutcome{Status: store.DeliveryFailed, Reason: reason}, givenUp(reason)
	}
	return store.DeliveryOutcome{Status: store.DeliveryPending, Wait: wait}, again("delivery_attempt_failed", attempt.Problem, wait)
}

// again tells the engine when the next attempt is due. That a receiver fails is
// in the order of things: it is no error of the worker's log.
func again(kind, problem string, wait time.Duration) error {
	return temporal.NewApplicationErrorWithOptions(problem, kind, temporal.ApplicationErrorOptions{
		NextRetryDelay: wait,
		Category:       temporal.ApplicationErrorCategoryBenign,
	})
}

// givenUp fails the run, so that an operator sees it.
func givenUp(reason string) error {
	return temporal.NewApplicationErrorWithOptions(reason, workflows.DeliveryGivenUp, temporal.ApplicationErrorOptions{
		NonRetryable: true,
		Category:     temporal.ApplicationErrorCategoryBenign,
	})
}

// fail tries again soon what failed on our side: the engine's own pause grows
// with all attempts, which may be days of a receiver's failures.
func (a *Deliveries) fail(ctx context.Context, id string, err error) error {
	err = failure(ctx, a.Logger.With("delivery_id", id), err)
	var known *temporal.ApplicationError
	if !errors.As(err, &known) || known.NonRetryable() {
		return err
	}
	return again(known.Type(), known.Message(), spread(10*time.Second))
}

// spread keeps many deliveries that failed together from coming back together.
func spread(wait time.Duration) time.Duration {
	return wait + time.Duration(rand.Float64()*float64(wait))
}

// busy sends a delivery back to wait for a slot of its endpoint: soon at first,
// then less often, so that a long queue does not keep the engine busy.
func busy(attempt int32) error {
	return again("endpoint_busy", "every slot of the endpoint is taken", growing(attempt, 2*time.Minute))
}

// sealed waits for an operator: without its secret a delivery cannot be signed,
// and it is not given up for that.
func (a *Deliveries) sealed(ctx context.Context, id string, err error) error {
	wait := growing(activity.GetInfo(ctx).Attempt, 15*time.Minute)
	if delayed := a.Store.DelayDelivery(ctx, id, err.Error(), wait); delayed != nil {
		return a.fail(ctx, id, delayed)
	}
	a.Logger.WarnContext(ctx, "a delivery cannot be signed", "delivery_id", id, "error", err)
	return again("secret_sealed", err.Error(), wait)
}

// growing is a pause that doubles with the attempts, up to the longest.
func growing(attempt int32, longest time.Duration) time.Duration {
	return spread(min(time.Second<<min(attempt, 12), longest))
}
