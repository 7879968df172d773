package testkit

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
	"google.golang.org/grpc"

	"emissor/api"
	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/internal/mail"
	"emissor/internal/metrics"
	"emissor/internal/municipality"
	"emissor/internal/retry"
	"emissor/internal/seal"
	"emissor/internal/trace"
	"emissor/internal/trace/engine"
	"emissor/internal/web"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/operate"
	"emissor/worker"
	"emissor/worker/admission"
	"emissor/worker/dispatch"
	"emissor/workflows"
)

// Options say what of the system a test needs.
type Options struct {
	Worker      bool                   // also run a worker
	Simulation  fiscal.Canceller       // takes the authority's place in the test environment; nil is the simulation
	Authorities []worker.Authority     // that issue live notes; none is none
	Mail        *mail.Sender           // nil: e-mails wait
	Services    []municipality.Service // on-line zip code services; none is none
	ZipCodes    municipality.Options   // how they are asked; Services and Log are filled in
	Slow        time.Duration          // of the scenario slow; a second when zero
	API         api.Options            // limits, proxies, a logger; its other parts are filled in
	Listen      web.ListenOptions      // how many connections; 500 where it says nothing
	Retention   operate.Retention      // for how long copies are kept; for ever when zero
	Traces      trace.Options          // URL and Ratio; API and worker have a tracer each. None without a URL

	DeliveryRate, EmailRate int // of each organization and environment; no limit when zero

	// Engine intercepts the worker's calls to the engine; nil is nothing.
	Engine grpc.UnaryClientInterceptor

	Signer certificate.SigningProgram // of certificates whose keys are kept elsewhere

	// UncataloguedFor is how long what is answered by a code of no catalogue is sent again;
	// an hour when zero.
	UncataloguedFor time.Duration

	// EventsInterval is the shortest pause before an authority is asked again what happened outside;
	// 150 ms when zero.
	EventsInterval time.Duration

	// RowPauses are the pauses after attempts that failed on our side; those of the product
	// when zero.
	RowPauses retry.Backoff
	// Interceptors stand around the worker's activities: see Poison.
	Interceptors []interceptor.WorkerInterceptor

	// NoRounds has the maintenance run only where a test triggers it: its schedule's own rounds come at every full
	// five minutes of the clock.
	NoRounds bool

	// OwnClock gives the API's sessions with the database a clock that SetClock sets: by it
	// notes are accepted. The maintenance has no rounds then, as NoRounds says: its clock is the machine's, by
	// which a test service of another day has expired.
	OwnClock bool

	// Restored has the system take the place of another one, with a database that was restored from an earlier
	// dump of the other's: nil makes a new database, organization and keyset.
	Restored *Restored

	// Connect opens the one store of API and worker, for tests with a proxy between
	// it and the database. When nil each has its own, in its own role.
	Connect func(t testing.TB, databaseURL string) *store.Store
}

// System is Emissor in a test: a database, the API and perhaps a worker.
type System struct {
	*Database
	URL          string
	Organization nfse.Organization
	TestKey      string
	LiveKey      string
	Metrics      *metrics.Metrics
	API          *api.API // it writes its request log when a test asks it to
	Resolver     *municipality.Resolver
	Temporal     client.Client // nil without a worker
	Namespace    string        // of Temporal
	Queues       workflows.Queues
	Worker       *RunningWorker     // nil without a worker
	Simulation   fiscal.Canceller   // nil is the simulation; set it before starting a worker
	Authorities  []worker.Authority // that issue live notes; set them before starting a worker
	Webhooks     *webhook.Client    // reaches loopback
	Sealer       *seal.Sealer

	Admission *admission.Admission // of Temporal; nil without a worker

	logger      *slog.Logger
	slow        time.Duration
	mail        *mail.Sender
	workerStore *store.Store
	retention   operate.Retention
	options     Options
	traces      *trace.Tracer   // of the worker
	tracers     []*trace.Tracer // of API and worker
}

func newSealer(t testing.TB) *seal.Sealer {
	t.Helper()
	keyset, err := seal.NewKeyset()
	must(t, err)
	sealer, err := seal.New(keyset)
	must(t, err)
	return sealer
}

// Logger logs to the test.
func Logger(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// NewSystem starts a system that is gone when the test ends.
func NewSystem(t testing.TB, options Options) *System {
	t.Helper()
	s := &System{
		Database:    options.database(t),
		Metrics:     metrics.New(),
		Queues:      workflows.Queues{Prefix: "test-" + uuid.NewString()},
		logger:      cmp.Or(options.API.Logger, Logger(t)),
		slow:        options.Slow,
		Simulation:  options.Simulation,
		Authorities: options.Authorities,
		mail:        options.Mail,
		retention:   options.Retention,
		options:     options,
		Webhooks:    webhook.NewClient(webhook.Options{AllowLoopback: true}),
		Sealer:      options.sealer(t),
	}
	var apiStore *store.Store
	if options.Connect != nil {
		s.Store = options.Connect(t, s.Database.URL)
		apiStore, s.workerStore = s.Store, s.Store
	} else {
		apiURL := s.As(Roles.API)
		if options.OwnClock {
			apiURL = s.withClock(t, apiURL)
		}
		apiStore, s.workerStore = OpenStore(t, apiURL), OpenStore(t, s.As(Roles.Worker))
	}
	if s.slow == 0 {
		s.slow = time.Second
	}
	_ = s.Metrics.RegisterDatabase(apiStore.Operate.Gauges, s.logger) // each scrape has them read
	zipCodes := options.ZipCodes
	zipCodes.Services, zipCodes.Log = options.Services, s.logger
	s.Resolver = municipality.NewResolver(apiStore.Catalogues, zipCodes)
	if before := options.Restored; before != nil {
		s.Organization, s.TestKey, s.LiveKey = before.Of.Organization, before.Of.TestKey, before.Of.LiveKey
	} else {
		s.Organization, s.TestKey, s.LiveKey = s.NewOrganization(t, "Clínica Exemplo")
	}

	accepted := func() {}
	if options.Worker {
		s.Admission = admission.New(admission.DefaultLatency)
		s.Namespace = environment(t, "TEMPORAL_NAMESPACE")
		s.traces = s.NewTracer(t, "worker")
		interceptors, err := engine.Interceptors(s.traces)
		must(t, err)
		s.Temporal = newTemporal(t, s.Namespace, s.logger, s.Admission, options.Engine, interceptors...)
		s.Worker = s.StartWorker(t)
		accepted = func() { s.Worker.Wake() }
	}
	parts := options.API
	parts.Traces = s.NewTracer(t, "api")
	parts.Store, parts.Resolver, parts.Metrics, parts.Logger = apiStore, s.Resolver, s.Metrics, s.logger
	if parts.Accepted == nil {
		parts.Accepted = accepted
	}
	options.Listen.Closed = s.Metrics.ConnectionClosed
	s.API = api.New(parts)
	s.URL = serve(t, s.API.Handler(), options.Listen, s.logger)
	return s
}

// NewOrganization makes an organization with a key for each environment.
func (d *Database) NewOrganization(t testing.TB, name string) (organization nfse.Organization, testKey,
	liveKey string) {
	t.Helper()
	organization, err := d.Changes().Access.CreateOrganization(t.Context(), name)
	must(t, err)
	return organization, d.NewKey(t, organization.ID, false), d.NewKey(t, organization.ID, true)
}

// NewKey makes a key and returns its text.
func (d *Database) NewKey(t testing.TB, organizationID string, livemode bool) string {
	t.Helper()
	text := nfse.NewAPIKeyText(livemode)
	_, err := d.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{
		Scope: nfse.Scope{OrganizationID: organizationID, Livemode: livemode}, Label: "test",
	}, text)
	must(t, err)
	return text
}

func serve(t testing.TB, handler http.Handler, listen web.ListenOptions, logger *slog.Logger) string {
	t.Helper()
	listen.Address = "127.0.0.1:0"
	listen.Connections = cmp.Or(listen.Connections, 500)
	listen.PerAddress = cmp.Or(listen.PerAddress, 500)
	listen.Logger = logger
	listener, err := web.Listen(listen)
	must(t, err)
	Serve(t, web.NewServer(handler, logger), listener)
	return "http://" + listener.Addr().String()
}

// Serve has a server answer until the test ends, and none of its handlers run after that: the next test has the
// database.
func Serve(t testing.TB, server *http.Server, listener net.Listener) {
	t.Helper()
	var running sync.RWMutex
	handler, ended := server.Handler, false
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		running.RLock()
		defer running.RUnlock()
		if !ended {
			handler.ServeHTTP(w, r)
		}
	})
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() {
		_ = server.Close()
		running.Lock()
		defer running.Unlock()
		ended = true
	})
}

// NewTemporal connects to the stack's engine, and makes sure that it knows the
// search attributes.
func NewTemporal(t testing.TB, logger *slog.Logger) client.Client {
	t.Helper()
	return newTemporal(t, environment(t, "TEMPORAL_NAMESPACE"), logger, admission.New(admission.DefaultLatency), nil)
}

func newTemporal(t testing.TB, namespace string, logger *slog.Logger, open *admission.Admission,
	between grpc.UnaryClientInterceptor, interceptors ...interceptor.ClientInterceptor) client.Client {
	t.Helper()
	dial := open.DialOptions()
	if between != nil {
		dial = append(dial, grpc.WithChainUnaryInterceptor(between))
	}
	options := client.Options{
		HostPort:  environment(t, "TEMPORAL_ADDRESS"),
		Namespace: namespace,
		Identity:  "emissor-test",
		Logger:    log.NewStructuredLogger(logger),

		Interceptors: interceptors,
		ConnectionOptions: client.ConnectionOptions{DialOptions: dial, GetSystemInfoTimeout: time.Minute,
			GrpcCompression: &client.GrpcCompressionNone{}}, // as the program
	}
	var engine client.Client
	AskEngine(t, "a connection", func() (err error) { engine, err = client.Dial(options); return err })
	t.Cleanup(engine.Close)
	must(t, dispatch.RegisterSearchAttributes(t.Context(), engine, namespace))
	return engine
}

// OnAnotherEngine is the same installation with an engine that knows nothing of it, as after the loss of a region. Its
// worker is one that StartWorker starts.
func (s *System) OnAnotherEngine(t testing.TB) *System {
	t.Helper()
	other := *s
	other.Namespace, other.Worker = NewNamespace(t), nil
	other.Admission = admission.New(admission.DefaultLatency)
	other.Temporal = newTemporal(t, other.Namespace, s.logger, other.Admission, nil)
	return &other
}

// RunningWorker is a worker that a test may stop and start again.
type RunningWorker struct {
	*worker.Worker
	stop    context.CancelFunc
	stopped chan struct{}
}

// Stop stops the worker and waits for it.
func (w *RunningWorker) Stop() {
	w.stop()
	<-w.stopped
}

// StartWorker starts a worker of the system.
func (s *System) StartWorker(t testing.TB) *RunningWorker {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	running := &RunningWorker{
		Worker: worker.New(worker.Options{
			Store: s.workerStore, Client: s.Temporal, Namespace: s.Namespace, Admission: s.Admission, Queues: s.Queues,
			Resolver: s.Resolver, Metrics: s.Metrics, Logger: s.logger, Traces: s.traces,
			Slow:       s.slow,
			Simulation: s.Simulation, Authorities: s.Authorities, Mail: s.mail, Webhooks: s.Webhooks,
			Sealer: s.Sealer, Signer: s.options.Signer, EndpointSlots: 4, Retention: s.retention,
			DeliveryRate: s.options.DeliveryRate, EmailRate: s.options.EmailRate,
			Pollers:         2, // many systems share one engine
			EventsInterval:  cmp.Or(s.options.EventsInterval, 150*time.Millisecond),
			UncataloguedFor: cmp.Or(s.options.UncataloguedFor, time.Hour),
			RowPauses:       s.options.RowPauses, Interceptors: s.options.Interceptors,
		}),
		stop:    stop,
		stopped: make(chan struct{}),
	}
	ready := make(chan struct{})
	go func() {
		defer close(running.stopped)
		if err := running.Run(ctx, func() { close(ready) }); err != nil {
			t.Errorf("the worker: %v", err)
		}
	}()
	t.Cleanup(func() {
		running.Stop()
		_ = s.Temporal.ScheduleClient().GetHandle(context.WithoutCancel(t.Context()), s.Queues.MaintenanceSchedule()).
			Delete(context.WithoutCancel(t.Context()))
	})
	select {
	case <-ready:
	case <-running.stopped:
		t.Fatal("the worker did not start")
	}
	if s.options.NoRounds || s.options.OwnClock {
		rounds := s.Temporal.ScheduleClient().GetHandle(t.Context(), s.Queues.MaintenanceSchedule())
		Eventually(t, "the rounds are paused", func() bool { // the engine's own workers may be late
			return rounds.Pause(t.Context(), client.SchedulePauseOptions{}) == nil
		})
	}
	return running
}
