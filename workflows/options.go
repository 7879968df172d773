package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// forever is longer than any run lasts; the SDK needs a bound.
const forever = 10 * 365 * 24 * time.Hour

// withDatabaseStep runs a short step on the database inside the workflow task.
// It is tried until it works: after a few quick tries the pause is longer than a
// workflow task, so that the SDK waits with a timer and holds no slot. While the
// database is out the step's error asks for a short pause; a step that hangs because
// of its own row is tried less and less often, so that it costs others and the
// history little.
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

// withChore runs a batch of a chore of the maintenance. When a row fails, the others are
// done one by one, which takes time; the workflow task is prolonged meanwhile. A chore that
// fails a few times waits for the next round, so that the chores after it are done.
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

// choreAttempt bounds a batch of a chore: many rows, one by one, may take so long.
var choreAttempt = 2 * time.Minute // a variable for tests alone

// longestPause is the longest pause of a row whose attempts fail on our side.
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

// withAsking asks authorities many questions, one after the other. It is not retried: the
// next round goes on.
func withAsking(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    AskingAttempt,
		ScheduleToCloseTimeout: AskingAttempt + 5*time.Minute,
		RetryPolicy:            &temporal.RetryPolicy{MaximumAttempts: 1},
		Summary:                summary,
	})
}

// AskingAttempt bounds one round of questions, which begins none after a few minutes: the last has
// the time of the longest call.
const AskingAttempt = 10 * time.Minute

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

// withAuthority makes attempts at an authority's queue until the outcome is known.
// Each error says when the next attempt is due, at most fifteen minutes later. An
// attempt under way is never cut off: a cancellation of the activity ends the pause
// between two. One that ends with its worker is made again a moment after that is noticed,
// however many there were: most of them may have waited for their turn.
func withAuthority(ctx workflow.Context, authority, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:           authorityQueueOf(workflow.GetInfo(ctx).TaskQueueName, authority),
		StartToCloseTimeout: AuthorityAttempt,
		HeartbeatTimeout:    20 * time.Second,
		WaitForCancellation: true,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    afterCutOff,
			BackoffCoefficient: 1,
			MaximumInterval:    longestPause,
		},
		Summary: summary,
	})
}

// afterCutOff is the pause after an attempt at an exchange or a batch that ended with its worker. All others say
// themselves when the next one is due.
const afterCutOff = 5 * time.Second

// AuthorityAttempt bounds one attempt at an exchange: three of the longest calls. An attempt begins
// nothing for which it may lack the time: see package activities. Its worker's end is noticed by
// heartbeats, long before.
const AuthorityAttempt = 20 * time.Minute

// distributionAttempt bounds one question for a batch. Without heartbeats, a worker's end is noticed
// only after it.
const distributionAttempt = 5 * time.Minute

// deliveryAttempt bounds one attempt at a receiver or a mail server.
const deliveryAttempt = 45 * time.Second

// HeldPause is after how long a note that waits for a person is tried again by itself, at most.
const HeldPause = time.Hour

// withDelivery makes attempts for days, of which one takes at most 15 s. The
// longest pause that a failure asks for is six hours and a tenth.
func withDelivery(ctx workflow.Context) workflow.Context {
	return withAttempts(ctx, 7*time.Hour, "send the event to the endpoint")
}

// withEmail makes attempts for days. A session with the mail server takes at
// most half a minute; the longest pause is four hours and a tenth.
func withEmail(ctx workflow.Context) workflow.Context {
	return withAttempts(ctx, 5*time.Hour, "send the note to the customer")
}

// withDistribution asks for a batch. An attempt that does not get the lease, or fails on our
// side, says itself when the next one is due.
func withDistribution(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: distributionAttempt,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    afterCutOff,
			BackoffCoefficient: 1,
			MaximumInterval:    longestPause,
		},
		Summary: "ask what happened outside",
	})
}

// linesAttempt bounds one step of a spreadsheet, which begins no line after half of it.
const linesAttempt = 2 * time.Minute

// withLines accepts some lines of a spreadsheet. What fails on our side says itself when the next
// attempt is due.
func withLines(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: linesAttempt,
		HeartbeatTimeout:    20 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    longestPause,
		},
		Summary: "accept lines of the spreadsheet",
	})
}

// withRecurring accepts the note of a month, for which a zip code may have to be looked up. What fails
// on our side says itself when the next attempt is due.
func withRecurring(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 30 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    longestPause,
		},
		Summary: "accept the note of the month",
	})
}

// withExport makes parts of a ZIP for half of its time, and says then that there is more.
func withExport(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 10 * time.Minute, // the index of very many notes takes long
		HeartbeatTimeout:    30 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    longestPause,
		},
		Summary: "add notes to the ZIP of a month",
	})
}

// withAttempts makes attempts until one ends the activity. Each error says when the
// next attempt is due; the engine would cut a longer pause to the maximum here.
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
