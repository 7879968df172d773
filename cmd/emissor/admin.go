package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"emissor/web"
)

// admin is the operator's listener: metrics, readiness and profiles. It has no
// authentication and listens on loopback unless told otherwise.
type admin struct {
	process  *process
	draining atomic.Bool

	mu         sync.Mutex
	components map[string]*atomic.Bool // whether each part of this process is up
}

// component adds a part that must be up for the process to be ready.
func (a *admin) component(name string) *atomic.Bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	up := new(atomic.Bool)
	a.components[name] = up
	return up
}

// drain makes the process say that it is not ready any more.
func (a *admin) drain() { a.draining.Store(true) }

func (a *admin) serve(ctx context.Context) error {
	listener, err := web.Listen(web.ListenOptions{Address: a.process.config.AdminListen})
	if err != nil {
		return fmt.Errorf("EMISSOR_ADMIN_LISTEN: %w", err)
	}
	a.process.logger.Info("metrics and readiness listen", "address", listener.Addr().String())
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.process.metrics.Registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", a.ready)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := web.NewOwnServer(forOwnHost(mux))
	return web.Serve(ctx, listener, server, server.Close)
}

// forOwnHost refuses a request for another host than this machine: a page of the web can
// let its own name lead here, and its browser would read the answer to it. Hosts are the
// names and addresses of loopback, and the address that the request came to, where
// EMISSOR_ADMIN_LISTEN opens another: no name leads to that as the Host.
func forOwnHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOwnHost(r) {
			http.Error(w, "this listener answers requests for loopback hosts only", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isOwnHost(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil { // without a port
		host = strings.Trim(r.Host, "[]")
	}
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	at, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return address.Unmap().IsLoopback() || at != nil && address.Unmap() == web.RemoteAddress(at.String())
}

// ready answers whether a load balancer should send work here.
func (a *admin) ready(w http.ResponseWriter, r *http.Request) {
	if reason := a.notReady(r.Context()); reason != "" {
		http.Error(w, reason, http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ready")
	// It stays ready: to start it again would mend nothing, and nobody would accept notes.
	if why, err := a.process.stalled(r.Context()); err == nil && why != "" {
		fmt.Fprintln(w, why)
	}
}

// notReady returns why the process is not ready, or "" when it is.
func (a *admin) notReady(ctx context.Context) string {
	if a.draining.Load() {
		return "draining"
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, up := range a.components {
		if !up.Load() {
			return "the " + name + " is not up"
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := a.process.store.Ping(ctx); err != nil {
		return "the database does not answer"
	}
	return ""
}
