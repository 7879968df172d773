package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	postgresplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/postgresql"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/temporal"
	"go.temporal.io/server/tools/sql"
)

// passwordVariable has the database's password: arguments can be read by everybody on the machine.
const passwordVariable = "DEVSTACK_POSTGRES_PASSWORD"

// options are what the flags say.
type options struct {
	postgres                             int // ports
	frontend, history, matching, worker  int
	user, password, database, visibility string
}

func parse(args []string) options {
	o := options{password: os.Getenv(passwordVariable)}
	flags := flag.NewFlagSet("server", flag.ExitOnError)
	flags.IntVar(&o.postgres, "postgres-port", 0, "`port` of PostgreSQL")
	flags.IntVar(&o.frontend, "frontend-port", 0, "`port` of the frontend")
	flags.IntVar(&o.history, "history-port", 0, "`port` of the history service")
	flags.IntVar(&o.matching, "matching-port", 0, "`port` of the matching service")
	flags.IntVar(&o.worker, "worker-port", 0, "`port` of the worker service")
	flags.StringVar(&o.user, "user", "", "PostgreSQL's `user`; its password is in "+passwordVariable)
	flags.StringVar(&o.database, "database", "", "`database` of what runs")
	flags.StringVar(&o.visibility, "visibility", "", "`database` of what can be searched")
	_ = flags.Parse(args) // ExitOnError: it does not return an error
	return o
}

// serve is the process of the Temporal server: it brings the schema up to date and serves until
// it is signalled to stop.
func serve(args []string) error {
	o := parse(args)
	for database, schema := range map[string]string{
		o.database:   "postgresql/v12/temporal",
		o.visibility: "postgresql/v12/visibility",
	} {
		if err := updateSchema(o, database, schema); err != nil {
			return err
		}
	}
	server, err := temporal.NewServer(
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithConfig(serverConfig(o)),
		temporal.WithDynamicConfigClient(dynamicConfig),
		temporal.WithStaticHosts(map[primitives.ServiceName]static.Hosts{
			primitives.FrontendService: static.SingleLocalHost(address(o.frontend)),
			primitives.HistoryService:  static.SingleLocalHost(address(o.history)),
			primitives.MatchingService: static.SingleLocalHost(address(o.matching)),
			primitives.WorkerService:   static.SingleLocalHost(address(o.worker)),
		}),
		temporal.WithLogger(log.NewZapLogger(log.BuildZapLogger(log.Config{Stdout: true, Level: "warn"}))),
		temporal.InterruptOn(temporal.InterruptCh()),
	)
	if err != nil {
		return err
	}
	return server.Start()
}

// updateSchema runs Temporal's own schema tool, with the schema embedded in it. What is there already is
// left alone.
func updateSchema(o options, database, schema string) error {
	for _, step := range [][]string{
		{"setup-schema", "--version", "0.0"},
		{"update-schema", "--schema-name", schema},
	} {
		args := []string{"temporal-sql-tool",
			"--plugin", postgresplugin.PluginNamePGX,
			"--endpoint", loopback, "--port", fmt.Sprint(o.postgres),
			"--user", o.user, "--password", o.password, "--database", database}
		if err := sql.RunTool(append(args, step...)); err != nil {
			return err
		}
	}
	return nil
}

// dynamicConfig is what production sets too (deploy/temporal), and what suits a server for development.
var dynamicConfig = dynamicconfig.StaticClient{
	// PostgreSQL keeps workflow ids as VARCHAR(255).
	dynamicconfig.MaxIDLengthLimit.Key(): 255,
	// Tasks of one organization do not delay those of the others.
	dynamicconfig.MatchingEnableFairness.Key(): true,
	// A queue has one partition, so that its tasks have one order and one rate limit.
	dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
	dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,
	// The answer to a start has the first workflow task (eager start).
	dynamicconfig.EnableEagerWorkflowStart.Key(): true,
	// A new namespace or search attribute is usable at once.
	dynamicconfig.NamespaceCacheRefreshInterval.Key():           200 * time.Millisecond,
	dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Key(): true,
	// No version is reported to Temporal's makers.
	dynamicconfig.EnableServerVersionCheck.Key(): false,
}

// historyShards is how many parts of the history are written in parallel. Four were measured to be a fifth
// slower under load, with as many connections; a cluster keeps the number that it was made with.
const historyShards = 16

// serverConfig is the static configuration: four services on loopback, state in PostgreSQL, no metrics.
func serverConfig(o options) *config.Config {
	store := func(database string, connections int) config.DataStore {
		return config.DataStore{SQL: &config.SQL{
			PluginName:      postgresplugin.PluginNamePGX,
			ConnectAddr:     address(o.postgres),
			ConnectProtocol: "tcp",
			User:            o.user,
			Password:        o.password,
			DatabaseName:    database,
			MaxConns:        connections,
			MaxIdleConns:    connections,
			MaxConnLifetime: time.Hour,
		}}
	}
	service := func(port int) config.Service {
		return config.Service{RPC: config.RPC{GRPCPort: port, BindOnLocalHost: true}}
	}
	return &config.Config{
		Persistence: config.Persistence{
			NumHistoryShards: historyShards,
			DefaultStore:     o.database,
			VisibilityStore:  o.visibility,
			DataStores: map[string]config.DataStore{
				o.database:   store(o.database, 60),
				o.visibility: store(o.visibility, 20),
			},
		},
		Services: map[string]config.Service{
			string(primitives.FrontendService): service(o.frontend),
			string(primitives.HistoryService):  service(o.history),
			string(primitives.MatchingService): service(o.matching),
			string(primitives.WorkerService):   service(o.worker),
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        "active",
			CurrentClusterName:       "active",
			ClusterInformation: map[string]cluster.ClusterInformation{
				"active": {Enabled: true, InitialFailoverVersion: 1, RPCAddress: address(o.frontend)},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		PublicClient:        config.PublicClient{HostPort: address(o.frontend)},
		Archival: config.Archival{
			History:    config.HistoryArchival{State: "disabled"},
			Visibility: config.VisibilityArchival{State: "disabled"},
		},
		NamespaceDefaults: config.NamespaceDefaults{
			Archival: config.ArchivalNamespaceDefaults{
				History:    config.HistoryArchivalNamespaceDefaults{State: "disabled"},
				Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"},
			},
		},
	}
}
