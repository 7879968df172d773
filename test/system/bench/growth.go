package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"emissor/test/harness"
)

// mostGrowth is how many times as long as with few notes something may take with very many.
const mostGrowth = 1.2

// pastMonths is how many months before this one get parts: they cover the years that are filled.
const pastMonths = 49

// growth is what the row "growth" has found: with few notes, and with very many.
type growth struct {
	few, many int // notes
	of        int // the notes to which the sizes are extrapolated
	figures   []growthFigure
	sizes     map[string]stored // of many
	churned   int               // notes of the day of churn
	vacuum    [2]time.Duration  // of the whole database after it
	grown     [2]stored         // by the churn
}

// growthFigure is one median, with few notes and with many.
type growthFigure struct {
	name   string
	median [2]time.Duration
	most   time.Duration // of the second, regardless of the first; 0: it is compared with the first
}

func (f growthFigure) ratio() float64 {
	return f.median[1].Seconds() / max(f.median[0], time.Microsecond).Seconds()
}

func (f growthFigure) kept() bool {
	if f.most > 0 {
		return f.median[1] <= f.most
	}
	return f.ratio() <= mostGrowth
}

// measureGrowth measures the same with ten thousand notes and with very many, of which every table has its
// rows: what callers and people ask, a backlog, and what a day leaves. There are two installations, which are
// asked in turn: what else the machine does slows both.
func (b *bench) measureGrowth(ctx context.Context) (err error) {
	g := growth{few: min(smallTable, b.options.fill/10), many: b.options.fill, of: b.options.notes}
	var visitors [2]*visitor
	defer func() {
		for _, v := range visitors {
			if v != nil {
				err = errors.Join(err, v.i.close(context.WithoutCancel(ctx)))
			}
		}
	}()
	var perNote int64
	for phase, notes := range []int{g.few, g.many} {
		i, err := b.install(ctx, needs{live: true})
		if err != nil {
			return err
		}
		visitors[phase] = &visitor{i: i}
		if phase == 1 { // the other one is young
			err := errors.Join(i.checkRoom(ctx, perNote, notes), i.alone(ctx, harness.PastParts(pastMonths)))
			if err != nil {
				return err
			}
		}
		if err := visitors[phase].fill(ctx, notes); err != nil {
			return err
		}
		if g.sizes, err = i.tables(ctx); err != nil {
			return err
		}
		perNote = sum(g.sizes).all() / int64(notes)
	}
	for _, v := range visitors {
		if err := v.begin(ctx); err != nil {
			return err
		}
	}
	if err := b.growthReads(ctx, visitors, &g); err != nil {
		return err
	}
	if err := b.growthDay(ctx, visitors, &g); err != nil {
		return err
	}
	b.report.growth = append(b.report.growth, g)
	return nil
}

// growthReads asks both installations the same, in turn.
func (b *bench) growthReads(ctx context.Context, visitors [2]*visitor, g *growth) error {
	var calls [2][]growthCall
	for phase, v := range visitors {
		var err error
		if calls[phase], err = v.calls(ctx); err != nil {
			return err
		}
	}
	for n, call := range calls[0] {
		took, err := inTurn(ctx, b.options.growthCalls(call.often), call.do, calls[1][n].do)
		if err != nil {
			return fmt.Errorf("%s: %w", call.name, err)
		}
		g.add(call.name, call.most, took)
	}
	return nil
}

// inTurn does something so often in each of two installations.
func inTurn(ctx context.Context, often int, few, many func(context.Context) error) (took [2]*durations, err error) {
	took = [2]*durations{{}, {}}
	for range often {
		for phase, do := range []func(context.Context) error{few, many} {
			began := time.Now()
			if err := do(ctx); err != nil {
				return took, err
			}
			took[phase].add(time.Since(began))
		}
	}
	return took, nil
}

// add adds a figure, and shows it.
func (g *growth) add(name string, most time.Duration, took [2]*durations) {
	f := growthFigure{name: name, most: most,
		median: [2]time.Duration{took[0].at(50), took[1].at(50)}}
	g.figures = append(g.figures, f)
	fmt.Fprintf(os.Stderr, "  %s: %s, %s (%.2f)\n", name, milliseconds(f.median[0]), milliseconds(f.median[1]), f.ratio())
}

// growthCalls is how often something is done.
func (o options) growthCalls(often int) int {
	if o.quick {
		return max(3, often/20)
	}
	return often
}

// leastChurn is how many notes a day has at least, so that its backlog can be timed.
const leastChurn = 400

// growthDay has a day's notes accepted while no worker runs, drains them, and cleans up: as many as the
// larger installation has each day of its years.
func (b *bench) growthDay(ctx context.Context, visitors [2]*visitor, g *growth) error {
	g.churned = b.options.growthCalls(max(leastChurn, g.many/(growthYears*365)))
	var before [2]map[string]stored
	for phase, v := range visitors {
		var err error
		if before[phase], err = v.i.tables(ctx); err != nil {
			return err
		}
	}
	took, err := inTurn(ctx, g.churned, visitors[0].accept, visitors[1].accept)
	if err != nil {
		return err
	}
	g.add("accept a live note", 0, took)
	took, err = inTurn(ctx, b.options.growthCalls(40), visitors[0].i.readMetrics, visitors[1].i.readMetrics)
	if err != nil {
		return err
	}
	g.add("/metrics, with the backlog", metricsMost, took)
	took = [2]*durations{{}, {}}
	for phase, v := range visitors {
		drained, err := v.i.drainGrowth(ctx)
		if err != nil {
			return err
		}
		took[phase].add(drained / time.Duration(g.churned))
	}
	g.add("a backlog is drained: time for each note", 0, took)
	for phase, v := range visitors {
		began := time.Now()
		after, err := v.i.tables(ctx) // which vacuums
		if err != nil {
			return err
		}
		g.vacuum[phase] = time.Since(began)
		g.grown[phase] = sum(grown(before[phase], after))
	}
	return nil
}

// drainGrowth starts a worker, and returns how long it took from then to the end of the last note.
func (i *installation) drainGrowth(ctx context.Context) (time.Duration, error) {
	others := i.workers
	i.workers = nil
	defer func() { i.workers = append(i.workers, others...) }()
	if err := i.startWorkers(ctx, 1); err != nil {
		return 0, err
	}
	began := time.Now()
	err := i.awaitNone(ctx, openNotes)
	took := time.Since(began)
	if err == nil {
		err = i.awaitNone(ctx, openOutbox)
	}
	worker := i.workers[0]
	i.workers = nil
	return took, errors.Join(err, worker.Stop(stopPatience))
}
