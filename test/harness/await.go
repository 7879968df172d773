package harness

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
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

// given are the ports that this process has given out: a program takes its own a moment later, and
// again after it was killed.
var given struct {
	sync.Mutex
	ports map[int]bool
}

// FreeAddress is a loopback address nobody listens on, another each time.
func FreeAddress() (string, error) {
	given.Lock()
	defer given.Unlock()
	if given.ports == nil {
		given.ports = map[int]bool{}
	}
	err := errors.New("all were given out")
	for range 100 {
		port := firstPort + rand.IntN(ports)
		if given.ports[port] {
			continue
		}
		var listener net.Listener
		listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			defer listener.Close()
			given.ports[port] = true
			return listener.Addr().String(), nil
		}
	}
	return "", fmt.Errorf("no port is free: %w", err)
}
