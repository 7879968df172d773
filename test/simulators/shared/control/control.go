// Package control is what the control addresses of the simulators share: only this
// machine reaches them, and they read and write JSON.
package control

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// largestBody is the most bytes that a control request may carry.
const largestBody = 4 << 20

// OnlyLoopback keeps web pages that a developer happens to visit from reaching the
// control routes through the browser, by another origin or by a name of their own
// for this machine.
func OnlyLoopback(next http.Handler) http.Handler {
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "only loopback is served", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// ReadJSON reads a body strictly; it answers 400 and returns false where that fails.
func ReadJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, largestBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		http.Error(w, strings.TrimPrefix(err.Error(), "json: "), http.StatusBadRequest)
		return false
	}
	return true
}

// Do reads what is asked and does it: 204, or the status of an error with its text.
func Do[Asked any](status int, do func(Asked) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var asked Asked
		if !ReadJSON(w, r, &asked) {
			return
		}
		if err := do(asked); err != nil {
			http.Error(w, err.Error(), status)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// WriteJSON answers with a value.
func WriteJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // the client may be gone
}

// Listen refuses an address that another machine could reach: who controls a
// simulator can make it sign anything.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("%q is not a loopback address, such as 127.0.0.1:8444", address)
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", address)
}

// stopTimeout is how long control requests under way may take to end before they
// are cut.
const stopTimeout = time.Second

// Serve serves until ctx ends.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if server.Shutdown(stopping) == nil {
		return nil
	}
	return server.Close()
}
