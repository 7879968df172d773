package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"emissor/test/harness"
)

// parts is how many processes of Emissor there are: two of each kind.
const parts = 4

// system is everything that runs: an installation of Emissor and what is around
// it.
type system struct {
	options   options
	stack     harness.Devstack
	database  *harness.Database
	simulator *harness.Simulator // of the national system, and of cities of the table
	city      *harness.SaoPaulo
	arealva   *harness.Simulator // nil: nobody issues there
	receiver  *harness.Receiver
	zips      *zipCodes
	network   *network

	emissor       *harness.Emissor
	queues        string // prefix of the task queues
	apis, workers []*supervised
	organizations []harness.Organization
	corrected     int // how often the organizations corrected their profiles

	locks    map[string]*sync.Mutex // of what a fault takes hold of
	closings []func()
}

// startSystem starts everything. What it returns is to be closed, also with an
// error.
func startSystem(ctx context.Context, o options) (*system, error) {
	s := &system{options: o, queues: "chaos-" + uuid.NewString(), locks: map[string]*sync.Mutex{}}
	for _, name := range resources {
		s.locks[name] = new(sync.Mutex)
	}
	if err := s.startSurroundings(ctx); err != nil {
		return s, err
	}
	if err := s.startEmissor(ctx); err != nil {
		return s, err
	}
	return s, s.provision(ctx)
}

func (s *system) startSurroundings(ctx context.Context) (err error) {
	if s.stack, err = harness.FindDevstack(); err != nil {
		return err
	}
	if s.database, err = s.stack.NewDatabase(ctx); err != nil {
		return err
	}
	s.atClose(func() { _ = s.database.Drop(context.Background()) })
	if s.network, err = newNetwork(s.database.Address(), parts); err != nil {
		return err
	}
	s.atClose(s.network.close)
	if err := s.startAuthorities(ctx); err != nil {
		return err
	}
	if s.receiver, err = harness.NewReceiver(); err != nil {
		return err
	}
	s.atClose(s.receiver.Close)
	if s.zips, err = newZipCodes(); err != nil {
		return err
	}
	s.atClose(s.zips.close)
	return nil
}

func (s *system) startEmissor(ctx context.Context) error {
	s.emissor = &harness.Emissor{Program: s.options.programs.Emissor, LogDir: s.options.dir}
	s.emissor.Environment = append(append(s.authoritySettings(), s.options.environment...),
		"EMISSOR_DATABASE_URL="+s.database.URL,
		"EMISSOR_TASK_QUEUE="+s.queues,
		"EMISSOR_RATE_LIMIT=0", "EMISSOR_ORGANIZATION_LIMITS=requests=0",
		"EMISSOR_SLOW_SCENARIO=3s",
		"EMISSOR_WEBHOOK_ALLOW_LOOPBACK=true",
		"EMISSOR_ZIP_CODE_SERVICES=viacep="+s.zips.url,
		"EMISSOR_AUTHORITY_TIMEOUT="+authorityTimeout.String(),
		"EMISSOR_AUTHORITY_GRACE_PERIOD="+s.options.grace.String(),
	)
	if err := s.emissor.Prepare(ctx); err != nil {
		return err
	}
	if err := s.emissor.NewKeyset(ctx); err != nil {
		return err
	}
	if err := s.emissor.ImportCities(ctx, s.simulator, s.options.grace.String()); err != nil {
		return err
	}
	if s.options.prepare != "" {
		if _, err := s.database.SQL.ExecContext(ctx, s.options.prepare); err != nil {
			return fmt.Errorf("-sql: %w", err)
		}
	}
	for i := range parts {
		through := "EMISSOR_DATABASE_URL=" + s.database.URLThrough(s.network.address(i))
		var part *harness.Part
		var err error
		if i < parts/2 {
			part, err = s.emissor.NewAPI(fmt.Sprint("api-", i+1), through)
		} else {
			part, err = s.emissor.NewWorker(fmt.Sprint("worker-", i+1-parts/2), through)
		}
		if err != nil {
			return err
		}
		supervised := supervise(part)
		s.atClose(supervised.close)
		if i < parts/2 {
			s.apis = append(s.apis, supervised)
		} else {
			s.workers = append(s.workers, supervised)
		}
	}
	return s.awaitReady(ctx)
}

// authorityTimeout is how long Emissor waits for an answer of the authority.
const authorityTimeout = 2 * time.Second

// provision makes organizations that can issue, each with a receiver of its own
// in each environment.
func (s *system) provision(ctx context.Context) error {
	for i := range s.options.organizations {
		o, err := s.emissor.NewOrganization(ctx, fmt.Sprint("Organization ", i+1))
		if err != nil {
			return err
		}
		if err := o.NewServices(ctx, s.apis[0].URL); err != nil {
			return err
		}
		if err := s.equip(ctx, i, &o); err != nil {
			return err
		}
		for _, live := range []bool{false, true} {
			if _, err := s.emissor.NewEndpoint(ctx, o, environment(live), s.receiver.URL+path(o.ID, live)); err != nil {
				return err
			}
		}
		s.organizations = append(s.organizations, o)
	}
	return s.poison(ctx)
}

// path is where the receiver expects the events of an organization's notes.
func path(organizationID string, live bool) string {
	return "/" + organizationID + "/" + environment(live)
}

func environment(live bool) string {
	if live {
		return "live"
	}
	return "test"
}

func (s *system) parts() []*supervised {
	return append(append([]*supervised{}, s.apis...), s.workers...)
}

func (s *system) awaitReady(ctx context.Context) error {
	for _, part := range s.parts() {
		if err := part.AwaitReady(ctx); err != nil {
			return err
		}
	}
	return nil
}

// awaitBack waits until all processes are ready after faults, however often they end and are started again.
func (s *system) awaitBack(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for _, part := range s.parts() {
		if err := harness.Await(ctx, part.Name+" is ready again", part.Ready); err != nil {
			return fmt.Errorf("%w\n%s", err, part.LogTail())
		}
	}
	return nil
}

func (s *system) atClose(closing func()) { s.closings = append(s.closings, closing) }

// close ends everything, last started first.
func (s *system) close() {
	for i := range s.closings {
		s.closings[len(s.closings)-1-i]()
	}
}
