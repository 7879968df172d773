package serve

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"emissor/cmd/emissor/cli"
	"emissor/dashboard/frame"
	"emissor/fiscal/cities"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/internal/metrics/temporalmetrics"
	"emissor/internal/seal"
	"emissor/internal/seal/rotation"
	"emissor/internal/trace/engine"
	"emissor/store"
	"emissor/worker/admission"
)

// parts are what a process runs.
type parts struct{ api, worker, dashboard bool }

// The names of the parts, as readiness reports one that is not up.
const (
	partAPI       = "API"
	partWorker    = "worker"
	partDashboard = "dashboard"
)

func Command() *cobra.Command {
	return runCommand("serve", "Run the API, a worker and, where its URL is set, the dashboard in one process",
		parts{api: true, worker: true, dashboard: true})
}

func APICommand() *cobra.Command {
	return runCommand("api", "Run the API alone; it needs the database and no workflow engine", parts{api: true})
}

func WorkerCommand() *cobra.Command {
	return runCommand("worker", "Run a worker alone: it starts and runs the workflows of accepted notes",
		parts{worker: true})
}

func DashboardCommand() *cobra.Command {
	return runCommand("dashboard", "Run the dashboard alone: the pages for people", parts{dashboard: true})
}

func runCommand(use, short string, runs parts) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: "emissor " + use, Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error { return run(command.Context(), runs) },
	}
}

// run serves until ctx ends, and stops gracefully: first the process answers that it is
// not ready, then requests are drained, then the worker stops.
func run(ctx context.Context, runs parts) error {
	timeout := cli.JobStatementTimeout
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
	if p.traces, err = p.tracer(runs); err != nil {
		return err
	}
	sealer, err := p.openSealer(ctx, runs)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	// The worker stops only once the requests are drained.
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorking()
	r := &running{Process: p, id: uuid.NewString(), runs: runs, sealer: sealer,
		accepted: func() {}, citiesChanged: func() {},
		admin: newAdmin(p, runs), background: group, working: working}
	if runs.worker {
		open := admission.New(p.config.EngineLatency)
		open.Answered = p.Metrics.EngineAnswered
		interceptors, err := engine.Interceptors(p.traces)
		if err != nil {
			return err
		}
		engine, err := dialTemporal(p.config, p.Logger, open, temporalmetrics.Handler(p.Metrics.Registry),
			interceptors...)
		if err != nil {
			return err
		}
		defer engine.Close()
		if err := r.runWorker(ctx, engine, open); err != nil {
			return err
		}
	}
	p.Logger.Info("the program runs", "version", cli.Version(), "commit", cli.Commit(), "schema", store.ProgramSchema())
	r.runBackground()
	group.Go(func() error {
		defer stopWorking()
		return r.serve(ctx)
	})
	return group.Wait()
}

// running is a process that runs its parts.
type running struct {
	*Process
	id     string // of this run
	runs   parts
	sealer *seal.Sealer // nil: no part needs it
	admin  *admin

	background *errgroup.Group // what runs until working ends
	working    context.Context

	engine   frame.Engine // nil: there is no worker
	accepted func()       // wakes up the worker

	citiesChanged func() // called when the table of cities is another one
}

// runBackground starts the loops that run beside the parts.
func (r *running) runBackground() {
	r.background.Go(func() error {
		cities.Keep(r.working, r.store.Companies, cityrules.Quirks(), r.Logger, r.citiesChanged)
		return nil
	})
	if r.sealer != nil {
		follower := rotation.Follower{Store: r.store, Sealer: r.sealer, Metrics: r.Metrics, Logger: r.Logger,
			ProcessID: r.id}
		r.background.Go(func() error { follower.Run(r.working); return nil })
	}
	if r.runs.worker || r.runs.dashboard {
		r.background.Go(func() error { r.store.Operate.KeepRolledUp(r.working, r.Logger); return nil })
	}
	if r.runs.worker {
		age := time.Duration(r.config.ArchiveAfter)
		r.background.Go(func() error { r.store.Archive.KeepArchived(r.working, age, r.Logger); return nil })
		r.background.Go(func() error {
			r.store.Operate.KeepAlerting(r.working, r.config.AlertsURL.URL != "", r.Logger)
			return nil
		})
	}
	r.background.Go(func() error { r.warnWhenStalled(r.working); return nil })
	r.background.Go(func() error { r.keepGauges(r.working); return nil })
	r.background.Go(func() error { return r.admin.serve(r.working) })
}

// serve answers requests until ctx ends, or one of the servers fails.
func (r *running) serve(ctx context.Context) error {
	doors, ctx := errgroup.WithContext(ctx)
	if r.runs.api {
		doors.Go(func() error { return r.serveAPI(ctx, r.admin.up[partAPI]) })
	}
	if r.runs.dashboard {
		doors.Go(func() error { return r.serveDashboard(ctx, r.admin.up[partDashboard]) })
	}
	if !r.runs.api && !r.runs.dashboard {
		doors.Go(func() error {
			<-ctx.Done()
			r.admin.drain()
			return nil
		})
	}
	return doors.Wait()
}

// openSealer opens the keyset for the parts that need it; nil where none does.
func (p *Process) openSealer(ctx context.Context, runs parts) (*seal.Sealer, error) {
	if !runs.worker && !runs.dashboard {
		return nil, nil
	}
	return p.config.Sealer(ctx)
}
