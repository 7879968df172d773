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

// engine is the program that is Temporal and its UI, and how it is built where that is still to be done.
type engine struct {
	program string
	build   string // a shell command; empty: the program is there
}

// newEngine finds the program.
func newEngine(opts options) (e engine, err error) {
	e = engine{program: opts.engine, build: opts.engineBuild}
	if e.program == "" {
		devstack, err := os.Executable()
		if err != nil {
			return e, err
		}
		e.program = filepath.Join(filepath.Dir(devstack), "engine")
	}
	if e.program, err = filepath.Abs(e.program); err != nil {
		return e, err
	}
	if _, err := os.Stat(e.program); err != nil && e.build == "" {
		return e, fmt.Errorf("the program %s is missing: build it by `make engine`, or name another with -engine",
			e.program)
	}
	return e, nil
}

// part is the command of one of the program's parts, logging to log.
func (e engine) part(name string, log *logFile, args ...string) *exec.Cmd {
	cmd := exec.Command(e.program, append([]string{name}, args...)...)
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

// bringEngine builds the engine, while the command runs already, and starts it. It returns early when ctx ends.
func (s *stack) bringEngine(ctx context.Context) error {
	if err := s.buildEngine(ctx); err != nil {
		return err
	}
	s.engineStands.Store(starting)
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errLate)
	defer cancel()
	return s.startEngine(ctx)
}

// buildEngine runs the build with what the processors have left, and answers at the UI's address meanwhile.
func (s *stack) buildEngine(ctx context.Context) error {
	if s.ui != nil {
		page, err := serveWaitingPage(s.ui.listen, time.Now())
		if err != nil {
			return err
		}
		defer page.close()
	}
	build, err := startCommand([]string{"nice", "-n", "19", "sh", "-c", s.engine.build}, nil)
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
		return fmt.Errorf("the engine could not be built: `%s` ended with %d", s.engine.build, code)
	}
	return nil
}

// startEngine starts Temporal and its UI.
func (s *stack) startEngine(ctx context.Context) error {
	if err := s.temporal.start(ctx); err != nil {
		return err
	}
	if s.ui != nil {
		if err := s.ui.start(ctx); err != nil {
			return err
		}
	}
	s.engineStands.Store(up)
	return nil
}

// standing is where Temporal is.
func (s *stack) standing() string {
	if stands := s.engineStands.Load().(string); stands != up || s.temporal.runs() {
		return stands
	}
	return down
}
