package serve

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"emissor/api"
	"emissor/cmd/emissor/cli"
	"emissor/dashboard"
	"emissor/dashboard/frame"
	"emissor/dashboard/listening"
	"emissor/fiscal/national/classification/imported"
	"emissor/internal/web"
	"emissor/nfse"
	"emissor/workflows"
)

// ErrNoDashboardURL is the error of what needs the address of the dashboard.
var ErrNoDashboardURL = errors.New("EMISSOR_DASHBOARD_URL is not set: say where people reach the dashboard, " +
	"as https://notas.example.com")

// leaveOutDashboard runs no dashboard beside the API where none was configured.
func (p *Process) leaveOutDashboard(runs parts) (parts, error) {
	if !runs.dashboard || p.config.DashboardURL.URL != nil {
		return runs, nil
	}
	if !runs.api {
		return runs, ErrNoDashboardURL
	}
	p.Logger.Info("no dashboard: EMISSOR_DASHBOARD_URL is not set")
	runs.dashboard = false
	return runs, nil
}

func (r *running) serveDashboard(ctx context.Context, ready *atomic.Bool) error {
	if err := r.store.CheckDashboard(ctx); err != nil {
		return err
	}
	logo, err := r.config.DanfseLogo()
	if err != nil {
		return err
	}
	roots, err := cli.CertificateRoots(r.config, "")
	if err != nil {
		return err
	}
	opener, err := cli.PfxProgram()
	if err != nil {
		return err
	}
	tables := imported.NewSource(r.store, r.Logger)
	sender, err := r.config.Sender()
	if err != nil {
		return err
	}
	var engineAway func() bool
	if reached := r.admin.up[partWorker]; reached != nil {
		engineAway = func() bool { return !reached.Load() }
	}
	pages, err := dashboard.New(frame.Options{
		EngineAway: engineAway,
		Logo:       logo, Accepted: r.accepted, Resolver: r.resolver, CNPJ: r.config.ZipCodeServices.Cnpj, Tables: tables,
		CertificateRoots: roots,
		ClassifiedFrom:   nfse.Day(r.config.IBSCBSRequired), PFXProgram: opener, Engine: r.engine, Version: cli.Version(),
		Store: r.store, Sealer: r.sealer, Mail: sender, Metrics: r.Metrics, Logger: r.Logger,
		Traces:   r.traces,
		Webhooks: r.config.WebhookOptions(),
		URL:      r.config.DashboardURL.URL, APIURL: r.config.APIURL.URL, APIDescription: api.OpenAPI,
		TrustedProxies: r.config.TrustedProxies,
		IdleTimeout:    r.config.DashboardIdle, SessionLifetime: cli.SessionLifetime,
		Tries: r.config.DashboardTries, PerAddress: r.config.AddressLimit, OIDC: r.config.OIDC(),
		WorkflowLink: func(scope nfse.Scope, reference string) string {
			return cli.WorkflowLink(r.config, workflows.NoteID(scope, reference))
		},
	})
	if err != nil {
		return err
	}
	var tidying sync.WaitGroup
	served, end := context.WithCancel(context.WithoutCancel(ctx))
	tidying.Go(func() { dashboard.KeepTidy(served, pages) })
	tidying.Go(func() { tables.Run(served) })
	developers := listening.New(ctx, listening.Options{
		Store: r.store, Sealer: r.sealer, Metrics: r.Metrics, Traces: r.traces, Logger: r.Logger,
		TrustedProxies: web.Networks(r.config.TrustedProxies), FailedAuthLimit: cli.FailedAuthRate,
		PerAddress: r.config.AddressLimit, MostWaiting: r.config.Connections / 2,
	})
	tidying.Go(func() { developers.Keep(served) })
	defer tidying.Wait()
	defer end()
	return r.serveHTTP(ctx, door{"EMISSOR_DASHBOARD_LISTEN", r.config.DashboardListen, "the dashboard listens",
		developers.Beside(dashboard.Handler(pages))}, ready)
}
