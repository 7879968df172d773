package harness

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Process is a program that runs beside this one. It can be killed and started
// again any number of times; it is gone when this program is. Its methods may be
// called by many at once.
type Process struct {
	Name    string
	LogFile string              // what it prints, of every start
	Account *syscall.Credential // that it runs as; nil: this program's own

	program     string
	arguments   []string
	environment []string

	mu      sync.Mutex
	command *exec.Cmd
	ended   chan struct{}
}

// NewProcess describes a program; it starts nothing. Its environment is this
// program's own and what is given.
func NewProcess(name, logDir, program string, arguments, environment []string) *Process {
	return &Process{
		Name: name, LogFile: filepath.Join(logDir, name+".log"),
		program: program, arguments: arguments, environment: environment,
	}
}

// Start starts it, also again after its end.
func (p *Process) Start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.command != nil && !closed(p.ended) {
		return fmt.Errorf("%s is running already", p.Name)
	}
	log, err := os.OpenFile(p.LogFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the process has its own copy
	command := exec.Command(p.program, p.arguments...)
	command.Env = append(os.Environ(), p.environment...)
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Credential: p.Account}
	if p.Account != nil {
		command.Dir = "/" // it may not be able to enter the present one
	}
	if err := startOnLastingThread(command); err != nil {
		return fmt.Errorf("start %s: %w", p.Name, err)
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait() // how it ended is in ProcessState
		close(ended)
	}()
	p.command, p.ended = command, ended
	return nil
}

// Replace has the next start start another program, as an upgrade does.
func (p *Process) Replace(program string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.program = program
}

// Kill is SIGKILL: no time to tidy up. It returns when the process is gone.
func (p *Process) Kill() { p.end(syscall.SIGKILL, 0) }

// Stop is SIGTERM. What has not ended after patience is killed, and an error.
func (p *Process) Stop(patience time.Duration) error { return p.end(syscall.SIGTERM, patience) }

// Interrupt is SIGINT, with the patience of Stop.
func (p *Process) Interrupt(patience time.Duration) error { return p.end(syscall.SIGINT, patience) }

// Pause is SIGSTOP: the process stands still and its connections stay open.
func (p *Process) Pause() error { return p.signal(syscall.SIGSTOP) }

// Resume is SIGCONT.
func (p *Process) Resume() error { return p.signal(syscall.SIGCONT) }

// PID is the present process's, 0 before the first start.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.command == nil {
		return 0
	}
	return p.command.Process.Pid
}

// Ended is closed when the present process has ended.
func (p *Process) Ended() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}

// Running reports whether it was started and has not ended.
func (p *Process) Running() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.command != nil && !closed(p.ended)
}

func (p *Process) signal(signal syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.command == nil {
		return fmt.Errorf("%s was never started", p.Name)
	}
	return p.command.Process.Signal(signal)
}

func (p *Process) end(signal syscall.Signal, patience time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.command == nil {
		return nil
	}
	_ = p.command.Process.Signal(signal) // fails only if it has ended
	if signal != syscall.SIGKILL {
		select {
		case <-p.ended:
			return nil
		case <-time.After(patience):
		}
		_ = p.command.Process.Kill()
	}
	<-p.ended
	if signal != syscall.SIGKILL {
		return fmt.Errorf("%s did not stop within %s and was killed", p.Name, patience)
	}
	return nil
}

// LogTail is the end of what the process printed.
func (p *Process) LogTail() string {
	text, err := os.ReadFile(p.LogFile)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}

var errEnded = errors.New("it ended")

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

var (
	startRequests = make(chan func())
	startThread   sync.Once
)

// startOnLastingThread starts a command from a thread that lives as long as this
// program: the kernel sends a child its Pdeathsig when the thread that forked it
// ends, and Go ends threads as it likes.
func startOnLastingThread(command *exec.Cmd) error {
	startThread.Do(func() {
		go func() {
			runtime.LockOSThread()
			for start := range startRequests {
				start()
			}
		}()
	})
	result := make(chan error)
	startRequests <- func() { result <- command.Start() }
	return <-result
}
