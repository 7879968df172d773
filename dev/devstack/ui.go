package main

import (
	"context"
	"net/http"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// uiServer is the Temporal UI, as seen from outside.
type uiServer struct {
	*service
	listen string
	url    string
}

// newUIServer describes the UI; it starts nothing.
func newUIServer(state *state, engine engine, ports ports) (*uiServer, error) {
	log, err := state.log("ui")
	if err != nil {
		return nil, err
	}
	u := &uiServer{listen: address(ports.ui), url: "http://" + address(ports.ui)}
	u.service = &service{
		name: "Temporal UI",
		log:  log,
		command: func() *exec.Cmd {
			return engine.command(engine.ui, log, "-port", strconv.Itoa(ports.ui),
				"-frontend-port", strconv.Itoa(ports.frontend), "-namespace", namespace)
		},
		ready:      u.waitReady,
		stopSignal: syscall.SIGKILL, // it has no state
		dropSignal: syscall.SIGKILL,
	}
	return u, nil
}

// waitReady waits until the UI answers.
func (u *uiServer) waitReady(ctx context.Context) error {
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.url+"/healthz", nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}
