package activities

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"

	"emissor/internal/retry"
)

const heartbeatInterval = 5 * time.Second

// Heartbeat records heartbeats of the activity until the returned function is
// called: an attempt cut off with its worker is noticed long before its
// time-out. The next attempt can read the details.
func Heartbeat(ctx context.Context, details ...any) (stop func()) {
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	go retry.Every(beating, heartbeatInterval, func() { activity.RecordHeartbeat(ctx, details...) })
	return stop
}

// Stopping reports whether the activity should begin nothing more: it was
// cancelled, or its worker stops.
func Stopping(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-activity.GetWorkerStopChannel(ctx):
		return true
	default:
		return false
	}
}
