// Package worker is what a worker process runs: the workflows and activities on
// their task queues, and the dispatch loop that starts them.
package worker

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"emissor/activities"
	"emissor/dispatch"
	"emissor/metrics"
	"emissor/municipality"
	"emissor/store"
	"emissor/workflows"
)

// stopTimeout is what running activities get when the worker stops.
const stopTimeout = 30 * time.Second

// Options are what a worker is made of.
type Options struct {
	Store    *store.Store
	Client   client.Client
	Queues   workflows.Queues
	Resolver *municipality.Resolver
	Metrics  *metrics.Metrics
	Logger   *slog.Logger
	Slow     time.Duration // how long the sandbox scenario `slow` stays in processing
}

// Worker runs notes and the housekeeping.
type Worker struct {
	options Options
	loop    *dispatch.Loop
}

// New makes a worker.
func New(options Options) *Worker {
	return &Worker{
		options: options,
		loop: &dispatch.Loop{
			Store:   options.Store,
			Starter: dispatch.Starter{Client: options.Client, Queues: options.Queues},
			Metrics: options.Metrics,
			Logger:  options.Logger,
		},
	}
}

// Wake tells the worker that a note was committed in this process.
func (w *Worker) Wake() { w.loop.Wake() }

// Run works until ctx ends, and then lets what is under way come to a pause.
// ready is called once the worker takes work. After an error it can be run
// again.
func (w *Worker) Run(ctx context.Context, ready func()) error {
	if err := dispatch.ScheduleHousekeeping(ctx, w.options.Client, w.options.Queues); err != nil {
		return fmt.Errorf("schedule the housekeeping: %w", err)
	}
	notes := newWorker(w.options, w.options.Queues.Notes())
	RegisterNotes(notes, w.options)
	housekeeping := newWorker(w.options, w.options.Queues.Housekeeping())
	registerHousekeeping(housekeeping, w.options)
	for _, queue := range []worker.Worker{notes, housekeeping} {
		if err := queue.Start(); err != nil {
			return fmt.Errorf("start a worker: %w", err)
		}
		defer queue.Stop()
	}
	ready()
	w.loop.Run(ctx)
	return nil
}

func newWorker(options Options, queue string) worker.Worker {
	pollers := worker.NewPollerBehaviorAutoscaling(worker.PollerBehaviorAutoscalingOptions{})
	return worker.New(options.Client, queue, worker.Options{
		WorkerStopTimeout:           stopTimeout,
		WorkflowTaskPollerBehavior:  pollers,
		ActivityTaskPollerBehavior:  pollers,
		DisableRegistrationAliasing: true,
	})
}

// Registry takes workflows and activities: a worker, or a test's environment.
type Registry interface {
	RegisterWorkflowWithOptions(any, workflow.RegisterOptions)
	RegisterActivityWithOptions(any, activity.RegisterOptions)
}

// RegisterNotes registers what the queue of notes runs.
func RegisterNotes(registry Registry, options Options) {
	notes := activities.Notes{Store: options.Store, Metrics: options.Metrics, Logger: options.Logger, Slow: options.Slow}
	place := &activities.Municipality{Notes: notes, Resolver: options.Resolver}
	registry.RegisterWorkflowWithOptions(workflows.Note, workflow.RegisterOptions{Name: workflows.NoteType})
	for name, function := range map[string]any{
		workflows.BeginNote:          notes.BeginNote,
		workflows.SettleSimulation:   notes.SettleSimulation,
		workflows.VerifyMunicipality: place.VerifyMunicipality,
		workflows.AcceptAsDeclared:   place.AcceptAsDeclared,
		workflows.RejectMunicipality: place.RejectMunicipality,
	} {
		registry.RegisterActivityWithOptions(function, activity.RegisterOptions{Name: name})
	}
}

func registerHousekeeping(registry Registry, options Options) {
	housekeeping := &activities.Housekeeping{Store: options.Store, Logger: options.Logger}
	registry.RegisterWorkflowWithOptions(workflows.Housekeeping, workflow.RegisterOptions{Name: workflows.HousekeepingType})
	for name, function := range map[string]any{
		workflows.HealNotes:             housekeeping.HealNotes,
		workflows.RetireExpiredServices: housekeeping.RetireExpiredServices,
	} {
		registry.RegisterActivityWithOptions(function, activity.RegisterOptions{Name: name})
	}
}
