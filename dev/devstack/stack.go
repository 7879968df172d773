package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// commandGrace is how long a command that was asked to end may take before it is killed.
const commandGrace = 30 * time.Second

// A second signal kills it at once, unless it comes within sameRequest: who signals a process group
// reaches devstack twice, directly and through make.
const sameRequest = time.Second

// Starting everything takes seconds: after startTimeout something is wrong.
const startTimeout = 2 * time.Minute

var errLate = fmt.Errorf("not up within %s", startTimeout)

// stack is PostgreSQL, Temporal and the Temporal UI, in starting order, and where their state is.
type stack struct {
	state    *state
	postgres *postgres
	temporal *temporalServer
	ui       *uiServer
	engine   engine
	services []*service
	deaths   chan error // a server that ended by itself

	engineStands atomic.Value // string
}

// run starts a stack, runs the command in it and stops it. The exit code is the command's own, unless the
// stack failed.
func run(opts options, args []string) (int, error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)

	s, err := newStack(opts)
	if err != nil {
		return 1, err
	}
	code, err := s.run(args, signals)
	return code, errors.Join(err, s.down(err != nil))
}

func (s *stack) run(args []string, signals <-chan os.Signal) (int, error) {
	if err := s.up(signals); err != nil {
		return 1, err
	}
	control, err := serveControl(s)
	if err != nil {
		return 1, err
	}
	defer control.close()

	cmd, err := startCommand(args, append(s.environment(), "DEVSTACK_CONTROL="+control.url))
	if err != nil {
		return 1, err
	}
	defer cmd.end()
	if s.engine.build != "" {
		defer s.follow(s.bringEngine)()
	}
	return s.watch(cmd, signals)
}

// follow does something while the command runs. An error of it is one of the stack. The function that it
// returns ends it, and waits for that.
func (s *stack) follow(do func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var doing sync.WaitGroup
	doing.Go(func() {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			s.deaths <- err
		}
	})
	return func() {
		cancel()
		doing.Wait()
	}
}

// watch waits for the command to end, passing signals on to it, or for a server to end.
func (s *stack) watch(cmd *command, signals <-chan os.Signal) (int, error) {
	var asked time.Time
	var patience <-chan time.Time
	for {
		select {
		case <-cmd.done:
			return cmd.exitCode(), nil
		case err := <-s.deaths:
			return 1, err
		case <-patience:
			return 1, fmt.Errorf("the command did not end within %s of being asked to: it is killed", commandGrace)
		case sig := <-signals:
			switch {
			case patience == nil:
				asked, patience = time.Now(), time.After(commandGrace)
				cmd.signal(sig.(syscall.Signal))
			case time.Since(asked) > sameRequest:
				return 1, errors.New("asked again to end: the command is killed")
			}
		}
	}
}

// newStack chooses the state, ports and servers, and starts no server.
func newStack(opts options) (*stack, error) {
	state, err := openState(opts.state, opts.logFile)
	if err != nil {
		return nil, err
	}
	s := &stack{state: state, deaths: make(chan error, 8)}
	if err := s.describe(opts); err != nil {
		return nil, errors.Join(err, state.close())
	}
	return s, nil
}

func (s *stack) describe(opts options) error {
	ports, err := choosePorts(opts)
	if err != nil {
		return err
	}
	if s.postgres, err = newPostgres(s.state, ports.postgres); err != nil {
		return err
	}
	if s.engine, err = newEngine(opts); err != nil {
		return err
	}
	if s.temporal, err = newTemporalServer(s.state, s.engine, s.postgres, ports); err != nil {
		return err
	}
	s.services = []*service{s.postgres.service, s.temporal.service}
	if !opts.noUI {
		if s.ui, err = newUIServer(s.state, s.engine, ports); err != nil {
			return err
		}
		s.services = append(s.services, s.ui.service)
	}
	for _, service := range s.services {
		service.deaths = s.deaths
	}
	return nil
}

// up starts the servers one after the other, each usable before the next is started; an engine that is still
// to be built comes later. A signal interrupts it.
func (s *stack) up(signals <-chan os.Signal) error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), startTimeout, errLate)
	defer cancel()
	started := make(chan error, 1)
	go func() { started <- s.startAll(ctx) }()
	select {
	case err := <-started:
		return err
	case sig := <-signals:
		cancel()
		<-started
		return fmt.Errorf("stopped by a signal (%s) before it was up", sig)
	}
}

func (s *stack) startAll(ctx context.Context) error {
	if err := s.postgres.create(ctx); err != nil {
		return err
	}
	if err := s.postgres.start(ctx); err != nil {
		return err
	}
	if s.engine.build != "" {
		s.engineStands.Store(building)
		return nil
	}
	if err := s.startTemporal(ctx); err != nil {
		return err
	}
	return s.startUI(ctx)
}

// environment is what the command finds in its environment.
func (s *stack) environment() []string {
	env := []string{
		"EMISSOR_DATABASE_URL=" + s.postgres.url(emissorDatabase),
		"TEMPORAL_ADDRESS=" + s.temporal.address,
		"TEMPORAL_NAMESPACE=" + namespace,
	}
	if s.ui != nil {
		env = append(env, "TEMPORAL_UI_URL="+s.ui.url)
	}
	return env
}

// down stops the servers in reverse order: quickly after a failure, or if the state is to be removed.
func (s *stack) down(failed bool) error {
	for _, service := range slices.Backward(s.services) {
		if failed || s.state.temporary {
			service.abandon()
		} else {
			service.stop()
		}
	}
	return s.state.close()
}
