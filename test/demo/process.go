package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	startTimeout = time.Minute
	// Devstack gives its command 30 seconds to end; these end before, one after the other.
	stopTimeout          = 25 * time.Second
	simulatorStopTimeout = 2 * time.Second
)

// errKilled is reported even when the demo is only being stopped.
var errKilled = errors.New("did not stop in time and was killed")

// process is a program that runs beside the demo until it is stopped.
type process struct {
	name  string // as messages call it
	log   string // file of what it prints
	cmd   *exec.Cmd
	ended chan struct{}
}

// startProcess runs cmd and waits until ready says so. The program runs in a process group of its own, so
// that a Ctrl-C reaches it through stop and not past it.
func startProcess(
	ctx context.Context, name, log string, cmd *exec.Cmd, ready func(context.Context) bool,
) (*process, error) {
	output, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer output.Close() // the child has its own copy
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{name: name, log: log, cmd: cmd, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is in cmd.ProcessState
		close(p.ended)
	}()
	if err := p.await(ctx, ready); err != nil {
		return nil, errors.Join(err, p.stop(stopTimeout))
	}
	return p, nil
}

// await waits until ready says so.
func (p *process) await(ctx context.Context, ready func(context.Context) bool) error {
	late := fmt.Errorf("%s is not ready after %s: see %s", p.name, startTimeout, p.log)
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, late)
	defer cancel()
	for !ready(ctx) {
		select {
		case <-p.ended:
			return p.died()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// died is the error of a process that ended by itself.
func (p *process) died() error {
	log, err := os.ReadFile(p.log)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	end := strings.Join(lines[max(0, len(lines)-15):], "\n")
	return fmt.Errorf("%s ended (%s); the end of %s:\n%s", p.name, p.cmd.ProcessState, p.log, end)
}

// stop ends the process in order, or else after patience.
func (p *process) stop(patience time.Duration) error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // fails only if it has ended
	select {
	case <-p.ended:
		return nil
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		<-p.ended
		return fmt.Errorf("%s %w", p.name, errKilled)
	}
}
