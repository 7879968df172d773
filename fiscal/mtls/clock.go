package mtls

import (
	"context"
	"net/http"
	"time"
)

// clockKey is the key of what WithClock adds to a context.
type clockKey struct{}

// WithClock has told called after each answer to a request with the context: by how much the clock
// here is ahead of the server's, by the Date of its answer, which is of whole seconds.
func WithClock(ctx context.Context, told func(ahead time.Duration)) context.Context {
	return context.WithValue(ctx, clockKey{}, told)
}

// tellClock tells who asked by WithClock how far a Date lies outside the time between request and
// answer; an answer without a Date tells nothing.
func tellClock(ctx context.Context, asked, answered time.Time, date string) {
	told, wanted := ctx.Value(clockKey{}).(func(time.Duration))
	theirs, err := http.ParseTime(date)
	if !wanted || err != nil {
		return
	}
	switch cutOff := theirs.Add(time.Second); {
	case theirs.After(answered):
		told(answered.Sub(theirs))
	case cutOff.Before(asked):
		told(asked.Sub(cutOff))
	default:
		told(0)
	}
}
