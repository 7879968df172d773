package harness

import (
	"context"
	"fmt"
	"net"
	"time"
)

// Await asks until the condition holds, or ctx ends.
func Await(ctx context.Context, what string, condition func(context.Context) bool) error {
	for pause := 10 * time.Millisecond; !condition(ctx); pause = min(2*pause, 250*time.Millisecond) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting until %s: %w", what, context.Cause(ctx))
		case <-time.After(pause):
		}
	}
	return nil
}

// FreeAddress is a loopback address nobody listens on.
func FreeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}
