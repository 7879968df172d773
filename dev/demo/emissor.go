package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	startTimeout = time.Minute
	// devstack gives its command 30 seconds to end; this ends before.
	stopTimeout = 25 * time.Second
)

// errKilled is worth telling even to somebody who only wanted everything to end.
var errKilled = fmt.Errorf("emissor serve did not stop within %s and was killed", stopTimeout)

// emissor is the program being shown: its commands, and the one process that serves.
type emissor struct {
	program     string
	listen      string
	adminListen string
	logPath     string
	keysetPath  string

	serving *exec.Cmd
	ended   chan struct{}
}

// url is where the API is.
func (e *emissor) url() string { return "http://" + e.listen }

// migrate brings the database and Temporal's search attributes up to date.
func (e *emissor) migrate(ctx context.Context) error {
	_, err := e.command(ctx, "migrate")
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
	err := e.ask(ctx, &created, "key", "create", "--organization", organization, "--environment", environment, "--label", "make run")
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

// serve starts the API and the worker and waits until they are healthy. They run in a process group of
// their own, so that a Ctrl-C reaches them through stop and not past it.
func (e *emissor) serve(ctx context.Context) error {
	log, err := os.Create(e.logPath)
	if err != nil {
		return err
	}
	defer log.Close() // the child has its own copy
	cmd := exec.Command(e.program, "serve")
	cmd.Env = e.environment()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return err
	}
	e.serving, e.ended = cmd, make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is in cmd.ProcessState
		close(e.ended)
	}()
	if err := e.healthy(ctx); err != nil {
		return errors.Join(err, e.stop())
	}
	return nil
}

// environment configures the served process and the commands alike. Webhooks may go to this machine only
// if one was asked for.
func (e *emissor) environment() []string {
	env := append(os.Environ(),
		"EMISSOR_LISTEN="+e.listen, "EMISSOR_ADMIN_LISTEN="+e.adminListen, keysetName+"="+e.keysetPath)
	if os.Getenv(webhookVariable) != "" {
		env = append(env, "EMISSOR_WEBHOOK_ALLOW_LOOPBACK=true")
	}
	return env
}

// healthy waits until the API answers.
func (e *emissor) healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("emissor serve is not healthy after %s: see %s", startTimeout, e.logPath))
	defer cancel()
	for {
		status, err := (&client{base: e.url()}).call(ctx, http.MethodGet, "/v1/health", nil, nil)
		if err == nil && status == http.StatusOK {
			return nil
		}
		select {
		case <-e.ended:
			return e.died()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// wait returns when ctx ends, or with an error when the served process does.
func (e *emissor) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-e.ended:
		return e.died()
	}
}

func (e *emissor) died() error {
	log, err := os.ReadFile(e.logPath)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	return fmt.Errorf("emissor serve ended (%s); the end of %s:\n%s",
		e.serving.ProcessState, e.logPath, strings.Join(lines[max(0, len(lines)-15):], "\n"))
}

// stop ends the served process in order.
func (e *emissor) stop() error {
	_ = e.serving.Process.Signal(syscall.SIGTERM) // fails only if it has ended
	select {
	case <-e.ended:
		return nil
	case <-time.After(stopTimeout):
		_ = e.serving.Process.Kill()
		<-e.ended
		return errKilled
	}
}
