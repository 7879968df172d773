package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// forever is longer than any note lives; the engine wants a bound.
const forever = 10 * 365 * 24 * time.Hour

// withDatabaseStep runs a short step on the database inside the workflow task.
// It is tried until it works: after a few quick tries the pause passes the
// length of a workflow task, so that the SDK waits with a timer and holds
// nothing. While the database is out the step says itself that it is tried again
// soon; one that hangs over its own row is tried less and less often, and so costs
// neither others nor the history much.
func withDatabaseStep(ctx workflow.Context, summary string) workflow.Context {
	return withStep(ctx, 5*time.Second, summary)
}

func withStep(ctx workflow.Context, longest time.Duration, summary string) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout:    longest,
		ScheduleToCloseTimeout: forever,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    200 * time.Millisecond,
			BackoffCoefficient: 4,
			MaximumInterval:    longestPause,
		},
		Summary: summary,
	})
}

// withChore is a batch of a chore of the maintenance. Rows that fail cost it time, in
// which it does the others by themselves; it is prolonged meanwhile. What fails a few
// times waits for the next round, so that the chores after it have their turn.
func withChore(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout:    choreAttempt,
		ScheduleToCloseTimeout: 5 * choreAttempt / 2,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    200 * time.Millisecond,
			BackoffCoefficient: 4,
			MaximumAttempts:    3,
		},
		Summary: summary,
	})
}

// choreAttempt bounds a batch of a chore: so long take many rows one by one.
var choreAttempt = 2 * time.Minute // a variable for tests alone

// longestPause is that of a row whose attempts fail on our side.
const longestPause = 15 * time.Minute

// withFirstAttempt makes one attempt at an authority or a receiver inside the
// workflow task, which is prolonged while it takes long.
func withFirstAttempt(ctx workflow.Context, longest time.Duration, summary string) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout:    longest,
		ScheduleToCloseTimeout: longest,
		RetryPolicy:            &temporal.RetryPolicy{MaximumAttempts: 1},
		Summary:                summary,
	})
}

// withAsking asks authorities many questions, one after the other, once: the next
// round goes on.
func withAsking(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    5 * time.Minute,
		ScheduleToCloseTimeout: 10 * time.Minute,
		RetryPolicy:            &temporal.RetryPolicy{MaximumAttempts: 1},
		Summary:                summary,
	})
}

// withMunicipalityLookup asks the zip code services again: in live for half an
// hour, in test once.
func withMunicipalityLookup(ctx workflow.Context, livemode bool) workflow.Context {
	attempts := int32(1)
	if livemode {
		attempts = 1000 // the half hour is over long before
	}
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    10 * time.Second,
		ScheduleToCloseTimeout: 30 * time.Minute,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    5 * time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    2 * time.Minute,
			MaximumAttempts:    attempts,
		},
		Summary: "ask the zip code services for the municipality again",
	})
}

// withAuthority sends something to an authority, until that ends in something
// known. Each failure says itself when the next attempt is due, at most fifteen
// minutes later. An attempt under way is never cut off: a cancellation of the
// activity ends the pause between two.
func withAuthority(ctx workflow.Context, authority, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:           authorityQueueOf(workflow.GetInfo(ctx).TaskQueueName, authority),
		StartToCloseTimeout: authorityAttempt,
		HeartbeatTimeout:    20 * time.Second,
		WaitForCancellation: true,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    longestPause,
		},
		Summary: summary,
	})
}

// authorityAttempt bounds one attempt at an authority: a few requests.
const authorityAttempt = 5 * time.Minute

// deliveryAttempt bounds one attempt at a receiver or a mail server.
const deliveryAttempt = 45 * time.Second

// heldPause is how often a note that waits for a person looks by itself.
const heldPause = time.Hour

// withDelivery makes attempts for days, of which one takes at most 15 s. The
// longest pause that a failure asks for is six hours and a tenth.
func withDelivery(ctx workflow.Context) workflow.Context {
	return withAttempts(ctx, 7*time.Hour, "send the event to the endpoint")
}

// withEmail makes attempts for days. A conversation with the mail server takes
// at most half a minute; the longest pause is four hours and a tenth.
func withEmail(ctx workflow.Context) workflow.Context {
	return withAttempts(ctx, 5*time.Hour, "send the note to the customer")
}

// withDistribution asks for a batch. What has to wait for its lease says itself when it
// tries again; so does what failed on our side.
func withDistribution(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: authorityAttempt,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    longestPause,
		},
		Summary: "ask what happened outside",
	})
}

// withAttempts makes attempts until one ends the activity. Each failure says
// itself when the next attempt is due; the engine would cut a longer pause to the
// maximum here.
func withAttempts(ctx workflow.Context, maximum time.Duration, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: deliveryAttempt,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    5 * time.Second,
			BackoffCoefficient: 1,
			MaximumInterval:    maximum,
		},
		Summary: summary,
	})
}
