// Command engine-ui is the Temporal UI, as devstack starts it. It is a program apart from the engine so that notes need
// not wait until it is compiled.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/temporalio/ui-server/v2/server"
	"github.com/temporalio/ui-server/v2/server/config"
	"github.com/temporalio/ui-server/v2/server/server_options"
)

const loopback = "127.0.0.1"

func main() {
	port := flag.Int("port", 0, "`port` to listen at")
	frontend := flag.Int("frontend-port", 0, "`port` of the Temporal frontend")
	namespace := flag.String("namespace", "default", "the `namespace` to show first")
	flag.Parse()

	err := server.NewServer(server_options.WithConfigProvider(&config.Config{
		TemporalGRPCAddress: fmt.Sprintf("%s:%d", loopback, *frontend),
		Host:                loopback,
		Port:                *port,
		EnableUI:            true,
		DefaultNamespace:    *namespace,
		DisableNewsFetch:    true,
		HideLogs:            true,
		CORS:                config.CORS{CookieInsecure: true}, // plain HTTP on loopback
	})).Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, "engine-ui:", err)
		os.Exit(1)
	}
}
