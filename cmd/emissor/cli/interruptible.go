package cli

import (
	"context"
	"errors"
)

var errInterrupted = errors.New("interrupted")

// Interruptible returns what do returns, or an error where ctx ends before do.
func Interruptible[T any](ctx context.Context, do func() (T, error)) (result T, err error) {
	done := make(chan struct{})
	var made T
	var failed error
	go func() {
		defer close(done)
		made, failed = do()
	}()
	select {
	case <-done:
		return made, failed
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return result, context.Cause(ctx)
		}
		return result, errInterrupted
	}
}
