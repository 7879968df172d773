package main

import (
	"flag"

	"github.com/temporalio/ui-server/v2/server"
	"github.com/temporalio/ui-server/v2/server/config"
	"github.com/temporalio/ui-server/v2/server/server_options"
)

// serveUI is the process of the Temporal UI.
func serveUI(args []string) error {
	flags := flag.NewFlagSet("ui", flag.ExitOnError)
	port := flags.Int("port", 0, "`port` to listen at")
	frontend := flags.Int("frontend-port", 0, "`port` of the Temporal frontend")
	namespace := flags.String("namespace", "default", "the `namespace` to show first")
	_ = flags.Parse(args) // ExitOnError: it does not return an error

	return server.NewServer(server_options.WithConfigProvider(&config.Config{
		TemporalGRPCAddress: address(*frontend),
		Host:                loopback,
		Port:                *port,
		EnableUI:            true,
		DefaultNamespace:    *namespace,
		DisableNewsFetch:    true,
		HideLogs:            true,
		CORS:                config.CORS{CookieInsecure: true}, // plain HTTP on loopback
	})).Start()
}
