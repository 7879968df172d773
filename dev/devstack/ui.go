package main

import (
	"context"
	"flag"
	"net/http"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/temporalio/ui-server/v2/server"
	"github.com/temporalio/ui-server/v2/server/config"
	"github.com/temporalio/ui-server/v2/server/server_options"
)

// uiServer is the Temporal UI, as seen from outside.
type uiServer struct {
	*service
	url string
}

// newUIServer describes the UI; it starts nothing.
func newUIServer(state *state, ports ports) (*uiServer, error) {
	log, err := state.log("ui")
	if err != nil {
		return nil, err
	}
	u := &uiServer{url: "http://" + address(ports.ui)}
	u.service = &service{
		name: "Temporal UI",
		log:  log,
		command: func() *exec.Cmd {
			return self(uiCommand, log, "-port", strconv.Itoa(ports.ui), "-temporal", address(ports.frontend))
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

// serveUI is the process of the Temporal UI.
func serveUI(args []string) error {
	flags := flag.NewFlagSet(uiCommand, flag.ExitOnError)
	port := flags.Int("port", 0, "")
	temporalAddress := flags.String("temporal", "", "")
	_ = flags.Parse(args) // ExitOnError: it does not return an error

	return server.NewServer(server_options.WithConfigProvider(&config.Config{
		TemporalGRPCAddress: *temporalAddress,
		Host:                loopback,
		Port:                *port,
		EnableUI:            true,
		DefaultNamespace:    namespace,
		DisableNewsFetch:    true,
		HideLogs:            true,
		CORS:                config.CORS{CookieInsecure: true}, // plain HTTP on loopback
	})).Start()
}
