package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

const loopback = "127.0.0.1"

// ports are the loopback ports of one stack.
type ports struct {
	postgres, frontend, history, matching, worker, ui int
}

// choosePorts takes the ports asked for, which must be free, and finds free ones for the rest.
func choosePorts(opts options) (ports, error) {
	var p ports
	taken := map[int]bool{}
	for _, asked := range []struct {
		port           *int
		number         int
		flag, variable string
	}{
		{&p.postgres, opts.postgresPort, "postgres-port", "POSTGRES_PORT"},
		{&p.frontend, opts.temporalPort, "temporal-port", "TEMPORAL_PORT"},
		{&p.ui, opts.uiPort, "ui-port", "UI_PORT"},
	} {
		if asked.number != 0 && (taken[asked.number] || !isFree(asked.number)) {
			return p, fmt.Errorf("port %d is taken: choose another with -%s (with make: %s=...)",
				asked.number, asked.flag, asked.variable)
		}
		*asked.port = asked.number
		taken[asked.number] = true
	}
	for _, port := range []*int{&p.postgres, &p.frontend, &p.history, &p.matching, &p.worker, &p.ui} {
		if *port == 0 {
			*port = freePort(taken)
		}
	}
	return p, nil
}

// freePort finds a free port below 32768, where Linux begins to hand out ports for outgoing connections:
// one of those could take the port before its server does, or while its server is being restarted.
func freePort(taken map[int]bool) int {
	for {
		port := 10000 + rand.IntN(32768-10000)
		if !taken[port] && isFree(port) {
			taken[port] = true
			return port
		}
	}
}

func isFree(port int) bool {
	listener, err := net.Listen("tcp", address(port))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

func address(port int) string {
	return net.JoinHostPort(loopback, strconv.Itoa(port))
}
