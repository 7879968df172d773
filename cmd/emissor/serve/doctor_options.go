package serve

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/cities"
	"emissor/fiscal/drift"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national"
	"emissor/fiscal/national/cityserver"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/imported"
	"emissor/fiscal/saopaulo"
	"emissor/issuing/doctor"
	"emissor/nfse"
	"emissor/store/postgres"
	"emissor/worker"
	"emissor/worker/admission"
	"emissor/worker/dispatch"
)

// examination is what one run of emissor doctor works with. What cannot be had is no reason to stop: it is
// what the doctor finds.
type examination struct {
	config  cli.Config
	options doctor.Options
	closers []func()
}

// newExamination opens what the settings name, as a worker does.
func newExamination(ctx context.Context, config cli.Config) *examination {
	e := &examination{config: config}
	e.options.DatabaseURL = config.DatabaseURL
	e.openDatabase(ctx)
	e.dialEngine()
	e.options.Sealer, e.options.KeysetError = config.Sealer(ctx)
	var err error
	if e.options.Mail, err = config.Sender(); err != nil {
		e.wrong(err)
	}
	if e.options.Roots, err = cli.CertificateRoots(config, ""); err != nil {
		e.wrong(err)
	}
	if e.options.Signer, err = config.SigningProgram(); err != nil {
		e.wrong(err)
	}
	e.options.Webhooks = config.Webhooks()
	e.callAuthorities()
	return e
}

// wrong records a setting with which a part cannot begin.
func (e *examination) wrong(err error) {
	e.options.Settings = append(e.options.Settings, errors.New(cli.Message(err)))
}

func (e *examination) close() {
	for _, end := range e.closers {
		end()
	}
}

// openDatabase opens the database and what is read of it before all else.
func (e *examination) openDatabase(ctx context.Context) {
	e.options.Tables = classification.NewEditions()
	e.config.DatabaseConnections = 4
	e.options.Store, e.options.DatabaseError = cli.OpenStore(ctx, e.config, cli.JobStatementTimeout, postgres.Rows{},
		postgres.DocumentArchive{})
	if e.options.DatabaseError != nil {
		return
	}
	e.closers = append(e.closers, func() { _ = e.options.Store.Close() })
	if e.options.Store.CheckSchema(ctx) != nil {
		return // the doctor says so
	}
	if err := cities.Load(ctx, e.options.Store.Companies, cityrules.Quirks()); err != nil {
		e.wrong(err)
	}
	source := imported.NewSource(e.options.Store, slog.New(slog.DiscardHandler))
	if err := source.Load(ctx); err != nil {
		e.wrong(err)
	}
	e.options.Tables = source.Editions()
}

func (e *examination) dialEngine() {
	engine, err := dialTemporal(e.config, slog.New(slog.DiscardHandler), admission.New(e.config.EngineLatency), nil)
	if err != nil {
		e.wrong(err)
		return
	}
	e.closers = append(e.closers, engine.Close)
	e.options.Engine = func(ctx context.Context) (doctor.Namespace, error) {
		return lookAtNamespace(ctx, engine, e.config.TemporalNamespace)
	}
}

// engineTimeout is how long the engine may take to answer: one that is out is dialled for as long.
const engineTimeout = 10 * time.Second

// lookAtNamespace asks how the engine's namespace stands.
func lookAtNamespace(ctx context.Context, engine client.Client, name string) (of doctor.Namespace, err error) {
	ctx, stop := context.WithTimeout(ctx, engineTimeout)
	defer stop()
	if err := dispatch.CheckNamespace(ctx, engine, name); err != nil {
		return of, err
	}
	described, err := engine.WorkflowService().DescribeNamespace(ctx,
		&workflowservice.DescribeNamespaceRequest{Namespace: name})
	if err != nil {
		return of, err
	}
	of.Retention = described.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration()
	var missing *dispatch.MissingAttributes
	switch err := dispatch.CheckSearchAttributes(ctx, engine, name); {
	case errors.As(err, &missing):
		for _, key := range missing.Missing {
			of.Missing = append(of.Missing, key.GetName())
		}
	case errors.Is(err, dispatch.ErrAttributesUnseen):
		of.Unseen = true
	case err != nil:
		return of, err
	}
	return of, nil
}

// callAuthorities makes the authorities, each apart: one whose settings are wrong keeps no others from
// being asked.
func (e *examination) callAuthorities() {
	quiet := slog.New(slog.DiscardHandler)
	transport, err := e.config.Transport()
	if err != nil {
		e.wrong(err)
		return
	}
	e.options.Authorities = map[string]doctor.Authority{}
	for _, make := range []func(*classification.Source, *drift.Watch, *slog.Logger) ([]worker.Authority, error){
		e.config.National, e.config.SaoPauloAuthorities, e.config.ServedCities,
	} {
		served, err := make(nil, nil, quiet)
		if err != nil {
			e.wrong(err)
		}
		for _, one := range served {
			e.options.Authorities[one.Name()] = doctor.Authority{Authority: one.Authority, Rate: one.Rate}
		}
	}
	ofCountry := national.TransportOf(transport)
	e.addServer(e.config.ProductionURL, doctor.Server{Authority: national.Name, Name: "SEFIN", Production: true,
		Transport: ofCountry, Always: true, Late: true})
	e.addServer(e.config.RestrictedURL, doctor.Server{Authority: national.Name, Name: "SEFIN", Transport: ofCountry,
		Always: true, Late: true})
	e.addServer(e.config.ProductionADNURL, doctor.Server{Authority: national.Name, Name: "ADN", Production: true,
		Transport: ofCountry, Always: true, Beside: true})
	e.addServer(e.config.RestrictedADNURL, doctor.Server{Authority: national.Name, Name: "ADN", Transport: ofCountry,
		Always: true, Beside: true})
	e.addServer(e.config.CityURL,
		doctor.Server{Authority: saopaulo.Name, Production: true, Transport: transport, Always: true})
	e.addCities(transport)
}

// addCities adds the servers of the cities whose rows hold today.
func (e *examination) addCities(transport mtls.Options) {
	if !e.config.Cities {
		return
	}
	options := cityserver.Options{Transport: transport}
	for _, name := range cities.Current().Names() {
		row, is := cities.Current().Named(name, nfse.DayOf(time.Now()))
		if !is || !row.On() {
			continue
		}
		for _, production := range []bool{true, false} {
			e.addServer(row.Base(production),
				doctor.Server{Authority: name, Production: production, Transport: options.TransportOf(row)})
		}
	}
}

// addServer adds a server, if there is an address of it.
func (e *examination) addServer(address string, server doctor.Server) {
	at, err := mtls.ParseURL(address)
	if err != nil || at == nil {
		return // a wrong one was refused when the authority was made
	}
	server.URL = at
	e.options.Hosts = append(e.options.Hosts, server)
}
