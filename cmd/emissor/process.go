package main

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

	"emissor/internal/admission"
	"emissor/internal/metrics"
	"emissor/internal/municipality"
	"emissor/internal/trace"
	"emissor/store"
	"emissor/store/archive"
	"emissor/store/postgres"
	"emissor/workflows"
)

// process is what the parts of one running program share.
type process struct {
	config   config
	logger   *slog.Logger
	metrics  *metrics.Metrics
	store    *store.Store
	resolver *municipality.Resolver
	traces   *trace.Tracer // nil: there are none

	keepGauges func(context.Context) // reads the database's gauges again and again
}

// Bounds of every SQL statement: of a request, and of a command or a worker's step.
const (
	apiStatementTimeout = 5 * time.Second
	jobStatementTimeout = 30 * time.Second
)

// newProcess opens what every serving process needs, and refuses a database
// that was not migrated.
func newProcess(ctx context.Context, statementTimeout time.Duration) (*process, error) {
	config, err := loadConfig()
	if err != nil {
		return nil, err
	}
	p := &process{config: config, logger: newLogger(config), metrics: metrics.New()}
	warnOfEavesdroppers(config, p.logger)
	archive, err := config.archive(ctx)
	if err != nil {
		return nil, err
	}
	archive.Failed = p.archiveFailed
	p.store, err = openStore(ctx, config, statementTimeout, postgres.Rows{Failed: p.rowFailed}, archive)
	if err != nil {
		return nil, err
	}
	if err := p.store.CheckSchema(ctx); err != nil {
		return nil, errors.Join(err, p.store.Close())
	}
	p.loadCities(ctx)
	p.resolver = newResolver(config, p.store.Catalogues, p.logger)
	p.keepGauges = p.metrics.RegisterDatabase(p.store.Operate.Gauges, p.logger)
	p.metrics.RegisterPool(p.store.Pool)
	return p, nil
}

func (p *process) close() {
	p.traces.Close()
	_ = p.store.Close()
}

func (p *process) queues() workflows.Queues { return workflows.Queues{Prefix: p.config.TaskQueue} }

// warnOfEavesdroppers warns when a process starts. Commands do not: people and scripts read
// their output, and they have the same settings.
func warnOfEavesdroppers(config config, logger *slog.Logger) {
	if why := postgres.Eavesdropper(config.DatabaseURL); why != "" {
		logger.Warn("the connection to the database is not safe: use sslmode=verify-full, with sslrootcert", "why", why)
	}
}

// rowFailed counts and logs a row that a loop could not handle.
func (p *process) rowFailed(ctx context.Context, failure postgres.RowFailure) {
	p.metrics.RowFailed(failure.Loop)
	p.logger.ErrorContext(ctx, "a row could not be handled; its loop goes on without it, and tries it again",
		"loop", failure.Loop, "row_id", failure.RowID, "failures", failure.Failures,
		"retry_after", failure.RetryAfter, "error", failure.Err)
}

// archiveFailed counts and logs a document that could not be read from the archive.
func (p *process) archiveFailed(ctx context.Context, noteID string, err error) {
	p.metrics.ArchiveReadFailed(archive.ArchiveProblem(err))
	p.logger.WarnContext(ctx, "a document could not be read from the archive; whoever asked for it is told to repeat it",
		"note_id", noteID, "error", err)
}

func openStore(
	ctx context.Context, config config, statementTimeout time.Duration, rows postgres.Rows,
	archive postgres.DocumentArchive,
) (*store.Store, error) {
	return store.Open(ctx, postgres.Config{
		URL:              config.DatabaseURL,
		MaxConnections:   config.DatabaseConnections,
		StatementTimeout: statementTimeout,
		Application:      "emissor/" + version(),
		Rows:             rows,
		Limits:           config.Organization.ofStore(),
		Archive:          archive,
	})
}

func newResolver(config config, records municipality.Records, logger *slog.Logger) *municipality.Resolver {
	return municipality.NewResolver(records, municipality.Options{
		Services: config.ZipCodeServices.services, Log: logger, Rate: zipCodeRate,
	})
}

// dialTemporal connects lazily: the engine may start later. open watches the connection; measures, if there are any, have
// what the SDK says of the client and its workers; interceptors stand around what these do.
func dialTemporal(config config, logger *slog.Logger, open *admission.Admission, measures client.MetricsHandler,
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

func temporalTLS(config config) (*tls.Config, error) {
	roots, err := certificatePool("TEMPORAL_TLS_SERVER_CA_CERT_PATH", config.TemporalTLSCA)
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

// logLevel reads the words of EMISSOR_LOG_LEVEL.
type logLevel struct{ slog.Level }

// Decode implements envconfig.Decoder.
func (l *logLevel) Decode(value string) error { return l.UnmarshalText([]byte(value)) }

func newLogger(config config) *slog.Logger {
	logger := slog.New(slog.NewJSONHandler(printable{os.Stderr}, &slog.HandlerOptions{Level: config.LogLevel.Level}))
	slog.SetDefault(logger)
	return logger
}
