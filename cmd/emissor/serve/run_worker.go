package serve

import (
	"context"
	"time"

	"go.temporal.io/sdk/client"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/drift"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/imported"
	"emissor/internal/seal"
	"emissor/worker"
	"emissor/worker/admission"
)

// uncataloguedFor is how long a note that an authority answers with a code of no catalogue
// is asked about and sent again before it is held for a person.
const uncataloguedFor = time.Hour

// runWorker starts the worker in the background.
func (r *running) runWorker(ctx context.Context, engine client.Client, open *admission.Admission) error {
	r.Metrics.RegisterAdmission(open.Limit, open.Open)
	r.Metrics.RegisterEngine(open.Connected)
	r.engine = askedEngine{engine, r.config.TemporalNamespace}
	tables := imported.NewSource(r.store, r.Logger)
	if err := tables.Load(ctx); err != nil {
		// Until the tables on record are read, nothing is refused by the built-in ones.
		r.Logger.Error("the classification tables on record could not be read; they are tried again", "error", err)
	}
	watch := drift.NewWatch(drift.BuiltIn(), r.store.Operate.KeepDrift, r.Metrics.Drifted, r.Logger)
	workers, err := newWorkers(r.Process, r.admin.up[partWorker], func() (*worker.Worker, error) {
		return newWorker(r.Process, engine, open, r.sealer, tables, watch)
	})
	if err != nil {
		return err
	}
	r.accepted = workers.wake
	r.citiesChanged = workers.renew // where no city is called, too: what notes wait for may be another reason
	r.background.Go(func() error { tables.Run(r.working); return nil })
	r.background.Go(func() error { watch.Run(r.working); return nil })
	r.background.Go(func() error { workers.run(r.working); return nil })
	return nil
}

func newWorker(
	p *Process, engine client.Client, open *admission.Admission, sealer *seal.Sealer, tables *classification.Source,
	watch *drift.Watch,
) (*worker.Worker, error) {
	if len(sealer.Keys()) == 0 {
		p.Logger.Warn("no keyset is configured: " +
			"webhook deliveries and live notes wait until EMISSOR_KEYSET_FILE or EMISSOR_KEYSET is set")
	}
	authorities, err := p.config.Authorities(tables, watch, p.Logger)
	if err != nil {
		return nil, err
	}
	sender, err := p.config.SMTPConfig.Sender()
	if err != nil {
		return nil, err
	}
	if err := p.config.CheckAlerts(); err != nil {
		return nil, err
	}
	signer, err := p.config.SigningProgram()
	if err != nil {
		return nil, err
	}
	logo, err := p.config.DanfseLogo()
	if err != nil {
		return nil, err
	}
	return worker.New(worker.Options{
		Store: p.store, Client: engine, Namespace: p.config.TemporalNamespace, Admission: open, Queues: p.queues(),
		Resolver: p.resolver, Metrics: p.Metrics, Logger: p.Logger, Traces: p.traces,
		Slow:     p.config.SlowScenario,
		Webhooks: p.config.Webhooks(),
		Sealer:   sealer, Signer: signer, EndpointSlots: cli.EndpointSlots, Retention: p.config.RetentionConfig.Retention(),
		DeliveryRate: p.config.Organization.Deliveries, EmailRate: p.config.Organization.Emails,
		DashboardURL: p.config.DashboardURL.Text(),
		AlertsURL:    p.config.AlertsURL.URL, AlertsSecret: p.config.AlertsURL.Secret,
		Mail: sender, DANFSe: p.config.EmailDANFSe, DANFSeLogo: logo, Authorities: authorities,
		EventsInterval: p.config.NationalConfig.EventsInterval, UncataloguedFor: uncataloguedFor,
	}), nil
}
