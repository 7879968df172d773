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

// passwordVariable hands the database's password to the Temporal process.
const passwordVariable = "DEVSTACK_POSTGRES_PASSWORD"

// serveTemporal is the process of the Temporal server: it brings the schema up to date and serves until
// it is signalled to stop.
func serveTemporal(args []string) error {
	var p ports
	flags := flag.NewFlagSet(temporalCommand, flag.ExitOnError)
	flags.IntVar(&p.postgres, "postgres-port", 0, "")
	flags.IntVar(&p.frontend, "frontend-port", 0, "")
	flags.IntVar(&p.history, "history-port", 0, "")
	flags.IntVar(&p.matching, "matching-port", 0, "")
	flags.IntVar(&p.worker, "worker-port", 0, "")
	_ = flags.Parse(args) // ExitOnError: it does not return an error
	password := os.Getenv(passwordVariable)

	for database, schema := range map[string]string{
		temporalDatabase:   "postgresql/v12/temporal",
		visibilityDatabase: "postgresql/v12/visibility",
	} {
		if err := updateSchema(p.postgres, password, database, schema); err != nil {
			return err
		}
	}
	server, err := temporal.NewServer(
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithConfig(serverConfig(p, password)),
		temporal.WithDynamicConfigClient(dynamicConfig),
		temporal.WithStaticHosts(map[primitives.ServiceName]static.Hosts{
			primitives.FrontendService: static.SingleLocalHost(address(p.frontend)),
			primitives.HistoryService:  static.SingleLocalHost(address(p.history)),
			primitives.MatchingService: static.SingleLocalHost(address(p.matching)),
			primitives.WorkerService:   static.SingleLocalHost(address(p.worker)),
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
func updateSchema(port int, password, database, schema string) error {
	for _, step := range [][]string{
		{"setup-schema", "--version", "0.0"},
		{"update-schema", "--schema-name", schema},
	} {
		args := []string{"temporal-sql-tool",
			"--plugin", postgresplugin.PluginNamePGX,
			"--endpoint", loopback, "--port", fmt.Sprint(port),
			"--user", postgresUser, "--password", password, "--database", database}
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
func serverConfig(p ports, password string) *config.Config {
	store := func(database string, connections int) config.DataStore {
		return config.DataStore{SQL: &config.SQL{
			PluginName:      postgresplugin.PluginNamePGX,
			ConnectAddr:     address(p.postgres),
			ConnectProtocol: "tcp",
			User:            postgresUser,
			Password:        password,
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
			DefaultStore:     temporalDatabase,
			VisibilityStore:  visibilityDatabase,
			DataStores: map[string]config.DataStore{
				temporalDatabase:   store(temporalDatabase, 60),
				visibilityDatabase: store(visibilityDatabase, 20),
			},
		},
		Services: map[string]config.Service{
			string(primitives.FrontendService): service(p.frontend),
			string(primitives.HistoryService):  service(p.history),
			string(primitives.MatchingService): service(p.matching),
			string(primitives.WorkerService):   service(p.worker),
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        "active",
			CurrentClusterName:       "active",
			ClusterInformation: map[string]cluster.ClusterInformation{
				"active": {Enabled: true, InitialFailoverVersion: 1, RPCAddress: address(p.frontend)},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		PublicClient:        config.PublicClient{HostPort: address(p.frontend)},
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
