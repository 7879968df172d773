package serve

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"emissor/api"
	"emissor/cmd/emissor/cli"
	"emissor/internal/web"
)

func (r *running) serveAPI(ctx context.Context, listening *atomic.Bool) error {
	service := api.New(api.Options{
		Store: r.store, Resolver: r.resolver, Metrics: r.Metrics, Logger: r.Logger, Accepted: r.accepted,
		Traces:    r.traces,
		RateLimit: r.config.RateLimit, ScopeRateLimit: r.config.Organization.Requests,
		FailedAuthLimit: cli.FailedAuthRate,
		TrustedProxies:  r.config.TrustedProxies, PerAddress: r.config.AddressLimit,
	})
	var uses sync.WaitGroup
	served, end := context.WithCancel(context.WithoutCancel(ctx))
	uses.Go(func() { service.KeepKeyUses(served) })
	uses.Go(func() { service.KeepRequestLog(served) })
	defer uses.Wait()
	defer end()
	return r.serveHTTP(ctx, door{"EMISSOR_LISTEN", r.config.Listen, "the API listens", service.Handler()}, listening)
}

// door is the listener of the API or of the dashboard.
type door struct {
	variable, address string
	message           string // of the log, once it listens
	handler           http.Handler
}

// serveHTTP serves a listener until ctx ends, and then drains its requests.
func (r *running) serveHTTP(ctx context.Context, at door, listening *atomic.Bool) error {
	listener, err := web.Listen(web.ListenOptions{
		Address: at.address, Connections: r.config.Connections,
		PerAddress: r.config.AddressLimit, TrustedProxies: r.config.TrustedProxies,
		Closed: r.Metrics.ConnectionClosed, Logger: r.Logger,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", at.variable, err)
	}
	r.Logger.Info(at.message, "address", listener.Addr().String())
	listening.Store(true)
	drainer := web.NewDrainer(at.handler)
	server := web.NewServer(drainer, r.Logger)
	return web.Serve(ctx, listener, server, func() error {
		r.admin.drain()
		drainer.BeginDrain()
		r.Logger.Info("stopping: draining requests", "delay", r.config.DrainDelay.String())
		return web.Drain(server, r.config.DrainDelay)
	})
}
