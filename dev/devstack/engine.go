package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// engine is the two programs that are Temporal and its UI, and how they are built where that is still to be done.
type engine struct {
	program, ui string
	// Shell commands. Without build both programs are there.
	build, buildUI string
}

// newEngine finds the programs.
func newEngine(opts options) (e engine, err error) {
	devstack, err := os.Executable()
	if err != nil {
		return e, err
	}
	beside := filepath.Dir(devstack)
	e = engine{
		program: opts.engine, ui: filepath.Join(beside, "engine-ui"), build: opts.engineBuild, buildUI: opts.uiBuild,
	}
	if e.program == "" {
		e.program = filepath.Join(beside, "engine")
	}
	if e.program, err = filepath.Abs(e.program); err != nil || e.build != "" {
		return e, err
	}
	programs := []string{e.program}
	if !opts.noUI {
		programs = append(programs, e.ui)
	}
	for _, program := range programs {
		if _, err := os.Stat(program); err != nil {
			return e, fmt.Errorf("the program %s is missing: build it by `make engine`, or name another with -engine",
				program)
		}
	}
	return e, nil
}

// command is one of the programs, logging to log.
func (e engine) command(program string, log *logFile, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log.file, log.file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// Where the engine stands.
const (
	building = "building"
	starting = "starting"
	up       = "up"
	down     = "down" // it was killed
)

// bringEngine builds the engine, while the command runs already, and starts it; then it does the same with the UI, so
// that notes need not wait for that. Meanwhile the UI's address is answered. It returns early when ctx ends.
func (s *stack) bringEngine(ctx context.Context) error {
	var page *waitingPage
	if s.ui != nil {
		var err error
		if page, err = serveWaitingPage(s.ui.listen, time.Now()); err != nil {
			return err
		}
		defer page.close()
	}
	if err := build(ctx, "the engine", s.engine.build); err != nil {
		return err
	}
	s.engineStands.Store(starting)
	if err := s.startTemporal(ctx); err != nil || s.ui == nil {
		return err
	}
	if s.engine.buildUI != "" {
		if err := build(ctx, "the Temporal UI", s.engine.buildUI); err != nil {
			return err
		}
	}
	page.close()
	return s.startUI(ctx)
}

// build runs a build with what the processors have left.
func build(ctx context.Context, what, command string) error {
	build, err := startCommand([]string{"nice", "-n", "19", "sh", "-c", command}, nil)
	if err != nil {
		return err
	}
	defer build.end()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-build.done:
	}
	if code := build.exitCode(); code != 0 {
		return fmt.Errorf("%s could not be built: `%s` ended with %d", what, command, code)
	}
	return nil
}

// startTemporal starts the Temporal server.
func (s *stack) startTemporal(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errLate)
	defer cancel()
	if err := s.temporal.start(ctx); err != nil {
		return err
	}
	s.engineStands.Store(up)
	return nil
}

// startUI starts the Temporal UI, if there is to be one.
func (s *stack) startUI(ctx context.Context) error {
	if s.ui == nil {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errLate)
	defer cancel()
	return s.ui.start(ctx)
}

// standing is where Temporal is.
func (s *stack) standing() string {
	if stands := s.engineStands.Load().(string); stands != up || s.temporal.runs() {
		return stands
	}
	return down
}
