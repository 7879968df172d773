package workflows

import "go.temporal.io/sdk/workflow"

// nudges are the signals of a note's run. They carry nothing: after one the note
// is read again.
type nudges []workflow.ReceiveChannel

func newNudges(ctx workflow.Context) nudges {
	return nudges{workflow.GetSignalChannel(ctx, CancelSignal), workflow.GetSignalChannel(ctx, ResumeSignal)}
}

// or waits for the future or for a nudge, and says whether it was a nudge.
func (n nudges) or(ctx workflow.Context, future workflow.Future) (nudged bool) {
	selector := workflow.NewSelector(ctx).AddFuture(future, func(workflow.Future) {})
	for _, channel := range n {
		selector.AddReceive(channel, func(c workflow.ReceiveChannel, _ bool) {
			c.ReceiveAsync(nil)
			nudged = true
		})
	}
	selector.Select(ctx)
	return nudged
}

// drain empties the channels, and says whether there was something in them. What
// is left in them when a run ends would be lost.
func (n nudges) drain() (nudged bool) {
	for _, channel := range n {
		for channel.ReceiveAsync(nil) {
			nudged = true
		}
	}
	return nudged
}
