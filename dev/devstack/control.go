package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// controlServer lets who knows its address, as the command does, kill, start and pause servers, and ask for the engine.
type controlServer struct {
	url  string
	http *http.Server
}

// serveControl starts to listen. The address has a secret: any user of the machine can connect to loopback.
func serveControl(s *stack) (*controlServer, error) {
	listener, err := net.Listen("tcp", address(freePort(map[int]bool{})))
	if err != nil {
		return nil, err
	}
	secret := "/" + rand.Text()
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+secret+"/{action}/{server}", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), startTimeout)
		defer cancel()
		if err := s.act(ctx, r.PathValue("action"), r.PathValue("server")); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	mux.HandleFunc("GET "+secret+"/temporal", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, s.standing())
	})
	c := &controlServer{
		url:  "http://" + listener.Addr().String() + secret,
		http: &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second},
	}
	go func() { _ = c.http.Serve(listener) }() // ends with close
	return c, nil
}

func (c *controlServer) close() { _ = c.http.Close() }

// act does to a server what the command asks for.
func (s *stack) act(ctx context.Context, action, server string) error {
	services := map[string]*service{"postgres": s.postgres.service, "temporal": s.temporal.service}
	service := services[server]
	if service == nil {
		return fmt.Errorf("there is no server %q to control", server)
	}
	switch action {
	case "kill":
		return service.kill()
	case "start":
		return service.start(ctx)
	case "restart":
		if err := service.kill(); err != nil {
			return err
		}
		return service.start(ctx)
	case "pause":
		return service.pause()
	case "resume":
		return service.resume()
	}
	return fmt.Errorf("there is no action %q", action)
}

// control is the subcommand that sends an action to the running stack; it returns when that is done.
func control(args []string) error {
	if len(args) != 2 {
		return usageError("usage: devstack control kill|start|restart|pause|resume postgres|temporal")
	}
	base := os.Getenv("DEVSTACK_CONTROL")
	if base == "" {
		return usageError("DEVSTACK_CONTROL is not set: run this from the command of a devstack")
	}
	response, err := http.Post(base+"/"+args[0]+"/"+args[1], "", nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	message, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s", message)
	}
	return nil
}
