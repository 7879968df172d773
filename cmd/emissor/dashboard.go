package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"emissor/api"
	"emissor/dashboard"
	"emissor/fiscal/national/classification/imported"
	"emissor/internal/listening"
	"emissor/internal/web"
	"emissor/nfse"
	"emissor/workflows"
)

// DashboardConfig is the settings of the dashboard.
type DashboardConfig struct {
	DashboardListen  string        `envconfig:"EMISSOR_DASHBOARD_LISTEN" default:"127.0.0.1:8090" readers:"dashboard" desc:"Address of the dashboard, which speaks plain HTTP. 0.0.0.0:8090 is every interface."`
	DashboardURL     address       `envconfig:"EMISSOR_DASHBOARD_URL" readers:"dashboard worker commands" desc:"Where people reach the dashboard, as https://notas.example.com: passkeys, cookies and links belong to it, also those in alerts by e-mail. Empty: emissor serve runs no dashboard."`
	APIURL           address       `envconfig:"EMISSOR_API_URL" readers:"dashboard" desc:"Where programs reach the API, as https://api.notas.example.com: the dashboard shows it where keys are. Empty: it shows none."`
	DashboardIdle    time.Duration `envconfig:"EMISSOR_DASHBOARD_IDLE_TIMEOUT" expert:"true" default:"12h" readers:"dashboard" desc:"After how long a session that is not used ends, from 1m to 168h. Any session ends after 168h."`
	DashboardTries   int           `envconfig:"EMISSOR_DASHBOARD_TRIES" expert:"true" default:"20" readers:"dashboard" desc:"How often a minute one address (IPv6: one /64) may try to sign in or to use a link, in each process. 0 is no limit."`
	OIDCIssuer       string        `envconfig:"EMISSOR_DASHBOARD_OIDC_ISSUER" readers:"dashboard" desc:"Provider of a company's own sign-on to the dashboard, as https://login.example.com. It sends people back to /oidc/callback, and they know it by its host. Empty: passkeys only."`
	OIDCClientID     string        `envconfig:"EMISSOR_DASHBOARD_OIDC_CLIENT_ID" readers:"dashboard" desc:"The client's id, as the provider knows the dashboard."`
	OIDCClientSecret string        `envconfig:"EMISSOR_DASHBOARD_OIDC_CLIENT_SECRET" readers:"dashboard" desc:"The client's secret, which goes with its id."`
}

// sessionLifetime is after how long any session of the dashboard ends.
const sessionLifetime = 7 * 24 * time.Hour

func (c DashboardConfig) check() error {
	if c.DashboardURL.URL != nil {
		if err := dashboard.CheckURL(c.DashboardURL.URL); err != nil {
			return fmt.Errorf("EMISSOR_DASHBOARD_URL %w", err)
		}
	}
	if at := c.APIURL.URL; at != nil && (at.Host == "" || at.Scheme != "https" && at.Scheme != "http" ||
		at.User != nil || at.RawQuery != "" || at.Fragment != "") {
		return errors.New("EMISSOR_API_URL must look like https://api.notas.example.com")
	}
	if c.DashboardIdle < time.Minute || c.DashboardIdle > sessionLifetime {
		return fmt.Errorf("EMISSOR_DASHBOARD_IDLE_TIMEOUT must be from 1m to %s", sessionLifetime)
	}
	if c.DashboardTries < 0 {
		return errors.New("EMISSOR_DASHBOARD_TRIES must be 0 or more")
	}
	if err := dashboard.CheckOIDC(c.oidc()); err != nil {
		return fmt.Errorf("EMISSOR_DASHBOARD_OIDC_…: %w", err)
	}
	return nil
}

func (c DashboardConfig) oidc() dashboard.OIDC {
	return dashboard.OIDC{Issuer: c.OIDCIssuer, ClientID: c.OIDCClientID, ClientSecret: c.OIDCClientSecret}
}

// address is a URL; nil where none is set.
type address struct{ *url.URL }

// text is the URL; empty where none is set.
func (a address) text() string {
	if a.URL == nil {
		return ""
	}
	return a.String()
}

// Decode implements envconfig.Decoder.
func (a *address) Decode(value string) (err error) {
	a.URL, err = url.Parse(value)
	return err
}

// errNoDashboardURL is the error of what needs the address of the dashboard.
var errNoDashboardURL = errors.New("EMISSOR_DASHBOARD_URL is not set: say where people reach the dashboard, " +
	"as https://notas.example.com")

// leaveOutDashboard runs no dashboard beside the API where none was configured.
func (p *process) leaveOutDashboard(runs parts) (parts, error) {
	if !runs.dashboard || p.config.DashboardURL.URL != nil {
		return runs, nil
	}
	if !runs.api {
		return runs, errNoDashboardURL
	}
	p.logger.Info("no dashboard: EMISSOR_DASHBOARD_URL is not set")
	runs.dashboard = false
	return runs, nil
}

func (r *running) serveDashboard(ctx context.Context, ready *atomic.Bool) error {
	if err := r.store.CheckDashboard(ctx); err != nil {
		return err
	}
	logo, err := r.config.danfseLogo()
	if err != nil {
		return err
	}
	roots, err := certificateRoots(r.config, "")
	if err != nil {
		return err
	}
	opener, err := pfxProgram()
	if err != nil {
		return err
	}
	tables := imported.NewSource(r.store, r.logger)
	sender, err := r.config.sender()
	if err != nil {
		return err
	}
	var engineAway func() bool
	if reached := r.admin.up[partWorker]; reached != nil {
		engineAway = func() bool { return !reached.Load() }
	}
	pages, err := dashboard.New(dashboard.Options{
		EngineAway: engineAway,
		Logo:       logo, Accepted: r.accepted, Resolver: r.resolver, CNPJ: r.config.ZipCodeServices.cnpj, Tables: tables,
		CertificateRoots: roots,
		ClassifiedFrom:   nfse.Day(r.config.IBSCBSRequired), PFXProgram: opener, Engine: r.engine, Version: version(),
		Store: r.store, Sealer: r.sealer, Mail: sender, Metrics: r.metrics, Logger: r.logger,
		Traces:   r.traces,
		Webhooks: r.config.webhookOptions(),
		URL:      r.config.DashboardURL.URL, APIURL: r.config.APIURL.URL, APIDescription: api.OpenAPI,
		TrustedProxies: r.config.TrustedProxies,
		IdleTimeout:    r.config.DashboardIdle, SessionLifetime: sessionLifetime,
		Tries: r.config.DashboardTries, PerAddress: r.config.AddressLimit, OIDC: r.config.oidc(),
		WorkflowLink: func(scope nfse.Scope, reference string) string {
			return workflowLink(r.config, workflows.NoteID(scope, reference))
		},
	})
	if err != nil {
		return err
	}
	var tidying sync.WaitGroup
	served, end := context.WithCancel(context.WithoutCancel(ctx))
	tidying.Go(func() { pages.KeepTidy(served) })
	tidying.Go(func() { tables.Run(served) })
	developers := listening.New(ctx, listening.Options{
		Store: r.store, Sealer: r.sealer, Metrics: r.metrics, Traces: r.traces, Logger: r.logger,
		TrustedProxies: web.Networks(r.config.TrustedProxies), FailedAuthLimit: failedAuthRate,
		PerAddress: r.config.AddressLimit, MostWaiting: r.config.Connections / 2,
	})
	tidying.Go(func() { developers.Keep(served) })
	defer tidying.Wait()
	defer end()
	return r.serveHTTP(ctx, door{"EMISSOR_DASHBOARD_LISTEN", r.config.DashboardListen, "the dashboard listens",
		developers.Beside(pages.Handler())}, ready)
}
