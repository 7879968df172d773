package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Emissor is one installation: what its commands and all its processes share.
type Emissor struct {
	Program     string
	Environment []string // over this program's own
	LogDir      string
}

// Command runs a command of the program to its end and returns what it printed.
func (e *Emissor) Command(ctx context.Context, arguments ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, e.Program, arguments...)
	command.Env = append(os.Environ(), e.Environment...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("emissor %s: %w\n%s", strings.Join(arguments, " "), err, stderr.String())
	}
	return stdout.Bytes(), nil
}

// Ask runs a command that answers in JSON.
func (e *Emissor) Ask(ctx context.Context, answer any, arguments ...string) error {
	output, err := e.Command(ctx, append(arguments, "--json")...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(output, answer); err != nil {
		return fmt.Errorf("emissor %s printed %q: %w", strings.Join(arguments, " "), output, err)
	}
	return nil
}

// Part is a process of the installation, an api or a worker, with addresses that
// stay the same when it is started again.
type Part struct {
	*Process
	URL      string // of the API; empty for a worker
	AdminURL string // metrics, readiness and profiles
}

// NewAPI describes an API process; it starts nothing. The environment given
// overrides the installation's.
func (e *Emissor) NewAPI(name string, environment ...string) (*Part, error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	part, err := e.newPart(name, "api", append(environment, "EMISSOR_LISTEN="+address))
	if err != nil {
		return nil, err
	}
	part.URL = "http://" + address
	return part, nil
}

// NewWorker describes a worker process; it starts nothing.
func (e *Emissor) NewWorker(name string, environment ...string) (*Part, error) {
	return e.newPart(name, "worker", environment)
}

func (e *Emissor) newPart(name, command string, environment []string) (*Part, error) {
	admin, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	all := append(append([]string{}, e.Environment...), "EMISSOR_ADMIN_LISTEN="+admin)
	return &Part{
		Process:  NewProcess(name, e.LogDir, e.Program, []string{command}, append(all, environment...)),
		AdminURL: "http://" + admin,
	}, nil
}

// readyTimeout is how long a process may take to come up.
const readyTimeout = time.Minute

// StartReady starts the process and waits until it is ready.
func (p *Part) StartReady(ctx context.Context) error {
	if err := p.Start(); err != nil {
		return err
	}
	return p.AwaitReady(ctx)
}

// AwaitReady waits until the process says that it is ready.
func (p *Part) AwaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	ended := p.Ended()
	err := Await(ctx, p.Name+" is ready", func(ctx context.Context) bool { return closed(ended) || p.Ready(ctx) })
	if err == nil && closed(ended) {
		err = fmt.Errorf("waiting until %s is ready: %w", p.Name, errEnded)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, p.LogTail())
	}
	return nil
}

// Ready asks the process whether it is ready, for a second.
func (p *Part) Ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	answer, err := (&Client{Base: p.AdminURL}).Call(ctx, http.MethodGet, "/readyz", nil)
	return err == nil && answer.Status == http.StatusOK
}

// NewDashboard describes a process of the dashboard; it starts nothing. Commands that
// make links need its address: it is added to the installation's environment.
func (e *Emissor) NewDashboard(name string) (*Part, error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	e.Environment = append(e.Environment, "EMISSOR_DASHBOARD_URL=http://localhost:"+port)
	part, err := e.newPart(name, "dashboard", []string{"EMISSOR_DASHBOARD_LISTEN=" + address,
		"EMISSOR_DASHBOARD_TRIES=0"})
	if err != nil {
		return nil, err
	}
	part.URL = "http://localhost:" + port
	return part, nil
}
