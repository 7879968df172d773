package serve

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/cities"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/internal/metrics"
	"emissor/internal/municipality"
	"emissor/internal/trace"
	"emissor/store"
	"emissor/store/archive"
	"emissor/store/postgres"
	"emissor/worker/admission"
	"emissor/workflows"
)

// loadCities has a process that begins go by the table of cities that was imported last. Where it
// cannot be read it is tried again; until then the one that is built in is shown, and no city is served.
func (p *Process) loadCities(ctx context.Context) {
	if err := cities.Load(ctx, p.store.Companies, cityrules.Quirks()); err != nil {
		p.Logger.Error("the imported table of cities could not be read; no city is served yet",
			"error", err)
	}
}

// Process is what the parts of one running program share.
type Process struct {
	config   cli.Config
	Logger   *slog.Logger
	Metrics  *metrics.Metrics
	store    *store.Store
	resolver *municipality.Resolver
	traces   *trace.Tracer // nil: there are none

	keepGauges func(context.Context) // reads the database's gauges again and again
}

// Bounds of every SQL statement: of a request, and of a command or a worker's step.
const (
	apiStatementTimeout = 5 * time.Second
)

// newProcess opens what every serving process needs, and refuses a database
// that was not migrated.
func newProcess(ctx context.Context, statementTimeout time.Duration) (*Process, error) {
	config, err := cli.LoadConfig()
	if err != nil {
		return nil, err
	}
	p := &Process{config: config, Logger: newLogger(config), Metrics: metrics.New()}
	warnOfEavesdroppers(config, p.Logger)
	archive, err := config.Archive(ctx)
	if err != nil {
		return nil, err
	}
	archive.Failed = p.archiveFailed
	p.store, err = cli.OpenStore(ctx, config, statementTimeout, postgres.Rows{Failed: p.RowFailed}, archive)
	if err != nil {
		return nil, err
	}
	if err := p.store.CheckSchema(ctx); err != nil {
		return nil, errors.Join(err, p.store.Close())
	}
	p.loadCities(ctx)
	p.resolver = NewResolver(config, p.store.Catalogues, p.Logger)
	p.keepGauges = p.Metrics.RegisterDatabase(p.store.Operate.Gauges, p.Logger)
	p.Metrics.RegisterPool(p.store.Pool)
	return p, nil
}

func (p *Process) close() {
	p.traces.Close()
	_ = p.store.Close()
}

func (p *Process) queues() workflows.Queues { return workflows.Queues{Prefix: p.config.TaskQueue} }

// warnOfEavesdroppers warns when a process starts. Commands do not: people and scripts read
// their output, and they have the same settings.
func warnOfEavesdroppers(config cli.Config, logger *slog.Logger) {
	if why := postgres.Eavesdropper(config.DatabaseURL); why != "" {
		logger.Warn("the connection to the database is not safe: use sslmode=verify-full, with sslrootcert", "why", why)
	}
}

// RowFailed counts and logs a row that a loop could not handle.
func (p *Process) RowFailed(ctx context.Context, failure postgres.RowFailure) {
	p.Metrics.RowFailed(failure.Loop)
	p.Logger.ErrorContext(ctx, "a row could not be handled; its loop goes on without it, and tries it again",
		"loop", failure.Loop, "row_id", failure.RowID, "failures", failure.Failures,
		"retry_after", failure.RetryAfter, "error", failure.Err)
}

// archiveFailed counts and logs a document that could not be read from the archive.
func (p *Process) archiveFailed(ctx context.Context, noteID string, err error) {
	p.Metrics.ArchiveReadFailed(archive.ArchiveProblem(err))
	p.Logger.WarnContext(ctx, "a document could not be read from the archive; whoever asked for it is told to repeat it",
		"note_id", noteID, "error", err)
}

func NewResolver(config cli.Config, records municipality.Records, logger *slog.Logger) *municipality.Resolver {
	return municipality.NewResolver(records, municipality.Options{
		Services: config.ZipCodeServices.Services, Log: logger, Rate: cli.ZipCodeRate,
	})
}

// dialTemporal connects lazily: the engine may start later. open watches the connection; measures, if there are any, have
// what the SDK says of the client and its workers; interceptors stand around what these do.
func dialTemporal(config cli.Config, logger *slog.Logger, open *admission.Admission, measures client.MetricsHandler,
	interceptors ...interceptor.ClientInterceptor) (client.Client, error) {
	options := client.Options{
		HostPort:  config.TemporalAddress,
		Namespace: config.TemporalNamespace,
		Logger:    log.NewStructuredLogger(logger),

		MetricsHandler: measures,
		Interceptors:   interceptors,
	}
	if config.TemporalAPIKey != "" {
		options.Credentials = client.NewAPIKeyStaticCredentials(config.TemporalAPIKey)
	}
	if cmp.Or(config.TemporalAPIKey, config.TemporalTLSCA, config.TemporalTLSCert, config.TemporalServerName) != "" {
		settings, err := temporalTLS(config)
		if err != nil {
			return nil, err
		}
		options.ConnectionOptions.TLS = settings
	}
	options.ConnectionOptions.DialOptions = open.DialOptions()
	// Messages carry ids and no documents: packing them took up to a seventh of the processor time of API and worker
	// (make compare).
	options.ConnectionOptions.GrpcCompression = &client.GrpcCompressionNone{}
	return client.NewLazyClient(options)
}

func temporalTLS(config cli.Config) (*tls.Config, error) {
	roots, err := cli.CertificatePool("TEMPORAL_TLS_SERVER_CA_CERT_PATH", config.TemporalTLSCA)
	if err != nil {
		return nil, err
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: config.TemporalServerName, RootCAs: roots}
	if config.TemporalTLSCert != "" {
		certificate, err := tls.LoadX509KeyPair(config.TemporalTLSCert, config.TemporalTLSCert)
		if err != nil {
			return nil, fmt.Errorf("TEMPORAL_TLS_CLIENT_CERT_PATH: %w", err)
		}
		settings.Certificates = []tls.Certificate{certificate}
	}
	return settings, nil
}

func newLogger(config cli.Config) *slog.Logger {
	logger := slog.New(slog.NewJSONHandler(cli.Printable{To: os.Stderr},
		&slog.HandlerOptions{Level: config.LogLevel.Level}))
	slog.SetDefault(logger)
	return logger
}

// tracer makes the tracer of a process; nil where there are no traces.
func (p *Process) tracer(runs parts) (*trace.Tracer, error) {
	options := p.config.TracesURL.Options
	var err error
	if options.Roots, err = cli.CertificatePool("EMISSOR_TRACES_URL", p.config.TracesURL.Ca); err != nil {
		return nil, err
	}
	options.Process, options.Version = runs.name(), cli.Version()
	options.Logger, options.Lost = p.Logger, p.Metrics.SpansLost
	return trace.New(options)
}

// name is the name of the command that runs these parts.
func (p parts) name() string {
	switch p {
	case parts{api: true}:
		return cli.ReaderAPI
	case parts{worker: true}:
		return cli.ReaderWorker
	case parts{dashboard: true}:
		return cli.ReaderDashboard
	}
	return "serve"
}
