package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// distance is what a packet and its answer take between Emissor's machine and that of PostgreSQL and the engine.
const distance = 5 * time.Millisecond

// link is what lies between Emissor's machine and another.
type link struct{ proxies []*toxiproxy.Proxy }

func (l *link) to(name, server string) (address string, err error) {
	proxy := toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), name,
		"127.0.0.1:0", server)
	if err := proxy.Start(); err != nil {
		return "", err
	}
	l.proxies = append(l.proxies, proxy)
	_, err = proxy.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(
		`{"type": "latency", "stream": "downstream", "attributes": {"latency": %d}}`, distance.Milliseconds())))
	return proxy.Listen, err
}

func (l *link) cut() {
	for _, proxy := range l.proxies {
		proxy.Stop()
	}
}

func (l *link) connect() (err error) {
	for _, proxy := range l.proxies {
		err = errors.Join(err, proxy.Start())
	}
	return err
}

// measureApart has two APIs and two workers far from PostgreSQL and the engine: what a live note takes there, and how
// soon all has ended after a minute in which nothing passed.
func (b *bench) measureApart(ctx context.Context) (err error) {
	i, err := b.install(ctx, needs{live: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	between := &link{}
	defer between.cut()
	database, err := between.to("database", i.database.Address())
	if err != nil {
		return err
	}
	engine, err := between.to("engine", b.stack.TemporalAddress)
	if err != nil {
		return err
	}
	environment := []string{"EMISSOR_DATABASE_URL=" + i.database.URLThrough(database), "TEMPORAL_ADDRESS=" + engine}
	if err := i.restartAPI(ctx, environment...); err != nil {
		return err
	}
	second, err := i.NewAPI("api-2", environment...)
	if err != nil {
		return err
	}
	i.workers = append(i.workers, second) // which are stopped at the end
	if err := errors.Join(second.StartReady(ctx), i.startWorkers(ctx, 2, environment...)); err != nil {
		return err
	}
	callers := live(i)
	callers = append(callers, callers[0])
	callers[1].api.Base = second.URL
	if err := b.measureFar(ctx, i, callers); err != nil {
		return err
	}
	return b.measureCut(ctx, i, callers, between)
}

func (b *bench) measureFar(ctx context.Context, i *installation, callers []caller) error {
	ends := newEnds(i.database)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go ends.watch(watching)
	one := &probe{do: func(ctx context.Context, n int) (time.Duration, error) {
		return callers[n%2].issueTimed(ctx, ends, n)
	}}
	if err := one.repeat(ctx, time.Now().Add(b.options.window(30*time.Second))); err != nil {
		return err
	}
	b.report.add(result{name: fmt.Sprintf("from request to end: a live note, two APIs and two workers %s from the servers",
		milliseconds(distance)), time: one.took.at(50), detail: "p99 " + milliseconds(one.took.at(99))})
	window, first := b.options.window(20*time.Second), one.took.count()
	ended, err := i.closedLoop(ctx, closedClients, callers[0], first, time.Now().Add(window))
	if err != nil {
		return err
	}
	b.report.add(result{name: fmt.Sprintf("steady: live notes of %d clients that wait for each, as far", closedClients),
		rate: float64(ended) / window.Seconds()})
	return nil
}

// measureCut has notes accepted, lets nothing pass for a minute while they are on their way, and waits for their end.
func (b *bench) measureCut(ctx context.Context, i *installation, callers []caller, between *link) error {
	const first = 1_000_000 // above the references that were used
	if err := accept(ctx, first, b.options.live, callers...); err != nil {
		return err
	}
	between.cut()
	var open int
	if err := i.database.SQL.GetContext(ctx, &open, openNotes); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(b.options.window(time.Minute)):
	}
	if err := between.connect(); err != nil {
		return err
	}
	began := time.Now()
	if err := i.awaitNone(ctx, openNotes); err != nil {
		return err
	}
	took := time.Since(began)
	var notes int
	if err := i.database.SQL.GetContext(ctx, &notes, `SELECT count(*) FROM notes WHERE status = 'issued'`); err != nil {
		return err
	}
	issued, _, err := i.simulator.Ledger(ctx)
	if err == nil && len(issued) != notes {
		err = fmt.Errorf("%d notes are issued, and the authority has %d documents", notes, len(issued))
	}
	if err != nil {
		return err
	}
	b.report.add(result{name: fmt.Sprintf("a minute without the network while %d notes are on their way: until all have "+
		"ended", open), time: took, detail: fmt.Sprintf("%d notes, as many documents at the authority", notes)})
	return nil
}
