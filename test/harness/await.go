package harness

import (
	"context"
	"fmt"
	"math/rand/v2"
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

// The ports of FreeAddress lie below those that systems give to outgoing connections: one of
// these could take a port before the program for which it was chosen.
const firstPort, ports = 20_000, 10_000

// FreeAddress is a loopback address nobody listens on.
func FreeAddress() (string, error) {
	var err error
	for range 100 {
		var listener net.Listener
		listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(ports)))
		if err == nil {
			defer listener.Close()
			return listener.Addr().String(), nil
		}
	}
	return "", err
}
