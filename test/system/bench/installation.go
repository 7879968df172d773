package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"emissor/test/harness"
	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
)

// stopPatience is what a process gets to stop.
const stopPatience = 45 * time.Second

// installation is an Emissor with a database and task queues of its own: each
// measurement has a fresh one.
type installation struct {
	*harness.Emissor
	queues        string
	database      *harness.Database
	databaseName  string
	through       string             // the setting of a database's URL by way of a counter; empty where none counts
	simulator     *harness.Simulator // nil unless it issues live notes
	city          *harness.SaoPaulo  // nil unless it issues them in São Paulo
	api           *harness.Part
	workers       []*harness.Part
	organizations []harness.Organization
}

// needs are what a measurement wants of an installation.
type needs struct {
	organizations int  // 0 is one
	live          bool // with the simulator of the authority
	city          bool // with the one of the city of São Paulo, in its place
	latency       time.Duration
}

// install makes an installation whose API answers. No worker runs yet.
func (b *bench) install(ctx context.Context, needs needs) (i *installation, err error) {
	dir, err := os.MkdirTemp(b.dir, "installation-")
	if err != nil {
		return nil, err
	}
	i = &installation{queues: "bench-" + uuid.NewString()}
	defer func() {
		if err != nil {
			err = errors.Join(err, i.close(context.WithoutCancel(ctx)))
		}
	}()
	if i.database, err = b.stack.NewDatabase(ctx); err != nil {
		return i, err
	}
	if err := i.database.SQL.GetContext(ctx, &i.databaseName, `SELECT current_database()`); err != nil {
		return i, err
	}
	i.Emissor = &harness.Emissor{Program: b.programs.Emissor, LogDir: dir, Environment: []string{
		"EMISSOR_DATABASE_URL=" + i.database.URL, "EMISSOR_TASK_QUEUE=" + i.queues, "EMISSOR_RATE_LIMIT=0",
		"EMISSOR_ORGANIZATION_LIMITS=requests=0,deliveries=0,emails=0",
		"EMISSOR_WEBHOOK_ALLOW_LOOPBACK=true", "EMISSOR_NATIONAL_RATE=1000", "EMISSOR_SAO_PAULO_RATE=1000",
		"EMISSOR_LOG_LEVEL=warn",
	}}
	if needs.live {
		if err := i.startSimulator(ctx, b, dir, needs.latency); err != nil {
			return i, err
		}
	}
	if needs.city {
		if err := i.startCity(ctx, b, dir, needs.latency); err != nil {
			return i, err
		}
	}
	if err := errors.Join(i.Prepare(ctx), i.NewKeyset(ctx)); err != nil {
		return i, err
	}
	if err := i.restartAPI(ctx); err != nil {
		return i, err
	}
	return i, i.provision(ctx, max(1, needs.organizations))
}

// restartAPI starts the API, or another one with other settings in its place.
func (i *installation) restartAPI(ctx context.Context, environment ...string) (err error) {
	if i.api != nil {
		if err := i.api.Stop(stopPatience); err != nil {
			return err
		}
	}
	if i.api, err = i.NewAPI("api", environment...); err != nil {
		return err
	}
	return i.api.StartReady(ctx)
}

func (i *installation) startSimulator(ctx context.Context, b *bench, dir string, latency time.Duration) (err error) {
	if i.simulator, err = harness.StartSimulator(ctx, b.programs.Simulator, dir, harness.Simulation{}); err != nil {
		return err
	}
	i.Environment = append(i.Environment, i.simulator.Environment()...)
	return i.simulator.SetFaults(ctx, sefin.FaultProfile{
		Faults: []sefin.Fault{{Kind: sefin.Latency, Delay: sefin.Duration(latency)}},
	})
}

func (i *installation) startCity(ctx context.Context, b *bench, dir string, latency time.Duration) (err error) {
	if i.city, err = harness.StartSaoPaulo(ctx, b.programs.SaoPaulo, dir, harness.Simulation{}); err != nil {
		return err
	}
	i.Environment = append(i.Environment, i.city.Environment()...)
	return i.city.SetFaults(ctx, saopaulo.FaultProfile{
		Faults: []saopaulo.Fault{{Kind: saopaulo.Latency, Delay: saopaulo.Duration(latency)}},
	})
}

func (i *installation) provision(ctx context.Context, organizations int) error {
	for n := range organizations {
		organization, err := i.NewOrganization(ctx, fmt.Sprint("Organization ", n+1))
		if err != nil {
			return err
		}
		if err := organization.NewServices(ctx, i.api.URL); err != nil {
			return err
		}
		if i.simulator != nil {
			if err := i.Equip(ctx, i.simulator, organization, cnpj(n+1)); err != nil {
				return err
			}
		}
		if i.city != nil {
			if err := i.EquipInSaoPaulo(ctx, i.city, i.api.URL, &organization, cnpj(n+1),
				fmt.Sprint(31_000_000+n)); err != nil {
				return err
			}
		}
		i.organizations = append(i.organizations, organization)
	}
	return nil
}

// startWorkers starts so many workers at once and waits until all are ready.
func (i *installation) startWorkers(ctx context.Context, count int, environment ...string) error {
	var started []*harness.Part
	for range count {
		worker, err := i.NewWorker(fmt.Sprint("worker-", len(i.workers)+1), environment...)
		if err != nil {
			return err
		}
		i.workers = append(i.workers, worker)
		started = append(started, worker)
		if err := worker.Start(); err != nil {
			return err
		}
	}
	for _, worker := range started {
		if err := worker.AwaitReady(ctx); err != nil {
			return err
		}
	}
	return nil
}

// failedStarts is the share of starts of workflows that failed.
func (i *installation) failedStarts(ctx context.Context) (share float64, err error) {
	var all, failed float64
	for _, worker := range i.workers {
		metrics, err := worker.Metrics(ctx)
		if err != nil {
			return 0, err
		}
		all += metrics.Sum("emissor_dispatch_starts_total")
		failed += metrics.Sum("emissor_dispatch_starts_total", `outcome="failed"`)
	}
	return failed / max(1, all), nil
}

// close stops everything and drops the database.
func (i *installation) close(ctx context.Context) (err error) {
	for _, worker := range i.workers {
		err = errors.Join(err, worker.Stop(stopPatience))
	}
	if i.api != nil {
		err = errors.Join(err, i.api.Stop(stopPatience))
	}
	if i.simulator != nil {
		i.simulator.Kill()
	}
	if i.city != nil {
		i.city.Kill()
	}
	if i.database != nil {
		err = errors.Join(err, i.database.Drop(ctx))
	}
	if i.Emissor != nil && err == nil {
		err = os.RemoveAll(filepath.Clean(i.LogDir))
	}
	return err
}
