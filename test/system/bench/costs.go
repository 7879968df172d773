package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// cost is what one note, or one bare workflow, costs.
type cost struct {
	name          string
	count         int     // that were measured
	events, tasks float64 // of the engine's histories
	attempts      float64 // of their activities
	statements    float64 // of SQL, by Emissor's processes; reads and looks for work too
	commits       map[string]float64
	kilobytes     map[string]float64 // of PostgreSQL's log of changes
	grown         map[string]float64 // kilobytes of a database, with its indexes
	kept          map[string]float64 // the same of the engine's, without what is dead in them
	cpu           map[string]time.Duration
	connections   map[string]connections
}

// The names of what others are compared with, and of the notes whose cost has aims (costAims).
const (
	bareWorkflow    = "bare workflow"
	emptyWorkflow   = "empty workflow"
	liveWithWebhook = "live note with a webhook"
)

// costClients are fewer than a machine can bear, so that waiting costs little.
const costClients = 8

// Databases, as the table of costs names them.
const (
	emissorDatabase    = "emissor"
	temporalDatabase   = "temporal"
	visibilityDatabase = "temporal_visibility"
)

// measureCosts measures what one of each costs.
func (b *bench) measureCosts(ctx context.Context) error {
	for _, workflow := range []string{twoActivities, empty} {
		cost, err := b.engineCost(ctx, workflow)
		if err != nil {
			return err
		}
		b.report.addCost(cost)
	}
	for _, kind := range []struct {
		name          string
		live, webhook bool
	}{{name: "sandbox note"}, {name: "sandbox note with a webhook", webhook: true}, {name: "live note", live: true},
		{name: "live note with a webhook", live: true, webhook: true}} {
		cost, err := b.noteCost(ctx, kind.name, kind.live, kind.webhook)
		if err != nil {
			return err
		}
		b.report.addCost(cost)
	}
	return nil
}

// engineCost is the cost of a workflow of a bare engine.
func (b *bench) engineCost(ctx context.Context, workflow string) (cost, error) {
	watch, err := b.watchCosts(ctx, nil)
	if err != nil {
		return cost{}, err
	}
	report, err := b.runEngine(ctx, engineLoad{
		Workflow: workflow, InFlight: costClients, Duration: b.options.window(10 * time.Second),
	})
	if err != nil {
		return cost{}, errors.Join(err, watch.abandon())
	}
	c, err := watch.end(ctx, report.All)
	if err != nil {
		return c, err
	}
	c.name = map[string]string{twoActivities: bareWorkflow, empty: emptyWorkflow}[workflow]
	c.cpu[cpuClient] = report.CPU / time.Duration(report.All)
	return c, c.readHistories(ctx, len(report.Sample), report.Sample...)
}

// noteCost is the cost of a note with all that follows it.
func (b *bench) noteCost(ctx context.Context, name string, live, webhook bool) (c cost, err error) {
	i, counter, err := b.installCounted(ctx, needs{live: live})
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	defer counter.close()
	if err := i.startWorkers(ctx, 1, i.through); err != nil {
		return c, err
	}
	if webhook {
		receiver, err := i.subscribe(ctx, i.organizations[0], live)
		if err != nil {
			return c, err
		}
		defer receiver.Close()
	}
	caller := i.caller(i.organizations[0], live)
	warm := time.Now().Add(b.options.window(3 * time.Second))
	if _, err := i.closedLoop(ctx, costClients, caller, 0, warm); err != nil {
		return c, err
	}
	if err := i.awaitNone(ctx, openDeliveries); err != nil {
		return c, err
	}
	watch, err := b.watchCosts(ctx, i)
	if err != nil {
		return c, err
	}
	statements := counter.statements.Load()
	const others = 1_000_000 // references that the warm-up has not used
	count, err := i.closedLoop(ctx, costClients, caller, others, time.Now().Add(b.options.window(15*time.Second)))
	if err == nil {
		err = i.awaitNone(ctx, openDeliveries)
	}
	if err != nil {
		return c, errors.Join(err, watch.abandon())
	}
	if c, err = watch.end(ctx, count); err != nil {
		return c, err
	}
	c.name, c.statements = name, float64(counter.statements.Load()-statements)/float64(count)
	ids, notes, err := i.sample(ctx)
	if err != nil {
		return c, err
	}
	return c, c.readHistories(ctx, notes, ids...)
}

// installCounted makes an installation whose statements are counted. No worker runs
// yet.
func (b *bench) installCounted(ctx context.Context, needs needs) (*installation, *statementCounter, error) {
	i, err := b.install(ctx, needs)
	if err != nil {
		return nil, nil, err
	}
	counter, err := newStatementCounter(i.database)
	if err == nil {
		through := "EMISSOR_DATABASE_URL=" + counter.url(i.database)
		i.through = through
		err = i.restartAPI(ctx, through)
	}
	if err != nil {
		return nil, nil, errors.Join(err, i.close(context.WithoutCancel(ctx)))
	}
	return i, counter, nil
}

// costWatch measures what is used while it lasts.
type costWatch struct {
	i           *installation // or nil
	cpu         *cpuMeter
	sizes, kept map[string]int64
	written     func() (map[string]written, error)
	connections func() (map[string]connections, error)
}

func (b *bench) watchCosts(ctx context.Context, i *installation) (w costWatch, err error) {
	w.i = i
	if w.kept, err = b.keptSizes(ctx); err != nil {
		return w, err
	}
	if w.written, err = b.watchWAL(ctx); err != nil {
		return w, err
	}
	w.connections = b.watchConnections(ctx)
	w.sizes, err = b.databaseSizes(ctx)
	if err == nil {
		w.cpu, err = b.startCPU(ctx, i)
	}
	if err != nil {
		return w, errors.Join(err, w.abandon())
	}
	return w, nil
}

func (w costWatch) abandon() error {
	_, writtenErr := w.written()
	_, connectionsErr := w.connections()
	return errors.Join(writtenErr, connectionsErr)
}

// end divides what was used by the number of what used it.
func (w costWatch) end(ctx context.Context, count int) (cost, error) {
	c := cost{
		count: count, cpu: map[string]time.Duration{},
		commits: map[string]float64{}, kilobytes: map[string]float64{}, grown: map[string]float64{},
		kept: map[string]float64{}, connections: map[string]connections{},
	}
	used, err := w.cpu.used(ctx)
	sizes, sizesErr := w.cpu.b.databaseSizes(ctx)
	if err := errors.Join(err, sizesErr); err != nil {
		return c, errors.Join(err, w.abandon())
	}
	connections, err := w.connections()
	all, writtenErr := w.written()
	if err := errors.Join(err, writtenErr); err != nil {
		return c, err
	}
	if count == 0 {
		return c, errors.New("nothing ended that could cost something")
	}
	kept, err := w.cpu.b.keptSizes(ctx)
	if err != nil {
		return c, err
	}
	for _, name := range []string{temporalDatabase, visibilityDatabase} {
		c.kept[name] = float64(kept[name]-w.kept[name]) / 1000 / float64(count)
	}
	for owner, all := range used {
		c.cpu[owner] = all / time.Duration(count)
	}
	for name, database := range map[string]string{
		emissorDatabase: w.cpu.database, temporalDatabase: temporalDatabase, visibilityDatabase: visibilityDatabase,
	} {
		c.commits[name] = float64(all[database].Commits) / float64(count)
		c.kilobytes[name] = float64(all[database].Bytes) / 1000 / float64(count)
		c.grown[name] = float64(sizes[database]-w.sizes[database]) / 1000 / float64(count)
		c.connections[name] = connections[database]
	}
	return c, nil
}

// databaseSizes are the bytes of all databases.
func (b *bench) databaseSizes(ctx context.Context) (map[string]int64, error) {
	var all []struct {
		Name string
		Size int64
	}
	sizes := map[string]int64{}
	err := b.database.SQL.SelectContext(ctx, &all, `SELECT datname AS name, pg_database_size(oid) AS size
		FROM pg_database WHERE NOT datistemplate`)
	for _, one := range all {
		sizes[one.Name] = one.Size
	}
	return sizes, err
}

func (c *cost) readHistories(ctx context.Context, notes int, ids ...string) error {
	sum, err := histories(ctx, ids...)
	if err != nil || notes == 0 {
		return fmt.Errorf("read the histories of %d notes: %w", notes, err)
	}
	c.events, c.tasks = float64(sum.events)/float64(notes), float64(sum.tasks)/float64(notes)
	c.attempts = float64(sum.attempts) / float64(notes)
	return nil
}
