package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// shutdownTimeout is how long requests under way may take when a server stops. It is
// longer than a request can take.
const shutdownTimeout = 35 * time.Second

// Serve serves a listener until ctx ends, and then calls stop.
func Serve(ctx context.Context, listener net.Listener, server *http.Server, stop func() error) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	return stop()
}

// Drain stops a server: after a delay, in which a load balancer can see that this process
// is not ready, no more connections are accepted, and requests under way are answered.
func Drain(server *http.Server, delay time.Duration) error {
	time.Sleep(delay)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil && err != http.ErrServerClosed {
		return fmt.Errorf("requests were still running at the end: %w", err)
	}
	return nil
}
