package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"emissor/admission"
	"emissor/api"
	"emissor/dashboard"
	"emissor/fiscal/national/classification"
	"emissor/retry"
	"emissor/seal"
	"emissor/seal/rotation"
	"emissor/web"
	"emissor/worker"
)

// uncataloguedFor is how long a note is asked about and sent again that an authority
// answers by a code of no catalogue, before it is held for a person.
const uncataloguedFor = time.Hour

// parts are what a process runs.
type parts struct{ api, worker, dashboard bool }

func serveCommand() *cobra.Command {
	return runCommand("serve", "Run the API, a worker and, where its URL is set, the dashboard in one process",
		parts{api: true, worker: true, dashboard: true})
}

func apiCommand() *cobra.Command {
	return runCommand("api", "Run the API alone; it needs the database and no workflow engine", parts{api: true})
}

func workerCommand() *cobra.Command {
	return runCommand("worker", "Run a worker alone: it starts and runs the workflows of accepted notes",
		parts{worker: true})
}

func dashboardCommand() *cobra.Command {
	return runCommand("dashboard", "Run the dashboard alone: the pages for people", parts{dashboard: true})
}

func runCommand(use, short string, runs parts) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error { return run(command.Context(), runs) },
	}
}

// run serves until ctx ends, and stops gracefully: first the process says that
// it is not ready, then requests are drained, then the worker pauses.
func run(ctx context.Context, runs parts) error {
	timeout := jobStatementTimeout
	if runs.api || runs.dashboard {
		timeout = apiStatementTimeout
	}
	p, err := newProcess(ctx, timeout)
	if err != nil {
		return err
	}
	defer p.close()
	if runs, err = p.leaveOutDashboard(runs); err != nil {
		return err
	}

	admin := &admin{process: p, components: map[string]*atomic.Bool{}}
	group, ctx := errgroup.WithContext(ctx)
	accepted := func() {}
	// The worker outlives the requests: it stops once they are drained.
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorking()
	sealer, err := p.openSealer(ctx, runs)
	if err != nil {
		return err
	}
	if sealer != nil {
		follower := rotation.Follower{Store: p.store, Sealer: sealer, Metrics: p.metrics, Logger: p.logger}
		group.Go(func() error { follower.Run(working); return nil })
	}
	var asked dashboard.Engine
	if runs.worker {
		open := admission.New(p.config.EngineLatency)
		p.metrics.WatchAdmission(open.Limit, open.Open)
		engine, err := dialTemporal(p.config, p.logger, open)
		if err != nil {
			return err
		}
		defer engine.Close()
		asked = askedEngine{engine, p.config.TemporalNamespace}
		tables := newClassificationSource(p.store, p.logger)
		if err := tables.Load(ctx); err != nil {
			// Nothing is refused by the tables that are built in before those on record were read.
			p.logger.Error("the classification tables on record could not be read; they are tried again", "error", err)
		}
		w, err := newWorker(p, engine, open, sealer, tables)
		if err != nil {
			return err
		}
		group.Go(func() error { tables.Run(working); return nil })
		accepted = w.Wake
		ready := admin.component("worker")
		group.Go(func() error { return keepWorking(working, p, w, ready) })
	}
	if runs.worker || runs.dashboard {
		group.Go(func() error { p.store.KeepRolledUp(working, p.logger); return nil })
	}
	group.Go(func() error { p.warnWhenStalled(working); return nil })
	serving, ctx := errgroup.WithContext(ctx) // when one door fails the other closes
	if runs.api {
		listening := admin.component("API")
		serving.Go(func() error { return serveAPI(ctx, p, accepted, admin, listening) })
	}
	if runs.dashboard {
		listening := admin.component("dashboard")
		serving.Go(func() error { return serveDashboard(ctx, p, sealer, asked, accepted, admin, listening) })
	}
	if !runs.api && !runs.dashboard {
		serving.Go(func() error {
			<-ctx.Done()
			admin.drain()
			return nil
		})
	}
	group.Go(func() error { return admin.serve(working) })
	group.Go(func() error {
		defer stopWorking()
		return serving.Wait()
	})
	return group.Wait()
}

// openSealer opens the keyset for the parts that hold it; nil where none does.
func (p *process) openSealer(ctx context.Context, runs parts) (*seal.Sealer, error) {
	if !runs.worker && !runs.dashboard {
		return nil, nil
	}
	return p.config.sealer(ctx)
}

func newWorker(
	p *process, engine client.Client, open *admission.Admission, sealer *seal.Sealer, tables *classification.Source,
) (*worker.Worker, error) {
	if len(sealer.Keys()) == 0 {
		p.logger.Warn("no keyset is configured: " +
			"webhook deliveries and live notes wait until EMISSOR_KEYSET_FILE or EMISSOR_KEYSET is set")
	}
	authorities, err := p.config.authorities(tables, p.logger)
	if err != nil {
		return nil, err
	}
	sender, err := p.config.SMTPConfig.sender()
	if err != nil {
		return nil, err
	}
	logo, err := p.config.danfseLogo()
	if err != nil {
		return nil, err
	}
	return worker.New(worker.Options{
		Store: p.store, Client: engine, Admission: open, Queues: p.queues(), Resolver: p.resolver,
		Metrics: p.metrics, Logger: p.logger, Slow: p.config.SlowScenario,
		Webhooks: p.config.webhooks(),
		Sealer:   sealer, EndpointSlots: endpointSlots, Retention: p.config.RetentionConfig.retention(),
		DeliveryRate: p.config.Organization.Deliveries, EmailRate: p.config.Organization.Emails,
		Mail: sender, DANFSe: p.config.EmailDANFSe, DANFSeLogo: logo, Authorities: authorities,
		EventsInterval: p.config.NationalConfig.EventsInterval, UncataloguedFor: uncataloguedFor,
	}), nil
}

// keepWorking runs the worker, and waits for the engine while it is away: the
// API of the same process goes on accepting.
func keepWorking(ctx context.Context, p *process, w *worker.Worker, ready *atomic.Bool) error {
	for {
		err := w.Run(ctx, func() { ready.Store(true); p.logger.Info("the worker takes work") })
		ready.Store(false)
		if err == nil || ctx.Err() != nil {
			return nil
		}
		pause := retry.WithJitter(500 * time.Millisecond)
		p.logger.Warn("the worker does not work; it tries again", "error", err, "wait", pause.String())
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

func serveAPI(ctx context.Context, p *process, accepted func(), admin *admin, listening *atomic.Bool) error {
	service := api.New(api.Options{
		Store: p.store, Resolver: p.resolver, Metrics: p.metrics, Logger: p.logger, Accepted: accepted,
		RateLimit: p.config.RateLimit, ScopeRateLimit: p.config.Organization.Requests,
		FailedAuthLimit: failedAuthRate,
		TrustedProxies:  p.config.TrustedProxies, PerAddress: p.config.AddressLimit,
	})
	var uses sync.WaitGroup
	served, end := context.WithCancel(context.WithoutCancel(ctx))
	uses.Go(func() { service.KeepKeyUses(served) })
	defer uses.Wait()
	defer end()
	return serveHTTP(ctx, p, door{"EMISSOR_LISTEN", p.config.Listen, "the API listens", service.Handler()}, admin,
		listening)
}

// door is a listener for requests.
type door struct {
	variable, address string
	message           string // of the log, once it listens
	handler           http.Handler
}

// serveHTTP answers at a door until ctx ends, and then drains it.
func serveHTTP(ctx context.Context, p *process, at door, admin *admin, listening *atomic.Bool) error {
	listener, err := web.Listen(web.ListenOptions{
		Address: at.address, Connections: p.config.Connections,
		PerAddress: p.config.AddressLimit, TrustedProxies: p.config.TrustedProxies,
		Closed: p.metrics.ConnectionClosed,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", at.variable, err)
	}
	p.logger.Info(at.message, "address", listener.Addr().String())
	listening.Store(true)
	server := web.NewServer(at.handler, p.logger)
	return web.Serve(ctx, listener, server, func() error {
		admin.drain()
		p.logger.Info("stopping: draining requests", "delay", p.config.DrainDelay.String())
		return web.Drain(server, p.config.DrainDelay)
	})
}
