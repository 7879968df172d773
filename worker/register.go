package worker

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"emissor/activities"
	"emissor/activities/exchange"
	"emissor/internal/limit"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/workflows"
)

func newNotes(options Options) activities.Notes {
	return activities.Notes{
		Store: options.Store, Metrics: options.Metrics, Logger: options.Logger,
		Slow: options.Slow, Simulation: options.Simulation, Waits: options.Admission.Waits,
	}
}

func newExchanges(options Options, first *activities.FirstAttempts, lines *exchange.Lines) *exchange.Exchanges {
	authorities, rates := exchange.Authorities{}, map[string]float64{}
	timeouts := map[string]time.Duration{}
	for _, authority := range options.Authorities {
		authorities[authority.Name()] = authority.Authority // the value itself: it may implement more interfaces
		rates[authority.Name()], timeouts[authority.Name()] = authority.Rate, authority.CallTimeout
	}
	certificates := activities.NewCertificateCache(options.Store, options.Sealer, options.Metrics)
	certificates.Signer = options.Signer
	exchanges := &exchange.Exchanges{
		Notes: newNotes(options), Authorities: authorities, CallTimeouts: timeouts,
		Budget: &exchange.Budget{Store: options.Store, Rates: rates, Logger: options.Logger}, First: first,
		Lines: lines, UncataloguedFor: options.UncataloguedFor, Certificates: certificates,
		Cities: activities.NewCities(options.Store, certificates,
			options.Metrics, options.Logger),
	}
	exchanges.Recovery = &exchange.Recovery{Exchanges: exchanges}
	return exchanges
}

func newDeliveries(options Options, first *activities.FirstAttempts,
	rate *limit.Limiter[nfse.Scope]) *activities.Deliveries {
	return &activities.Deliveries{
		Store: options.Store, Client: options.Webhooks, Sealer: options.Sealer,
		Slots: activities.NewSlots(options.EndpointSlots), First: first, Rate: rate, Metrics: options.Metrics,
		Logger: options.Logger, Waits: options.Admission.Waits,
	}
}

// newRows maps the activities that are attempts at a row to their loops.
func newRows(options Options) *activities.RowGuard {
	notes := activities.Loop{Name: activities.LoopNotes, ID: "note_id"}
	deliveries := activities.Loop{Name: activities.LoopDeliveries, ID: "delivery_id",
		Record: options.Store.Webhooks.DelayDelivery}
	emails := activities.Loop{Name: activities.LoopEmails, ID: "email_id", Record: activities.DelayEmail(options.Store)}
	pages := activities.Loop{Name: activities.LoopDistributions, ID: "distribution_id",
		Record: func(ctx context.Context, id string, problem fact.Fact, _ time.Duration) error {
			_, _, err := options.Store.Received.FailDistribution(ctx, id, problem)
			return err
		}}
	exports := activities.Loop{Name: activities.LoopExports, ID: "archive_id"}
	return &activities.RowGuard{
		Pauses: options.RowPauses, Metrics: options.Metrics, Logger: options.Logger,
		Loops: map[string]activities.Loop{
			workflows.ActivityBeginNote:                notes,
			workflows.ActivityKeepDeclaredMunicipality: notes,
			workflows.ActivityRejectMunicipality:       notes,
			workflows.ActivitySettleSimulation:         notes,
			workflows.ActivityCancelSimulation:         notes,
			workflows.ActivityCancelUnsent:             notes,
			workflows.ActivityApplyExternalEvents:      notes,
			workflows.ActivityExchangeAtOnce:           notes,
			workflows.ActivityExchange:                 notes,
			workflows.ActivityDeliverAtOnce:            deliveries,
			workflows.ActivityDeliver:                  deliveries,
			workflows.ActivitySendEmail:                emails,
			workflows.ActivityPollDistribution:         pages,
			workflows.ActivityAcceptLines:              {Name: activities.LoopBatches, ID: "batch_id"},
			workflows.ActivityMakeArchive:              exports,
			workflows.ActivityAcceptRecurring:          {Name: activities.LoopRecurring, ID: "month_id"},
		},
	}
}

func registerNotes(queue worker.Registry, options Options, exchanges *exchange.Exchanges,
	deliveries *activities.Deliveries) {
	notes := newNotes(options)
	place := &activities.Municipality{Notes: notes, Resolver: options.Resolver}
	batches := &activities.Batches{Store: options.Store, Catalogue: catalogue.New(options.Store, options.Resolver),
		Metrics: options.Metrics, Logger: options.Logger}
	recurring := &activities.Recurring{Store: options.Store, Catalogue: batches.Catalogue, Logger: options.Logger}
	registerWorkflows(queue, workflows.NoteType, workflows.BatchType, workflows.RecurringNoteType)
	register(queue, map[string]any{
		workflows.ActivityBeginNote:                notes.BeginNote,
		workflows.ActivityVerifyMunicipality:       place.VerifyMunicipality,
		workflows.ActivityKeepDeclaredMunicipality: place.KeepDeclaredMunicipality,
		workflows.ActivityRejectMunicipality:       place.RejectMunicipality,
		workflows.ActivitySettleSimulation:         notes.SettleSimulation,
		workflows.ActivityCancelSimulation:         notes.CancelSimulation,
		workflows.ActivityCancelUnsent:             notes.CancelUnsent,
		workflows.ActivityApplyExternalEvents:      notes.ApplyExternalEvents,
		workflows.ActivityExchangeAtOnce:           exchanges.ExchangeAtOnce,
		workflows.ActivityDeliverAtOnce:            deliveries.DeliverAtOnce,
		workflows.ActivityAcceptLines:              batches.AcceptLines,
		workflows.ActivityAcceptRecurring:          recurring.AcceptRecurring,
	})
}

func registerAuthority(queue worker.Registry, exchanges *exchange.Exchanges) {
	register(queue, map[string]any{workflows.ActivityExchange: exchanges.Exchange})
}

func registerDeliveries(queue worker.Registry, deliveries *activities.Deliveries) {
	registerWorkflows(queue, workflows.DeliveryType)
	register(queue, map[string]any{workflows.ActivityDeliver: deliveries.Deliver})
}

func registerEmails(queue worker.Registry, options Options) {
	emails := &activities.Emails{
		Store: options.Store, Sender: options.Mail, DANFSe: options.DANFSe, Logo: options.DANFSeLogo,
		Slots: activities.NewSlots(emailConnections - 1), Logger: options.Logger, DashboardURL: options.DashboardURL,
		Alarms: activities.Alarms{URL: options.AlertsURL, Secret: options.AlertsSecret,
			Client: options.Webhooks},
	}
	registerWorkflows(queue, workflows.EmailType)
	register(queue, map[string]any{workflows.ActivitySendEmail: emails.SendEmail})
}

func registerExports(queue worker.Registry, options Options) {
	exports := &activities.Exports{Store: options.Store, Logo: options.DANFSeLogo, Logger: options.Logger}
	registerWorkflows(queue, workflows.ExportType)
	register(queue, map[string]any{workflows.ActivityMakeArchive: exports.MakeArchive})
}

func registerDistributions(queue worker.Registry, options Options, exchanges *exchange.Exchanges) {
	distributions := &exchange.Distributions{
		Store: options.Store, Authorities: exchanges.Authorities, Certificates: exchanges.Certificates,
		CallTimeout: options.longestDistribution(), Interval: options.EventsInterval, Metrics: options.Metrics,
		Logger: options.Logger,
	}
	registerWorkflows(queue, workflows.DistributionType)
	register(queue, map[string]any{workflows.ActivityPollDistribution: distributions.PollDistribution})
}

func registerMaintenance(queue worker.Registry, options Options, exchanges *exchange.Exchanges) {
	maintenance := &activities.Maintenance{Store: options.Store, Retention: options.Retention,
		Metrics: options.Metrics, Logger: options.Logger}
	registerWorkflows(queue, workflows.MaintenanceType)
	register(queue, map[string]any{
		workflows.ActivityRequeueNotes:       maintenance.RequeueNotes,
		workflows.ActivityRequeueDeliveries:  maintenance.RequeueDeliveries,
		workflows.ActivityRequeueEmails:      maintenance.RequeueEmails,
		workflows.ActivityRetireServices:     maintenance.RetireExpiredServices,
		workflows.ActivityWarnOfCertificates: maintenance.WarnOfCertificates,
		workflows.ActivityForgetSecrets:      maintenance.ForgetPreviousSecrets,
		workflows.ActivityRemoveOldCopies:    maintenance.RemoveOldCopies,
		workflows.ActivityKeepArchives:       maintenance.KeepArchives,
		workflows.ActivityReportFailedChore:  maintenance.ReportFailedChore,

		workflows.ActivityRefreshMunicipalParameters: exchanges.RefreshMunicipalParameters,
		workflows.ActivityPollStandings:              exchanges.PollStandings,
		workflows.ActivityRequeueBatches:             maintenance.RequeueBatches,
		workflows.ActivityRemoveOldBatches:           maintenance.RemoveOldBatches,
		workflows.ActivityStartRecurring:             maintenance.StartRecurring,
		workflows.ActivityRequeueRecurring:           maintenance.RequeueRecurring,
	})
}

func registerWorkflows(queue worker.Registry, types ...string) {
	known := workflows.Types()
	for _, name := range types {
		queue.RegisterWorkflowWithOptions(known[name], workflow.RegisterOptions{Name: name})
	}
}

func register(queue worker.Registry, named map[string]any) {
	for name, function := range named {
		queue.RegisterActivityWithOptions(function, activity.RegisterOptions{Name: name})
	}
}
