// Package panics turns a panic into an error, so that a panic over one row does not end
// the loop over all of them.
package panics

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// Error is a panic that was caught.
type Error struct {
	Value any
	Stack []byte // of the goroutine that panicked, for the log
}

// Error implements error. It has the value of the panic, which may be anything: it is for
// the log only.
func (e *Error) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Within calls a function as Caught does, with a context that ends after so long.
func Within(ctx context.Context, longest time.Duration, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	return Caught(func() error { return do(ctx) })
}

// Caught calls a function and returns its error, or its panic as an *Error.
func Caught(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Error{Value: value, Stack: debug.Stack()}
		}
	}()
	return do()
}
