package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"emissor/internal/web"
)

// admin is the operator's listener: metrics, readiness and profiles. It has no
// authentication and listens on loopback by default.
type admin struct {
	process  *Process
	draining atomic.Bool
	up       map[string]*atomic.Bool // whether each part of this process is
}

func newAdmin(p *Process, runs parts) *admin {
	a := &admin{process: p, up: map[string]*atomic.Bool{}}
	for name, runs := range map[string]bool{partAPI: runs.api, partWorker: runs.worker, partDashboard: runs.dashboard} {
		if runs {
			a.up[name] = new(atomic.Bool)
		}
	}
	return a
}

// drain makes the process answer that it is not ready any more.
func (a *admin) drain() { a.draining.Store(true) }

func (a *admin) serve(ctx context.Context) error {
	listener, err := web.Listen(web.ListenOptions{Address: a.process.config.AdminListen})
	if err != nil {
		return fmt.Errorf("EMISSOR_ADMIN_LISTEN: %w", err)
	}
	a.process.Logger.Info("metrics and readiness listen", "address", listener.Addr().String())
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.process.Metrics.Registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", a.ready)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := web.NewOwnServer(mux)
	return web.Serve(ctx, listener, server, server.Close)
}

// ready answers whether a load balancer should send work here.
func (a *admin) ready(w http.ResponseWriter, r *http.Request) {
	if reason := a.notReady(r.Context()); reason != "" {
		http.Error(w, reason, http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ready")
	// It stays ready: a restart would not help, and no process would accept notes.
	if why, err := a.process.stalled(r.Context()); err == nil && why != "" {
		fmt.Fprintln(w, why)
	}
}

// notReady returns why the process is not ready, or "" when it is.
func (a *admin) notReady(ctx context.Context) string {
	if a.draining.Load() {
		return "draining"
	}
	for name, up := range a.up {
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
