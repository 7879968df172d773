// Command bench measures Emissor as it is deployed: real processes of the API
// and the worker, the simulator of the authority, the PostgreSQL and the Temporal
// of a development stack. "make bench" runs it inside devstack.
//
// It prints one table. A figure of one machine says little about another, so each
// row also has its ratio to the same engine's bare work in the same run: workflows
// of two activities that do nothing. Those are measured at the beginning, between
// the rows and at the end. A row is compared with those just before and after it;
// how much they differ in all says how noisy the machine was.
//
// docs/performance.md explains the rows, and what follows from them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"emissor/test/harness"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == engineCommand {
		fatal(serveEngine(os.Args[2:]))
		return
	}
	o, err := parseFlags(os.Args[1:])
	fatal(err)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fatal(run(ctx, o))
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are what the flags say.
type options struct {
	rows      []string
	quick     bool
	out       string
	emissor   string
	simulator string
	saoPaulo  string

	backlog  int // sandbox notes that wait
	webhooks int // sandbox notes with a webhook each
	live     int // live notes
	crowd    int // notes of the organization that others are compared with
	series   int // series that issue side by side in São Paulo
	table    int // notes in the largest table
	storage  int // notes of a round whose bytes are counted
	fill     int // notes in the database of the row growth
	notes    int // notes whose size follows from that by arithmetic

	base      string // the folder of another version's programs, which this one is compared with; empty for none
	pairs     int    // how often each load is measured with both
	companies int    // of the loads of many
}

// parseFlags reads the command line; it ends the program when the line is wrong.
func parseFlags(args []string) (options, error) {
	o := options{backlog: 4000, webhooks: 3000, live: 1000, crowd: 10_000, series: 20, table: 1_000_000, storage: 1500,
		fill: 20_000_000, notes: 100_000_000, pairs: 5, companies: 200}
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	flags.BoolVar(&o.quick, "quick", false, "small numbers, to try it: two minutes, and figures that mean little")
	chosen := flags.String("rows", "", "measure these `rows` only, by name with commas: "+rowNames())
	flags.StringVar(&o.out, "out", "", "also write the tables to this `file`, as Markdown")
	flags.IntVar(&o.backlog, "backlog", o.backlog, "sandbox notes of a backlog")
	flags.IntVar(&o.webhooks, "webhooks", o.webhooks, "sandbox notes with a webhook each")
	flags.IntVar(&o.live, "live", o.live, "live notes")
	flags.IntVar(&o.crowd, "crowd", o.crowd, "notes of one organization beside which others are measured")
	flags.IntVar(&o.table, "table", o.table, "notes in the larger table that reads and accepts are measured with")
	flags.IntVar(&o.storage, "storage", o.storage, "notes whose bytes in the database are counted")
	flags.IntVar(&o.fill, "fill", o.fill, "notes of the row growth, each with its rows in every table")
	flags.IntVar(&o.notes, "notes", o.notes, "notes to which the row growth extrapolates sizes")
	flags.StringVar(&o.emissor, "emissor", ".dev/bin/emissor", "the `program`")
	flags.StringVar(&o.simulator, "simulator", ".dev/bin/sefin-simulator", "the simulator's `program`")
	flags.StringVar(&o.saoPaulo, "sao-paulo-simulator", ".dev/bin/saopaulo-simulator",
		"the `program` of the simulator of the city of São Paulo")
	flags.IntVar(&o.series, "series", o.series, "companies, each with a series, that issue side by side in São Paulo")
	flags.StringVar(&o.base, "base", "",
		"compare with the programs of another version in this `folder`, and measure nothing else")
	flags.IntVar(&o.pairs, "pairs", o.pairs, "how often each load of a comparison is measured with both versions")
	flags.IntVar(&o.companies, "companies", o.companies,
		"companies of the loads of many, and of the rows companies and fairness")
	_ = flags.Parse(args) // ExitOnError: it does not return an error
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q is not a flag", flags.Arg(0))
	}
	if *chosen != "" {
		o.rows = strings.Split(*chosen, ",")
	}
	if o.quick {
		o.shrink(flags)
	}
	return o, o.checkRows()
}

// shrink makes the numbers small that were not given.
func (o *options) shrink(flags *flag.FlagSet) {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, small := range map[string]struct {
		number *int
		value  int
	}{
		"backlog": {&o.backlog, 300}, "webhooks": {&o.webhooks, 150}, "live": {&o.live, 60},
		"pairs": {&o.pairs, 2}, "companies": {&o.companies, 20},
		"crowd": {&o.crowd, 600}, "series": {&o.series, 4}, "table": {&o.table, 50_000},
		"storage": {&o.storage, 150}, "fill": {&o.fill, 20_000},
	} {
		if !given[name] {
			*small.number = small.value
		}
	}
}

// window is how long something is measured that goes on for ever.
func (o options) window(full time.Duration) time.Duration {
	if o.quick {
		return full / 5
	}
	return full
}

// bench is one run of the program.
type bench struct {
	options  options
	stack    harness.Devstack
	programs harness.Programs
	dir      string            // of the logs
	database *harness.Database // for questions about the server
	report   report
}

func run(ctx context.Context, o options) (err error) {
	b := &bench{options: o, programs: harness.Programs{
		Emissor: o.emissor, Simulator: o.simulator, SaoPaulo: o.saoPaulo,
	}}
	if b.stack, err = harness.FindDevstack(); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "bench-"); err != nil {
		return err
	}
	if b.database, err = b.stack.NewDatabase(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.database.Drop(context.WithoutCancel(ctx))) }()
	if b.report.machine, err = b.describeMachine(ctx); err != nil {
		return err
	}
	meter, err := startNoise()
	if err != nil {
		return err
	}
	failed := b.measure(ctx)
	if b.report.noise, err = meter.noise(); err != nil {
		return err
	}
	if err := b.report.write(o.out); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("%w\nthe logs are in %s", failed, b.dir)
	}
	return os.RemoveAll(b.dir)
}

// measure takes the chosen rows one after the other. One that fails does not
// keep the others from being measured.
func (b *bench) measure(ctx context.Context) (failed error) {
	step := func(name string, do func(*bench, context.Context) error) {
		if ctx.Err() != nil {
			return
		}
		if err := b.measureStep(ctx, name, do); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	if b.options.base != "" {
		step("compare", (*bench).compare)
		return errors.Join(failed, ctx.Err())
	}
	step("bare", (*bench).measureBare)
	for _, row := range b.options.chosen() {
		step(row.name, row.run)
		step("bare", (*bench).measureBare)
	}
	return errors.Join(failed, ctx.Err())
}

// measureStep measures some rows, and says how long that took and what disturbed
// it.
func (b *bench) measureStep(ctx context.Context, name string, do func(*bench, context.Context) error) error {
	meter, err := startNoise()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := do(b, ctx); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
		fmt.Fprintln(os.Stderr, "bench:", err)
		return err
	}
	noise, err := meter.noise()
	fmt.Fprintf(os.Stderr, "bench: %s took %.0f s; %s\n", name, time.Since(began).Seconds(), noise)
	return err
}
