package activities

import (
	"context"
	"errors"
	"log/slog"

	"go.temporal.io/sdk/activity"

	"emissor/internal/limit"
	"emissor/internal/metrics"
	"emissor/internal/seal"
	"emissor/internal/trace"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/webhooks"
	"emissor/workflows"
)

// Deliveries sends events to subscribers.
type Deliveries struct {
	Store   *store.Store
	Client  *webhook.Client
	Sealer  *seal.Sealer
	Slots   *Slots
	First   *FirstAttempts
	Rate    *limit.Limiter[nfse.Scope] // of deliveries that are begun; shared with the dispatch loop
	Metrics *metrics.Metrics
	Logger  *slog.Logger

	// Waits is called for a run that from now on waits for a receiver.
	Waits func(runID string)
}

// DeliverAtOnce makes the first attempt in the run that settled the note, within its
// workflow task, if there is a slot for it and its organization is within its rate. A
// delivery that it does not end gets a run of its own.
func (a *Deliveries) DeliverAtOnce(ctx context.Context, id string) (workflows.DeliveryResult, error) {
	delivery, err := a.Store.Webhooks.DeliveryToSend(ctx, id)
	if err != nil || delivery.Status != webhooks.DeliveryPending || delivery.Failures > 0 {
		return workflows.DeliveryResult{Status: string(delivery.Status)}, a.fail(ctx, id, err)
	}
	result, err := a.attempt(context.WithoutCancel(ctx), delivery, &firstDelivery{a})
	if errors.Is(err, errOwnRun) {
		err = a.fail(ctx, id, a.Store.Webhooks.StartDelivery(ctx, id))
	}
	return result, err
}

// Deliver makes one attempt. It reads its row first, so any run, however
// started, does only what is left to do: what was delivered is done, what had ended
// otherwise and is started again gets a fresh window. A failed attempt returns an
// error that says when the next one is due; the error of giving up ends the run.
func (a *Deliveries) Deliver(ctx context.Context, id string) (workflows.DeliveryResult, error) {
	delivery, err := a.Store.Webhooks.DeliveryToSend(ctx, id)
	if err != nil {
		return workflows.DeliveryResult{}, a.fail(ctx, id, err)
	}
	runID := activity.GetInfo(ctx).WorkflowExecution.RunID
	switch {
	case delivery.Status == webhooks.DeliveryDelivered:
		return workflows.DeliveryResult{Status: string(webhooks.DeliveryDelivered)}, nil
	case delivery.HandedOver:
		return workflows.DeliveryResult{}, a.takeOver(ctx, delivery, runID)
	case delivery.Status == webhooks.DeliveryFailed && delivery.FailedRunID == runID:
		return workflows.DeliveryResult{}, givenUp(workflows.DeliveryGivenUp, delivery.Reason)
	}
	return a.attempt(ctx, delivery, &ownDelivery{a, runID})
}

// attempt sends an event to its endpoint, unless that is disabled or deleted.
func (a *Deliveries) attempt(ctx context.Context, delivery webhooks.DeliveryToSend,
	run deliveryRun) (result workflows.DeliveryResult, err error) {
	result.Status = string(delivery.Status)
	if !delivery.EndpointState.None() {
		return a.skip(ctx, delivery)
	}
	if err := run.take(ctx, delivery); err != nil {
		return result, err
	}
	var made webhook.Attempt
	defer func() { run.free(delivery, made) }()
	if delivery.Status != webhooks.DeliveryPending {
		if err := a.Store.Webhooks.ReopenDelivery(ctx, delivery.ID); err != nil {
			return result, a.fail(ctx, delivery.ID, err)
		}
		delivery.Failures, delivery.Elapsed = 0, 0
	}
	secrets, err := a.Sealer.UnsealAll([][]byte{delivery.Secret, delivery.PreviousSecret}, delivery.OrganizationID,
		delivery.EndpointID)
	if err != nil {
		return result, run.sealed(ctx, delivery, err)
	}
	a.Waits(activity.GetInfo(ctx).WorkflowExecution.RunID)
	if delivery.Waited > 0 && delivery.Failures == 0 {
		a.Metrics.FirstAttempt(delivery.Waited, delivery.Livemode)
	}
	made = a.send(ctx, delivery, secrets)
	outcome, failed := outcomeOf(delivery, made)
	outcome.RunID = run.id()
	if err := a.record(ctx, delivery, made, outcome); err != nil {
		return result, err
	}
	result.Status = string(outcome.Status)
	return result, run.failed(failed)
}

// send posts the event once.
func (a *Deliveries) send(ctx context.Context, delivery webhooks.DeliveryToSend, secrets []string) webhook.Attempt {
	ctx, span := trace.StartCall(ctx, "send a webhook")
	made := a.Client.Send(ctx, delivery.URL, secrets, delivery.Payload)
	span.Scope(delivery.Scope)
	span.Delivery(delivery.ID)
	span.Endpoint(delivery.EndpointID)
	span.Attempt(delivery.Failures + 1)
	span.Status(made.Status)
	if !made.Succeeded() {
		span.Failed(string(made.Problem.Code))
	}
	span.End(nil)
	return made
}

// takeOver continues after the first attempt: the next one is due later, or it was given up.
func (a *Deliveries) takeOver(ctx context.Context, delivery webhooks.DeliveryToSend, runID string) error {
	wait, err := a.Store.Webhooks.TakeOverDelivery(ctx, delivery.ID, runID)
	switch {
	case err != nil:
		return a.fail(ctx, delivery.ID, err)
	case delivery.Status == webhooks.DeliveryFailed:
		return givenUp(workflows.DeliveryGivenUp, delivery.Reason)
	}
	return RetryAfter("delivery_attempt_failed", "the first attempt failed; the next is planned", wait)
}

// skip ends a delivery whose endpoint is disabled or deleted.
func (a *Deliveries) skip(ctx context.Context, delivery webhooks.DeliveryToSend) (workflows.DeliveryResult, error) {
	err := a.Store.Webhooks.SkipDelivery(ctx, delivery.ID, delivery.EndpointState)
	return workflows.DeliveryResult{Status: string(webhooks.DeliverySkipped)}, a.fail(ctx, delivery.ID, err)
}

// record stores an attempt and what follows from it for the delivery.
func (a *Deliveries) record(ctx context.Context, delivery webhooks.DeliveryToSend, made webhook.Attempt,
	outcome webhooks.DeliveryOutcome) error {
	// The event was sent: that is recorded even when the worker is stopping.
	ctx = context.WithoutCancel(ctx)
	if err := a.Store.Webhooks.RecordAttempt(ctx, delivery.ID, made.Log(), outcome); err != nil {
		return a.fail(ctx, delivery.ID, err)
	}
	if made.Status != 0 {
		a.noteAnswer(ctx, delivery, made.Status)
	}
	a.Metrics.Delivered(string(outcome.Status), delivery.Livemode)
	return nil
}

// noteAnswer records whether the receiver answered that it is gone.
func (a *Deliveries) noteAnswer(ctx context.Context, delivery webhooks.DeliveryToSend, status int) {
	disabled, err := a.Store.Webhooks.EndpointAnswered(ctx, delivery.EndpointID, status == gone)
	if err != nil {
		a.Logger.WarnContext(ctx, "an endpoint's answer could not be recorded", "endpoint_id", delivery.EndpointID,
			"error", err)
	}
	if disabled {
		a.Logger.WarnContext(ctx, "a webhook endpoint is disabled: it has answered 410 for 24 hours",
			"endpoint_id", delivery.EndpointID, "organization_id", delivery.OrganizationID)
	}
}

// gone is the status by which a receiver says that it will not take events any more.
const gone = 410

// outcomeOf decides what follows from an attempt for its delivery, and with which error the
// activity ends.
func outcomeOf(delivery webhooks.DeliveryToSend, made webhook.Attempt) (webhooks.DeliveryOutcome, error) {
	if made.Succeeded() {
		return webhooks.DeliveryOutcome{Status: webhooks.DeliveryDelivered}, nil
	}
	if made.Status == gone {
		reason := fact.DeliveryRefused.Fact()
		return webhooks.DeliveryOutcome{Status: webhooks.DeliveryFailed, Reason: reason},
			givenUp(workflows.DeliveryGivenUp, reason)
	}
	window := webhook.Window(delivery.Livemode)
	wait, more := webhook.Pause(delivery.Failures+1, made.RetryAfter, window-delivery.Elapsed-made.Duration)
	if !more {
		reason := fact.GivenUp.With("window", window, "why", made.Problem)
		return webhooks.DeliveryOutcome{Status: webhooks.DeliveryFailed, Reason: reason},
			givenUp(workflows.DeliveryGivenUp, reason)
	}
	return webhooks.DeliveryOutcome{Status: webhooks.DeliveryPending, Wait: wait},
		RetryAfter("delivery_attempt_failed", made.Problem.English(), wait)
}

func (a *Deliveries) fail(ctx context.Context, id string, err error) error {
	return RetrySoon(ctx, a.Logger.With("delivery_id", id), err)
}
