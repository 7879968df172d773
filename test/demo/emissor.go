package main

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
)

// emissor is the program being shown: its commands, and the one process that serves.
type emissor struct {
	program     string
	listen      string
	dashboard   string // its listener
	adminListen string
	logPath     string
	keysetPath  string
	rootsPath   string      // of the roots that certificates must lead to, the authorities' own too
	authorities environment // the settings of live notes

	process *process
}

// url is where the API is.
func (e *emissor) url() string { return "http://" + e.listen }

// dashboardURL is where people reach the dashboard: passkeys take no IP address.
func (e *emissor) dashboardURL() string {
	_, port, _ := net.SplitHostPort(e.dashboard)
	return "http://localhost:" + port
}

// migrate brings the database and Temporal's search attributes up to date.
func (e *emissor) migrate(ctx context.Context) error {
	_, err := e.command(ctx, "migrate")
	return err
}

// migrateDatabase does so where the engine is not there yet.
func (e *emissor) migrateDatabase(ctx context.Context) error {
	_, err := e.command(ctx, "migrate", "--database-only")
	return err
}

// organization finds the organization with this name, or creates it, and returns its id.
func (e *emissor) organization(ctx context.Context, name string) (string, error) {
	type organization struct{ ID, Name string }
	var all []organization
	if err := e.ask(ctx, &all, "organization", "list"); err != nil {
		return "", err
	}
	for _, o := range all {
		if o.Name == name {
			return o.ID, nil
		}
	}
	var created organization
	err := e.ask(ctx, &created, "organization", "create", "--name", name)
	return created.ID, err
}

// createKey creates an API key and returns it.
func (e *emissor) createKey(ctx context.Context, organization, environment string) (string, error) {
	var created struct{ Key string }
	err := e.ask(ctx, &created, "key", "create", "--organization", organization, "--environment", environment,
		"--label", "make run")
	return created.Key, err
}

// ask runs a command that answers in JSON.
func (e *emissor) ask(ctx context.Context, answer any, args ...string) error {
	out, err := e.command(ctx, append(args, "--json")...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(out, answer); err != nil {
		return fmt.Errorf("emissor %s answered %q: %w", strings.Join(args, " "), out, err)
	}
	return nil
}

// command runs a command to its end and returns what it printed.
func (e *emissor) command(ctx context.Context, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, e.program, args...)
	cmd.Env = e.environment()
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("emissor %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.Bytes(), nil
}

// serve starts the API, the worker and the dashboard, and waits until they are healthy.
func (e *emissor) serve(ctx context.Context) (err error) {
	cmd := exec.Command(e.program, "serve")
	cmd.Env = e.environment()
	e.process, err = startProcess(ctx, "emissor serve", e.logPath, cmd, func(ctx context.Context) bool {
		healthy := func(base, path string) bool {
			status, err := (&client{base: base}).call(ctx, http.MethodGet, path, nil, nil)
			return err == nil && status == http.StatusOK
		}
		return healthy(e.url(), "/v1/health") && healthy(e.dashboardURL(), "/health")
	})
	return err
}

// environment configures the served process and the commands alike. Webhooks may go to this machine only
// if one was asked for.
func (e *emissor) environment() []string {
	env := append(os.Environ(),
		"EMISSOR_LISTEN="+e.listen, "EMISSOR_DASHBOARD_LISTEN="+e.dashboard, dashboardName+"="+e.dashboardURL(),
		"EMISSOR_ADMIN_LISTEN="+e.adminListen, keysetName+"="+e.keysetPath,
		rootsName+"="+e.rootsPath, authorityCAName+"="+e.rootsPath)
	for name, value := range e.authorities {
		env = append(env, name+"="+value)
	}
	if os.Getenv(webhookVariable) != "" {
		env = append(env, "EMISSOR_WEBHOOK_ALLOW_LOOPBACK=true")
	}
	return env
}
