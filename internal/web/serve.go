package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// shutdownTimeout is what requests under way get when a door is closed. It is longer
// than a request can take.
const shutdownTimeout = 35 * time.Second

// Serve answers at a listener until ctx ends, and then stops the server.
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

// Drain stops a server: after a delay, in which who sends requests here may see that they are no
// longer wanted, no connection is accepted, and what is under way is answered.
func Drain(server *http.Server, delay time.Duration) error {
	time.Sleep(delay)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil && err != http.ErrServerClosed {
		return fmt.Errorf("requests were still running at the end: %w", err)
	}
	return nil
}
