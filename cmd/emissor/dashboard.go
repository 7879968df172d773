package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"emissor/dashboard"
	"emissor/nfse"
	"emissor/seal"
	"emissor/workflows"
)

// DashboardConfig is the settings of the dashboard.
type DashboardConfig struct {
	DashboardListen   string        `envconfig:"EMISSOR_DASHBOARD_LISTEN" default:"127.0.0.1:8090"`
	DashboardURL      address       `envconfig:"EMISSOR_DASHBOARD_URL"`
	DashboardIdle     time.Duration `envconfig:"EMISSOR_DASHBOARD_IDLE_TIMEOUT" default:"12h"`
	DashboardLifetime time.Duration `envconfig:"EMISSOR_DASHBOARD_SESSION_LIFETIME" default:"168h"`
	DashboardTries    int           `envconfig:"EMISSOR_DASHBOARD_TRIES" default:"20"`

	OIDCIssuer       string `envconfig:"EMISSOR_DASHBOARD_OIDC_ISSUER"`
	OIDCClientID     string `envconfig:"EMISSOR_DASHBOARD_OIDC_CLIENT_ID"`
	OIDCClientSecret string `envconfig:"EMISSOR_DASHBOARD_OIDC_CLIENT_SECRET"`
	OIDCName         string `envconfig:"EMISSOR_DASHBOARD_OIDC_NAME"`
}

func (c DashboardConfig) check() error {
	if c.DashboardURL.URL != nil {
		if err := dashboard.CheckURL(c.DashboardURL.URL); err != nil {
			return fmt.Errorf("EMISSOR_DASHBOARD_URL %w", err)
		}
	}
	if c.DashboardIdle < time.Minute || c.DashboardLifetime < c.DashboardIdle {
		return errors.New("EMISSOR_DASHBOARD_IDLE_TIMEOUT must be 1m or more, and " +
			"EMISSOR_DASHBOARD_SESSION_LIFETIME no less than it")
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
	return dashboard.OIDC{Issuer: c.OIDCIssuer, ClientID: c.OIDCClientID, ClientSecret: c.OIDCClientSecret,
		Name: c.OIDCName}
}

// address is a URL; nil where none is set.
type address struct{ *url.URL }

// Decode implements envconfig.Decoder.
func (a *address) Decode(value string) (err error) {
	a.URL, err = url.Parse(value)
	return err
}

// errNoDashboardURL is for whoever needs to know where the dashboard is.
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

func serveDashboard(
	ctx context.Context, p *process, sealer *seal.Sealer, engine dashboard.Engine, accepted func(), admin *admin,
	listening *atomic.Bool,
) error {
	if err := p.store.CheckDashboard(ctx); err != nil {
		return err
	}
	logo, err := p.config.danfseLogo()
	if err != nil {
		return err
	}
	roots, err := certificateRoots(p.config, "")
	if err != nil {
		return err
	}
	opener, err := pfxProgram()
	if err != nil {
		return err
	}
	tables := newClassificationSource(p.store, p.logger)
	sender, err := p.config.sender()
	if err != nil {
		return err
	}
	pages, err := dashboard.New(dashboard.Options{
		Logo: logo, Accepted: accepted, Resolver: p.resolver, Tables: tables, CertificateRoots: roots,
		PFXProgram: opener, Engine: engine, Version: version(),
		Store: p.store, Sealer: sealer, Mail: sender, Metrics: p.metrics, Logger: p.logger,
		Webhooks: p.config.webhookOptions(),
		URL:      p.config.DashboardURL.URL, TrustedProxies: p.config.TrustedProxies,
		IdleTimeout: p.config.DashboardIdle, SessionLifetime: p.config.DashboardLifetime,
		Tries: p.config.DashboardTries, PerAddress: p.config.AddressLimit, OIDC: p.config.oidc(),
		WorkflowLink: func(scope nfse.Scope, reference string) string {
			return workflowLink(p.config, workflows.NoteID(scope, reference))
		},
	})
	if err != nil {
		return err
	}
	var tidying sync.WaitGroup
	served, end := context.WithCancel(context.WithoutCancel(ctx))
	tidying.Go(func() { pages.KeepTidy(served) })
	tidying.Go(func() { tables.Run(served) })
	defer tidying.Wait()
	defer end()
	return serveHTTP(ctx, p, door{"EMISSOR_DASHBOARD_LISTEN", p.config.DashboardListen, "the dashboard listens",
		pages.Handler()}, admin, listening)
}
