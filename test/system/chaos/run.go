package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"emissor/test/harness"
)

// complete fills in what was left open.
func (o options) complete(ctx context.Context) (completed options, cleanUp func(), err error) {
	cleanUp = func() {}
	if o.seed == 0 {
		o.seed = rand.Uint64()
	}
	if o.queue == 0 && o.storm {
		o.queue = o.notes / 10
	}
	if o.arrival == 0 {
		o.arrival = max(meanGap*time.Duration(o.faults), 5*time.Second)
	}
	if o.moment == 0 {
		o.moment = min(o.arrival/4, 30*time.Second)
	}
	kept := o.dir != ""
	if kept {
		if err := os.MkdirAll(o.dir, 0o700); err != nil {
			return o, cleanUp, err
		}
	}
	if o.dir, err = os.MkdirTemp(o.dir, "chaos-"); err != nil {
		return o, cleanUp, err
	}
	if !kept {
		dir := o.dir
		cleanUp = func() { _ = os.RemoveAll(dir) }
	}
	if o.programs.Emissor == "" || o.programs.Simulator == "" || o.programs.SaoPaulo == "" {
		built, err := harness.Build(ctx, o.dir)
		if err != nil {
			return o, cleanUp, err
		}
		if o.programs.Emissor == "" {
			o.programs.Emissor = built.Emissor
		}
		if o.programs.Simulator == "" {
			o.programs.Simulator = built.Simulator
		}
		if o.programs.SaoPaulo == "" {
			o.programs.SaoPaulo = built.SaoPaulo
		}
	}
	return o, cleanUp, nil
}

// run does all of it. An error is that it could not be done; what was found
// broken is in the report.
func run(ctx context.Context, o options) (result report, err error) {
	o, cleanUp, err := o.complete(ctx)
	defer cleanUp()
	if err != nil {
		return result, err
	}
	planned, err := newPlan(o)
	if err != nil {
		return result, err
	}
	o.log("seed %d: %d notes and %d faults over %s", o.seed, o.notes, o.faults, o.arrival)
	s, err := startSystem(ctx, o)
	defer s.close()
	if err != nil {
		return result, err
	}
	result = report{options: o, faults: map[string]int{}, began: time.Now()}
	starts := watchStarts(ctx, s)
	ledger := newLedger()
	c := &callers{system: s, ledger: ledger}

	if err := s.arrive(ctx, planned, c, &result); err != nil {
		return result, err
	}
	untouched, err := s.queueUp(ctx, planned, c, &result)
	if err != nil {
		return result, err
	}
	if err := s.awaitBack(ctx); err != nil {
		return result, err
	}
	result.lastFault = time.Now()
	result.startsBefore = starts.read()
	o.log("the last fault is over; %d notes were accepted in %s", len(ledger.accepted()),
		result.lastFault.Sub(result.began).Round(time.Second))
	if result.samples, err = s.drain(ctx, c.done()); err != nil {
		return result, err
	}
	result.startsAfter = starts.read().minus(result.startsBefore)
	return result, s.verify(ctx, ledger, untouched, &result)
}

// arrive lets notes come and faults happen, until all of both are done.
func (s *system) arrive(ctx context.Context, planned plan, c *callers, result *report) error {
	for _, f := range planned.held {
		if err := s.begin(ctx, f); err != nil {
			return err
		}
		result.faults[f.Kind]++
	}
	var arriving sync.WaitGroup
	arriving.Go(func() { c.issueAll(ctx, planned.notes, s.options.arrival) })
	err := s.injectAll(ctx, planned.faults, result)
	arriving.Wait()
	for _, f := range planned.held {
		if ended := s.end(ctx, f); ended != nil && err == nil {
			err = ended
		}
	}
	return err
}

// queueUp ends all faults. Then it stops the workers, accepts the notes that show
// the order, and kills and starts everything: the last fault. It returns which
// notes nobody had touched.
func (s *system) queueUp(ctx context.Context, planned plan, c *callers, result *report) (map[string]bool, error) {
	if err := s.calm(ctx); err != nil {
		return nil, err
	}
	if len(planned.queue) == 0 && !s.options.storm {
		c.accepting.Wait()
		return nil, nil
	}
	for _, w := range s.workers {
		w.down()
	}
	c.issueAll(ctx, planned.queue, 0)
	c.accepting.Wait()
	untouched, err := s.untouched(ctx)
	if err != nil {
		return nil, err
	}
	if s.options.storm {
		f := fault{Kind: everythingKilled}
		if err := s.begin(ctx, f); err != nil {
			return nil, err
		}
		if err := s.end(ctx, f); err != nil {
			return nil, err
		}
		result.faults[f.Kind]++
	}
	for _, part := range s.parts() {
		part.up()
	}
	return untouched, nil
}

// untouched are the sandbox notes of which nothing has moved: they wait to be
// started, and nobody has tried.
func (s *system) untouched(ctx context.Context) (map[string]bool, error) {
	var ids []string
	if err := s.database.SQL.SelectContext(ctx, &ids, `SELECT n.id FROM outbox o JOIN notes n ON n.id = o.subject_id
		WHERE o.kind = 'note' AND NOT o.livemode AND o.attempts = 0 AND n.status = 'queued'`); err != nil {
		return nil, fmt.Errorf("read what waits: %w", err)
	}
	untouched := map[string]bool{}
	for _, id := range ids {
		untouched[id] = true
	}
	return untouched, nil
}
