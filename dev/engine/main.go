// Command engine is the Temporal server and its UI, each in a process of its own, as devstack starts them:
//
//	engine server [flags]
//	engine ui [flags]
//
// It is a program apart from devstack because it is large: where nothing of it was built before that takes
// minutes, and PostgreSQL and the product need not wait for it.
package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
)

func main() {
	parts := map[string]func([]string) error{"server": serve, "ui": serveUI}
	var part func([]string) error
	if len(os.Args) > 1 {
		part = parts[os.Args[1]]
	}
	if part == nil {
		fmt.Fprintln(os.Stderr, "usage: engine server|ui [flags]")
		os.Exit(2)
	}
	if err := part(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
}

const loopback = "127.0.0.1"

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
