// Package worker is what a worker process runs: the workflows and activities on
// their task queues, and the dispatch loop that starts them.
package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"

	"emissor/activities"
	"emissor/activities/exchange"
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/certificate"
	"emissor/fiscal/danfse"
	"emissor/fiscal/simulation"
	"emissor/internal/limit"
	"emissor/internal/mail"
	"emissor/internal/metrics"
	"emissor/internal/municipality"
	"emissor/internal/retry"
	"emissor/internal/seal"
	"emissor/internal/trace"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/operate"
	"emissor/store/outbox"
	"emissor/store/received"
	"emissor/worker/admission"
	"emissor/worker/dispatch"
	"emissor/workflows"
)

// stopTimeout is how long running activities may take when the worker stops, besides what
// a call to an authority may take, so that its outcome is recorded.
const stopTimeout = 30 * time.Second

// Options are what a worker is made of.
type Options struct {
	Store     *store.Store
	Client    client.Client
	Namespace string // of the client
	// Admission watches the client's connection.
	Admission *admission.Admission
	Queues    workflows.Queues
	Resolver  *municipality.Resolver
	Metrics   *metrics.Metrics
	Logger    *slog.Logger
	Traces    *trace.Tracer // the Client's interceptors have it too
	Slow      time.Duration // how long the sandbox scenario `slow` stays in processing

	Simulation    fiscal.Canceller // the authority of the test environment; simulation.Authority when nil
	Webhooks      *webhook.Client
	Sealer        *seal.Sealer // opens the secrets of webhook endpoints
	Signer        certificate.SigningProgram
	EndpointSlots int // the most attempts to one endpoint at once

	DeliveryRate int // deliveries that are begun in a second for an organization and environment; 0 is no limit
	EmailRate    int // e-mails, likewise

	Retention operate.Retention // for how long copies are kept; for ever when zero

	Mail       *mail.Sender // sends issued notes to customers; nil: e-mails wait
	DANFSe     bool         // whether those e-mails carry the printed form of the note
	DANFSeLogo *danfse.Logo // on the printed form; nil is none

	AlertsURL    string // where alarms are posted; empty: nowhere
	AlertsSecret string // which signs them
	DashboardURL string // where people reach the dashboard, for the links in alerts; empty: there are none

	// Authorities issue live notes. With none, live notes wait in the outbox.
	Authorities []Authority

	// EventsInterval is the shortest pause before an authority is asked again for external
	// events; the longest is three times as long. Five minutes when zero.
	EventsInterval time.Duration

	// UncataloguedFor is how long a message that an authority answers with a code of no
	// catalogue is sent again, each time after a question that found nothing, before its
	// note is held.
	UncataloguedFor time.Duration

	// RowPauses are the pauses after attempts at a row that failed on our side;
	// activities.RowPauses when zero.
	RowPauses retry.Backoff
	// Interceptors come between activities.RowGuard, which handles the failures of attempts, and
	// the activities: with them tests make attempts fail.
	Interceptors []interceptor.WorkerInterceptor

	// Pollers is how many polls for activity tasks of a queue are made at once; 16 when zero.
	Pollers int
}

// Authority is a tax authority, and the bounds of calls to it.
type Authority struct {
	fiscal.Authority
	Rate        float64       // calls a second, of all workers together
	CallTimeout time.Duration // the longest a call may take; a minute when zero
}

// pollers is how many polls of its queue are made at once: few where few calls are made, and one where
// none is, as of a city that is off.
func (a Authority) pollers(most int) int {
	if !a.Serves(true) && !a.Serves(false) {
		return 1
	}
	return min(most, max(2, int(4*a.Rate)))
}

// Worker runs the workflows, the activities and the dispatch loop of a process.
type Worker struct {
	options       Options
	loop          *dispatch.Loop
	deliveryRates *limit.Limiter[nfse.Scope]
	lines         *exchange.Lines
}

// New makes a worker.
func New(options Options) *Worker {
	if options.Simulation == nil {
		options.Simulation = simulation.Authority{}
	}
	options.Authorities = slices.Clone(options.Authorities)
	for i := range options.Authorities {
		options.Authorities[i].CallTimeout = cmp.Or(options.Authorities[i].CallTimeout, time.Minute)
	}
	options.EventsInterval = cmp.Or(options.EventsInterval, defaultEventsInterval)
	options.Pollers = cmp.Or(options.Pollers, defaultPollers)
	deliveryRates := limit.New[nfse.Scope](float64(options.DeliveryRate), options.DeliveryRate)
	lines := &exchange.Lines{}
	return &Worker{
		options: options, deliveryRates: deliveryRates, lines: lines,
		loop: &dispatch.Loop{
			Store:     options.Store,
			Starter:   dispatch.Starter{Client: options.Client, Queues: options.Queues},
			Admission: options.Admission,
			Metrics:   options.Metrics,
			Logger:    options.Logger,
			Traces:    options.Traces,
			Live:      len(options.Authorities) > 0,
			Rates: dispatch.Rates{
				outbox.StartDelivery: deliveryRates,
				outbox.StartEmail:    limit.New[nfse.Scope](float64(options.EmailRate), options.EmailRate),
			},

			Places:      lines.Places,
			Distributes: options.distributes(),
		},
	}
}

// Wake makes the dispatch loop look at once, after a commit in this process.
func (w *Worker) Wake() { w.loop.Wake() }

// Run works until ctx ends, and then stops and waits for what is under way. ready is
// called once the worker takes work. After an error it can be run again.
func (w *Worker) Run(ctx context.Context, ready func()) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	if err := w.checkSearchAttributes(ctx); err != nil {
		return err
	}
	if err := dispatch.ScheduleMaintenance(ctx, w.options.Client, w.options.Queues); err != nil {
		return fmt.Errorf("schedule the maintenance: %w", err)
	}
	var started []worker.Worker
	defer func() { stopAll(started) }()
	queues, recovery := w.queues(fail)
	for _, queue := range queues {
		if err := queue.Start(); err != nil {
			return fmt.Errorf("start a worker: %w", err)
		}
		started = append(started, queue)
	}
	if len(w.options.Authorities) > 0 {
		if err := w.options.Store.Lifecycle.ResumeHeld(ctx); err != nil {
			return fmt.Errorf("resume held notes: %w", err)
		}
	}
	ready()
	var beside sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() { recovery.Run(ctx) })
	w.loop.Run(ctx)
	if cause := context.Cause(ctx); cause != context.Canceled {
		return fmt.Errorf("the engine takes no more polls: %w", cause)
	}
	return nil
}

// checkSearchAttributes is an error where the namespace lacks some: every start would be refused, and every row of
// the outbox blamed for it.
func (w *Worker) checkSearchAttributes(ctx context.Context) error {
	err := dispatch.CheckSearchAttributes(ctx, w.options.Client, w.options.Namespace)
	if errors.Is(err, dispatch.ErrAttributesUnseen) {
		w.options.Logger.Warn("whether the search attributes are there is not known", "error", err)
		return nil
	}
	return err
}

// queues makes the workers of all task queues, and what checks numbers after a restore beside them.
func (w *Worker) queues(fail func(error)) ([]worker.Worker, *exchange.Recovery) {
	first := activities.NewFirstAttempts()
	exchanges, attempts := newExchanges(w.options, first, w.lines), newDeliveries(w.options, first, w.deliveryRates)
	notes := newWorker(w.options, w.options.Queues.Notes(), fail)
	registerNotes(notes, w.options, exchanges, attempts)
	deliveries := newWorker(w.options, w.options.Queues.Deliveries(), fail)
	registerDeliveries(deliveries, attempts)
	maintenance := newWorker(w.options, w.options.Queues.Maintenance(), fail)
	registerMaintenance(maintenance, w.options, exchanges)
	emails := newEmailWorker(w.options, fail)
	registerEmails(emails, w.options)
	exports := newExportWorker(w.options, fail)
	registerExports(exports, w.options)
	queues := []worker.Worker{notes, deliveries, emails, maintenance, exports}
	for _, authority := range w.options.Authorities {
		queue := newAuthorityWorker(w.options, authority, fail)
		registerAuthority(queue, exchanges)
		queues = append(queues, queue)
	}
	if len(w.options.distributes()) > 0 {
		distributions := newDistributionWorker(w.options, fail)
		registerDistributions(distributions, w.options, exchanges)
		queues = append(queues, distributions)
	}
	return queues, exchanges.Recovery
}

// stopAll stops the workers of all queues, and waits for what is under way on them.
func stopAll(queues []worker.Worker) {
	var stopping sync.WaitGroup
	for _, queue := range queues {
		stopping.Go(queue.Stop)
	}
	stopping.Wait()
}

// newQueueWorker makes the worker of a queue, with what is its own. The engine can end its polling for good, as when
// the namespace is gone: failed then stops the process from starting workflows.
func (o Options) newQueueWorker(queue string, failed func(error), own worker.Options) worker.Worker {
	own.DisableRegistrationAliasing = true
	own.Interceptors = o.interceptors()
	own.OnFatalError = failed
	own.DeadlockDetectionTimeout = deadlockAfter
	return worker.New(o.Client, queue, own)
}

// deadlockAfter is when a workflow's code that has not come to a wait is given up, and its task made again. None computes
// for milliseconds: what takes longer is a machine that was paused or is starved, of which the SDK's second says nothing.
const deadlockAfter = time.Minute

// newWorker makes the worker of notes, deliveries or maintenance.
func newWorker(options Options, queue string, failed func(error)) worker.Worker {
	return options.newQueueWorker(queue, failed, worker.Options{
		WorkerStopTimeout:          options.longestCall() + stopTimeout,
		WorkflowTaskPollerBehavior: worker.NewPollerBehaviorAutoscaling(worker.PollerBehaviorAutoscalingOptions{}),
		ActivityTaskPollerBehavior: pollers(options.Pollers),
	})
}

// interceptors wrap every activity, the first outermost.
func (o Options) interceptors() []interceptor.WorkerInterceptor {
	return append([]interceptor.WorkerInterceptor{newRows(o)}, o.Interceptors...)
}

const defaultPollers = 16

// pollers are a fixed number of pollers for activities. Where they are scaled automatically, about
// one task of a hundred was measured to reach no worker under load, and to wait
// for its time-out.
func pollers(number int) worker.PollerBehavior {
	return worker.NewPollerBehaviorSimpleMaximum(worker.PollerBehaviorSimpleMaximumOptions{
		MaximumNumberOfPollers: number,
	})
}

// newEmailWorker makes the worker of e-mails, with few connections to the mail server
// at once.
func newEmailWorker(options Options, failed func(error)) worker.Worker {
	return options.newQueueWorker(options.Queues.Emails(), failed, worker.Options{
		WorkerStopTimeout:                  stopTimeout,
		MaxConcurrentActivityExecutionSize: emailConnections,
	})
}

// emailConnections is the most connections to the mail server at once.
const emailConnections = 4

// newExportWorker makes the worker of ZIPs, one at a time in a process: it draws pages without a
// pause, and must leave the processor to notes.
func newExportWorker(options Options, failed func(error)) worker.Worker {
	return options.newQueueWorker(options.Queues.Exports(), failed, worker.Options{
		WorkerStopTimeout:                  stopTimeout,
		MaxConcurrentActivityExecutionSize: 1,
	})
}

// newDistributionWorker makes the worker of distributions. One request is made at a time, regardless of the number of
// workers; the others wait for the lease.
func newDistributionWorker(options Options, failed func(error)) worker.Worker {
	return options.newQueueWorker(options.Queues.Distributions(), failed, worker.Options{
		WorkerStopTimeout:                  options.longestDistribution() + stopTimeout,
		MaxConcurrentActivityExecutionSize: distributionsAtOnce,
	})
}

const (
	// distributionsAtOnce is how many attempts at once try to take the lease, or store a batch.
	distributionsAtOnce = 4

	defaultEventsInterval = 5 * time.Minute
)

// longestCall is the longest that a call to any authority may take.
func (o Options) longestCall() (longest time.Duration) {
	for _, authority := range o.Authorities {
		longest = max(longest, authority.CallTimeout)
	}
	return longest
}

// longestDistribution is the longest that a call to one that distributes events may take.
func (o Options) longestDistribution() (longest time.Duration) {
	for _, authority := range o.Authorities {
		if _, distributes := authority.Authority.(fiscal.Distributor); distributes {
			longest = max(longest, authority.CallTimeout)
		}
	}
	return longest
}

// distributes are the environments whose distributions this process can poll.
func (o Options) distributes() (served []received.ServedEnvironment) {
	for _, authority := range o.Authorities {
		distributor, distributes := authority.Authority.(fiscal.Distributor)
		by, _ := authorities.Named(authority.Name())
		for _, production := range []bool{false, true} {
			if distributes && distributor.Distributes(production) {
				served = append(served, received.ServedEnvironment{Authority: authority.Name(), Production: production,
					TellsOfAll: by.TellsOfAll})
			}
		}
	}
	return served
}

// authorityCalls is the most exchanges of one authority that are transmitted at once
// beside first attempts.
const authorityCalls = 256

// newAuthorityWorker makes the worker of an authority's queue.
func newAuthorityWorker(options Options, authority Authority, failed func(error)) worker.Worker {
	return options.newQueueWorker(options.Queues.Authority(authority.Name()), failed, worker.Options{
		WorkerStopTimeout:            authority.CallTimeout + stopTimeout,
		TaskQueueActivitiesPerSecond: authority.Rate,
		// Each holds its answer in memory: see package sefin for how much that may be.
		MaxConcurrentActivityExecutionSize: authorityCalls,
		ActivityTaskPollerBehavior:         pollers(authority.pollers(options.Pollers)),
		DisableWorkflowWorker:              true,
	})
}
