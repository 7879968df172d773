// Package worker is what a worker process runs: the workflows and activities on
// their task queues, and the dispatch loop that starts them.
package worker

import (
	"cmp"
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
	"emissor/fiscal"
	"emissor/fiscal/simulation"
	"emissor/mail"
	"emissor/metrics"
	"emissor/municipality"
	"emissor/seal"
	"emissor/store"
	"emissor/webhook"
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

	Simulation    fiscal.Canceller // plays the authority of the test environment; the simulation when nil
	Webhooks      *webhook.Client
	Sealer        *seal.Sealer // opens the secrets of webhook endpoints
	EndpointSlots int          // the most attempts to one endpoint at once

	Mail *mail.Sender // sends issued notes to customers; nil: e-mails wait

	// Authorities issue live notes. With none, live notes wait in the outbox.
	Authorities []Authority
	Quiet       time.Duration // how long after a sending a question that finds nothing is believed; a minute when zero
	Call        time.Duration // the longest a call to an authority may take; a minute when zero
}

// Authority is a tax authority and how much it is asked.
type Authority struct {
	fiscal.Authority
	Rate float64 // calls a second, of all workers together
}

// Worker runs notes, deliveries and the housekeeping.
type Worker struct {
	options Options
	loop    *dispatch.Loop
}

// New makes a worker.
func New(options Options) *Worker {
	if options.Simulation == nil {
		options.Simulation = simulation.Authority{}
	}
	options.Quiet = cmp.Or(options.Quiet, time.Minute)
	options.Call = cmp.Or(options.Call, time.Minute)
	return &Worker{
		options: options,
		loop: &dispatch.Loop{
			Store:   options.Store,
			Starter: dispatch.Starter{Client: options.Client, Queues: options.Queues},
			Metrics: options.Metrics,
			Logger:  options.Logger,
			Live:    len(options.Authorities) > 0,
		},
	}
}

// Wake tells the worker that a note was committed in this process.
func (w *Worker) Wake() { w.loop.Wake() }

// Run works until ctx ends, and then lets what is under way come to a pause.
// ready is called once the worker takes work. After an error it can be run
// again.
func (w *Worker) Run(ctx context.Context, ready func()) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	if err := dispatch.ScheduleHousekeeping(ctx, w.options.Client, w.options.Queues); err != nil {
		return fmt.Errorf("schedule the housekeeping: %w", err)
	}
	issuance := newIssuance(w.options)
	notes := newWorker(w.options, w.options.Queues.Notes(), fail)
	registerNotes(notes, w.options, issuance)
	deliveries := newWorker(w.options, w.options.Queues.Deliveries(), fail)
	registerDeliveries(deliveries, w.options)
	housekeeping := newWorker(w.options, w.options.Queues.Housekeeping(), fail)
	registerHousekeeping(housekeeping, w.options)
	emails := newEmailWorker(w.options, fail)
	registerEmails(emails, w.options)
	queues := []worker.Worker{notes, deliveries, emails, housekeeping}
	for _, authority := range w.options.Authorities {
		queue := newAuthorityWorker(w.options, authority, fail)
		registerAuthority(queue, issuance)
		queues = append(queues, queue)
	}
	for _, queue := range queues {
		if err := queue.Start(); err != nil {
			return fmt.Errorf("start a worker: %w", err)
		}
		defer queue.Stop()
	}
	if len(w.options.Authorities) > 0 {
		// This worker's settings, or its version, may be what they waited for.
		if _, err := w.options.Store.ResumeHeld(ctx, ""); err != nil {
			return fmt.Errorf("resume held notes: %w", err)
		}
	}
	ready()
	w.loop.Run(ctx)
	if cause := context.Cause(ctx); cause != context.Canceled {
		return fmt.Errorf("the engine takes no more polls: %w", cause)
	}
	return nil
}

// newWorker makes the worker of a queue. The engine can end its polling for good,
// as when the namespace is gone: then nothing may be started that nobody takes.
func newWorker(options Options, queue string, failed func(error)) worker.Worker {
	return worker.New(options.Client, queue, worker.Options{
		WorkerStopTimeout:           stopTimeout,
		WorkflowTaskPollerBehavior:  worker.NewPollerBehaviorAutoscaling(worker.PollerBehaviorAutoscalingOptions{}),
		ActivityTaskPollerBehavior:  activityPollers(),
		DisableRegistrationAliasing: true,
		OnFatalError:                failed,
	})
}

// activityPollers are a fixed number. Where they are scaled automatically, about
// one task of a hundred was measured to reach no worker under load, and to wait
// for its time-out.
func activityPollers() worker.PollerBehavior {
	return worker.NewPollerBehaviorSimpleMaximum(worker.PollerBehaviorSimpleMaximumOptions{MaximumNumberOfPollers: 16})
}

// newEmailWorker makes the worker of e-mails, which bothers the mail server with
// few connections at once.
func newEmailWorker(options Options, failed func(error)) worker.Worker {
	return worker.New(options.Client, options.Queues.Emails(), worker.Options{
		WorkerStopTimeout:                  stopTimeout,
		MaxConcurrentActivityExecutionSize: emailConnections,
		DisableRegistrationAliasing:        true,
		OnFatalError:                       failed,
	})
}

// emailConnections is the most connections to the mail server at once.
const emailConnections = 4

// newAuthorityWorker makes the worker of an authority's queue. A stop lets calls
// under way end: their outcome is worth the wait.
func newAuthorityWorker(options Options, authority Authority, failed func(error)) worker.Worker {
	return worker.New(options.Client, options.Queues.Authority(authority.Name()), worker.Options{
		WorkerStopTimeout:            options.Call + stopTimeout,
		TaskQueueActivitiesPerSecond: authority.Rate,
		ActivityTaskPollerBehavior:   activityPollers(),
		DisableWorkflowWorker:        true,
		DisableRegistrationAliasing:  true,
		OnFatalError:                 failed,
	})
}

func newNotes(options Options) activities.Notes {
	return activities.Notes{Store: options.Store, Metrics: options.Metrics, Logger: options.Logger, Slow: options.Slow}
}

func newIssuance(options Options) *activities.Issuance {
	authorities := activities.Authorities{}
	for _, authority := range options.Authorities {
		authorities[authority.Name()] = authority
	}
	return &activities.Issuance{
		Notes: newNotes(options), Authorities: authorities, Quiet: options.Quiet, Call: options.Call,
		Keyring: &activities.Keyring{Store: options.Store, Sealer: options.Sealer, Metrics: options.Metrics},
	}
}

func registerAuthority(queue worker.Registry, issuance *activities.Issuance) {
	for name, function := range map[string]any{
		workflows.Transmit:          issuance.Transmit,
		workflows.CancelAtAuthority: issuance.CancelAtAuthority,
	} {
		queue.RegisterActivityWithOptions(function, activity.RegisterOptions{Name: name})
	}
}

func registerNotes(queue worker.Registry, options Options, issuance *activities.Issuance) {
	notes := newNotes(options)
	place := &activities.Municipality{Notes: notes, Resolver: options.Resolver}
	cancellations := &activities.Cancellations{Notes: notes, Authority: options.Simulation}
	queue.RegisterWorkflowWithOptions(workflows.Note, workflow.RegisterOptions{Name: workflows.NoteType})
	for name, function := range map[string]any{
		workflows.BeginNote:          notes.BeginNote,
		workflows.SettleSimulation:   notes.SettleSimulation,
		workflows.VerifyMunicipality: place.VerifyMunicipality,
		workflows.AcceptAsDeclared:   place.AcceptAsDeclared,
		workflows.RejectMunicipality: place.RejectMunicipality,
		workflows.CancelUnsent:       cancellations.CancelUnsent,
		workflows.CancelIssued:       cancellations.CancelIssued,
		workflows.NumberNote:         issuance.NumberNote,
		workflows.SignDocument:       issuance.SignDocument,
		workflows.SettleDocument:     issuance.SettleDocument,
	} {
		queue.RegisterActivityWithOptions(function, activity.RegisterOptions{Name: name})
	}
}

func registerDeliveries(queue worker.Registry, options Options) {
	deliveries := &activities.Deliveries{
		Store: options.Store, Client: options.Webhooks, Sealer: options.Sealer,
		Slots: activities.NewSlots(options.EndpointSlots), Metrics: options.Metrics, Logger: options.Logger,
	}
	queue.RegisterWorkflowWithOptions(workflows.Delivery, workflow.RegisterOptions{Name: workflows.DeliveryType})
	queue.RegisterActivityWithOptions(deliveries.Deliver, activity.RegisterOptions{Name: workflows.Deliver})
}

func registerEmails(queue worker.Registry, options Options) {
	emails := &activities.Emails{Store: options.Store, Sender: options.Mail, Logger: options.Logger}
	queue.RegisterWorkflowWithOptions(workflows.Email, workflow.RegisterOptions{Name: workflows.EmailType})
	queue.RegisterActivityWithOptions(emails.SendEmail, activity.RegisterOptions{Name: workflows.SendEmail})
}

func registerHousekeeping(queue worker.Registry, options Options) {
	housekeeping := &activities.Housekeeping{Store: options.Store, Logger: options.Logger}
	queue.RegisterWorkflowWithOptions(workflows.Housekeeping, workflow.RegisterOptions{Name: workflows.HousekeepingType})
	for name, function := range map[string]any{
		workflows.HealNotes:             housekeeping.HealNotes,
		workflows.HealDeliveries:        housekeeping.HealDeliveries,
		workflows.RetireExpiredServices: housekeeping.RetireExpiredServices,
		workflows.HealEmails:            housekeeping.HealEmails,
		workflows.WarnOfCertificates:    housekeeping.WarnOfCertificates,
	} {
		queue.RegisterActivityWithOptions(function, activity.RegisterOptions{Name: name})
	}
}
