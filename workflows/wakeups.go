package workflows

import "go.temporal.io/sdk/workflow"

// wakeUps are the signals of a note's run. They carry nothing: after one the note
// is read again.
type wakeUps []workflow.ReceiveChannel

func newWakeUps(ctx workflow.Context) wakeUps {
	return wakeUps{workflow.GetSignalChannel(ctx, CancelSignal), workflow.GetSignalChannel(ctx, ResumeSignal)}
}

// or waits for the future or for a wake-up, and reports whether it was a wake-up.
func (w wakeUps) or(ctx workflow.Context, future workflow.Future) (wokenUp bool) {
	selector := workflow.NewSelector(ctx).AddFuture(future, func(workflow.Future) {})
	for _, channel := range w {
		selector.AddReceive(channel, func(c workflow.ReceiveChannel, _ bool) {
			c.ReceiveAsync(nil)
			wokenUp = true
		})
	}
	selector.Select(ctx)
	return wokenUp
}

// drain empties the channels, and reports whether a signal was in them. Signals
// that are in them when a run ends would be lost.
func (w wakeUps) drain() (wokenUp bool) {
	for _, channel := range w {
		for channel.ReceiveAsync(nil) {
			wokenUp = true
		}
	}
	return wokenUp
}
