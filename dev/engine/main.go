// Command engine is the Temporal server, as devstack starts it:
//
//	engine server [flags]
//
// It is a program apart from devstack because it is large: where nothing of it was built before that takes
// minutes, and PostgreSQL and the product need not wait for it. dev/stock-engine.sh takes the same flags and is
// Temporal's own programs with the same configuration.
package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] != "server" {
		fmt.Fprintln(os.Stderr, "usage: engine server [flags]")
		os.Exit(2)
	}
	if err := serve(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
}

const loopback = "127.0.0.1"

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
