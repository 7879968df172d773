package main

import (
	"context"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// stopTimeout is how long a server may take to stop before it is killed. None loses data by that.
const stopTimeout = 20 * time.Second

// service is one server of the stack: how it is started, when it is usable and how it ends.
type service struct {
	name       string
	log        *logFile
	command    func() *exec.Cmd            // a fresh command for every start
	ready      func(context.Context) error // returns once the server is usable
	retry      func(log string) bool       // whether a start that logged this is tried again
	revive     func(log string) bool       // the same, of a server that was usable and then ended
	stopSignal syscall.Signal              // an orderly end
	dropSignal syscall.Signal              // a quick end that leaves no resources behind
	deaths     chan<- error

	mu      sync.Mutex
	process *process // nil when it is not meant to run
}

// start runs the server and waits until it is usable.
func (s *service) start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process != nil {
		return fmt.Errorf("%s is running already", s.name)
	}
	for {
		logged := s.log.size()
		p, retry, err := s.try(ctx)
		if err == nil {
			s.process = p
			go s.watch(p, logged)
			return nil
		}
		if !retry {
			return fmt.Errorf("%s did not start: %w\n%s", s.name, err, s.log.tail())
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// try starts the server once. retry is true if it ended for a temporary reason.
func (s *service) try(ctx context.Context) (p *process, retry bool, err error) {
	logged := s.log.size()
	if p, err = startProcess(s.command()); err != nil {
		return nil, false, err
	}
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	usable := make(chan error, 1)
	go func() { usable <- s.ready(watching) }()
	select {
	case err = <-usable:
		if err == nil {
			return p, false, nil
		}
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
	case <-p.done:
		cancel()
		<-usable
		err = fmt.Errorf("it ended (%s)", p.cmd.ProcessState)
		retry = ctx.Err() == nil && s.retry != nil && s.retry(s.log.since(logged))
	}
	end(p, s.dropSignal)
	return nil, retry, err
}

// watch reports that p ended, unless it was meant to or another start succeeds. The log of p
// begins at logged.
func (s *service) watch(p *process, logged int64) {
	<-p.done
	s.mu.Lock()
	meant := s.process != p
	if !meant {
		s.process = nil
	}
	s.mu.Unlock()
	if meant {
		return
	}
	err := fmt.Errorf("%s died (%s); everything is taken down\n%s", s.name, p.cmd.ProcessState, s.log.tail())
	if s.revive != nil && s.revive(s.log.since(logged)) {
		ctx, cancel := context.WithTimeout(context.Background(), reviveTimeout)
		defer cancel()
		err = s.start(ctx)
	}
	if err != nil {
		s.deaths <- err
	}
}

// reviveTimeout is how long a server that is started again by watch may take to be usable.
const reviveTimeout = time.Minute

// runs reports whether the server is usable.
func (s *service) runs() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process != nil
}

// kill ends the server as a crash would, and the stack goes on without it.
func (s *service) kill() error {
	if !s.end(syscall.SIGKILL) {
		return fmt.Errorf("%s is not running", s.name)
	}
	return nil
}

// pause suspends the server and its processes: its connections stay open, and nothing answers.
func (s *service) pause() error { return s.signalAll(syscall.SIGSTOP) }

// resume ends a pause.
func (s *service) resume() error { return s.signalAll(syscall.SIGCONT) }

func (s *service) signalAll(signal syscall.Signal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return fmt.Errorf("%s is not running", s.name)
	}
	return signalAll(s.process, signal)
}

// stop ends the server in order.
func (s *service) stop() { s.end(s.stopSignal) }

// abandon ends the server quickly: its state is about to be removed.
func (s *service) abandon() { s.end(s.dropSignal) }

// end does what kill, stop and abandon have in common; false means that the server was not running.
func (s *service) end(signal syscall.Signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return false
	}
	p := s.process
	s.process = nil                   // so that watch does not report its end
	_ = signalAll(p, syscall.SIGCONT) // a paused process could not end
	end(p, signal)
	return true
}

// end signals p and returns when it has ended. After stopTimeout it is killed.
func end(p *process, signal syscall.Signal) {
	_ = p.cmd.Process.Signal(signal) // fails only if it has ended
	select {
	case <-p.done:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}
