package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"emissor/test/harness"
)

// load is work by which two versions are compared.
type load struct {
	name    string
	backlog backlog // that one worker drains
}

// loads returns the loads of a comparison. Installations serve many companies: what is kept for each of them counts.
func (o options) loads() (loads []load) {
	for _, organizations := range []int{1, o.companies} {
		of := fmt.Sprintf(", %s", plural(organizations, "company"))
		if organizations > 1 {
			of = fmt.Sprintf(", %d companies", organizations)
		}
		loads = append(loads,
			load{"sandbox notes" + of, backlog{count: o.backlog, callers: sandbox,
				needs: needs{organizations: organizations}}},
			load{"live notes" + of, backlog{count: o.live, callers: live,
				needs: needs{organizations: organizations, live: true}}})
	}
	return append(loads, load{"sandbox notes with a webhook, 1 company",
		backlog{count: o.webhooks, callers: sandbox, webhook: true}})
}

// figures are what was measured of a load.
type figures map[string]float64

// The figures, in the order of the table: of a rate more is better, of anything else less.
const (
	figureRate       = "notes / s"
	figureAccepts    = "accepts / s"
	figureLists      = "lists / s"
	figureCPU        = "CPU, API and worker"
	figurePostgres   = "CPU, PostgreSQL"
	figureStatements = "statements"
	figureCommits    = "commits"
	figureWAL        = "WAL"
	figureMemory     = "memory of the worker"
)

var figureOrder = []string{figureRate, figureAccepts, figureLists, figureCPU, figurePostgres, figureStatements,
	figureCommits, figureWAL, figureMemory}

// comparison is a load with the ratios of each figure, this version's to the other's, pair by pair.
type comparison struct {
	load   string
	ratios map[string][]float64
}

// compare measures each load with both versions in turn, so often that the spread of the ratios shows how
// much of a difference is the machine's. Which comes first changes from pair to pair.
func (b *bench) compare(ctx context.Context) error {
	before := harness.Programs{
		Emissor:   filepath.Join(b.options.base, "emissor"),
		Simulator: filepath.Join(b.options.base, "sefin-simulator"),
		SaoPaulo:  filepath.Join(b.options.base, "saopaulo-simulator"),
	}
	after := b.programs
	defer func() { b.programs = after }()
	for _, load := range b.options.loads() {
		compared := comparison{load.name, map[string][]float64{}}
		for pair := range b.options.pairs {
			var measured [2]figures
			for turn := range 2 {
				version := (pair + turn) % 2
				b.programs = []harness.Programs{before, after}[version]
				var err error
				if measured[version], err = b.measureLoad(ctx, load.backlog); err != nil {
					return fmt.Errorf("%s, %s: %w", load.name, b.programs.Emissor, err)
				}
			}
			for name, figure := range measured[1] {
				if other := measured[0][name]; other > 0 {
					compared.ratios[name] = append(compared.ratios[name], figure/other)
				}
			}
			fmt.Fprintf(os.Stderr, "  %s, pair %d: %.3f × the notes a second\n", load.name, pair+1,
				measured[1][figureRate]/measured[0][figureRate])
		}
		b.report.compared = append(b.report.compared, compared)
	}
	return nil
}

// measureLoad drains a backlog with one worker, and lists and accepts notes beside nothing else.
func (b *bench) measureLoad(ctx context.Context, backlog backlog) (f figures, err error) {
	i, counter, err := b.installCounted(ctx, backlog.needs)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	defer counter.close()
	f = figures{}
	if err := i.measureAccepting(ctx, backlog, f); err != nil {
		return nil, err
	}
	if err := b.measureDraining(ctx, i, counter, backlog, f); err != nil {
		return nil, err
	}
	if f[figureMemory], err = mostMemory(i.workers[0].PID()); err != nil {
		return nil, err
	}
	f[figureLists], err = i.lists(ctx, backlog.callers(i), b.options.window(5*time.Second))
	return f, err
}

func (b *bench) measureDraining(ctx context.Context, i *installation, counter *statementCounter, backlog backlog,
	f figures) error {
	written, err := b.watchWAL(ctx)
	if err != nil {
		return err
	}
	statements, cpu := counter.statements.Load(), (*cpuMeter)(nil)
	drained, err := i.drain(ctx, backlog, func() (err error) {
		if err = i.startWorkers(ctx, 1, i.through); err == nil {
			cpu, err = b.startCPU(ctx, i)
		}
		return err
	})
	databases, writtenErr := written()
	if err := errors.Join(err, writtenErr); err != nil {
		return err
	}
	used, err := cpu.used(ctx)
	f[figureRate], f[figureStatements] = drained.rate, float64(counter.statements.Load()-statements)
	f[figureCPU], f[figurePostgres] = (used[cpuAPI] + used[cpuWorker]).Seconds(), used[cpuEmissorDatabase].Seconds()
	f[figureCommits] = float64(databases[i.databaseName].Commits)
	f[figureWAL] = float64(databases[i.databaseName].Bytes)
	return err
}

func (i *installation) measureAccepting(ctx context.Context, backlog backlog, f figures) error {
	began := time.Now()
	if err := accept(ctx, 0, backlog.count, backlog.callers(i)...); err != nil {
		return err
	}
	f[figureAccepts] = float64(backlog.count) / time.Since(began).Seconds()
	return nil
}

// lists is how many first pages of notes the callers get a second, one after the other.
func (i *installation) lists(ctx context.Context, callers []caller, window time.Duration) (rate float64, err error) {
	count, began := 0, time.Now()
	for time.Since(began) < window {
		if err := callers[count%len(callers)].list(ctx); err != nil {
			return 0, err
		}
		count++
	}
	return float64(count) / time.Since(began).Seconds(), nil
}

// mostMemory is the most that a process has had in memory, in bytes.
func mostMemory(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	return kilobytes * 1024, err
}

func writeCompared(w io.Writer, all []comparison) {
	fmt.Fprint(w, "\nThis version's figures as multiples of the other's: the median of the pairs (least–most).\n\n")
	fmt.Fprintf(w, "| load | %s |\n|---|%s\n", strings.Join(figureOrder, " | "),
		strings.Repeat("---:|", len(figureOrder)))
	for _, one := range all {
		cells := []string{one.load}
		for _, name := range figureOrder {
			cells = append(cells, spreadOf(one.ratios[name]))
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
}

func spreadOf(ratios []float64) string {
	if len(ratios) == 0 {
		return ""
	}
	ratios = slices.Sorted(slices.Values(ratios))
	median := (ratios[(len(ratios)-1)/2] + ratios[len(ratios)/2]) / 2
	return fmt.Sprintf("%.2f (%.2f–%.2f)", median, ratios[0], ratios[len(ratios)-1])
}
