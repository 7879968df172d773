package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"emissor/test/harness"
)

// options say how much happens, and what.
type options struct {
	notes, faults int
	seed          uint64
	programs      harness.Programs
	dir           string // of logs and keys
	log           func(format string, arguments ...any)

	organizations int
	authorities   []string      // by which they issue, in turn
	arrival       time.Duration // over which the notes come and the faults happen
	queue         int           // notes of one organization that come last, while no worker runs
	kinds         []string      // of faults; empty is all
	held          []string      // kinds that last from the first note to the last fault
	live          float64       // share of live notes
	cancelled     float64       // share of notes that are to be cancelled
	moment        time.Duration // the longest until a caller repeats or cancels a note
	storm         bool          // the last fault is that everything is killed at once

	grace       time.Duration // of the authority: EMISSOR_AUTHORITY_GRACE_PERIOD
	bound       time.Duration // from the last fault until everything must have ended
	patience    time.Duration // how long nothing moves before what is open is said to be stuck; 0 is until the bound
	spread      time.Duration // by which a note may always be overtaken
	environment []string      // more settings of Emissor
	prepare     string        // SQL that runs on the migrated database
}

// defaults are the options that flags change.
func defaults() options {
	return options{
		notes: 400, faults: 12, organizations: 5, authorities: allAuthorities, live: 0.3, cancelled: 0.2, storm: true,
		grace: 10 * time.Second, bound: 15 * time.Minute, spread: 5 * time.Second,
		log: func(format string, arguments ...any) {
			fmt.Printf("%s  "+format+"\n", append([]any{time.Now().UTC().Format("15:04:05")}, arguments...)...)
		},
	}
}

// meanGap is how far faults are apart when the arrival is not given.
const meanGap = 3 * time.Second

func parseFlags() (options, error) {
	o := defaults()
	flag.IntVar(&o.notes, "notes", o.notes, "how many notes are issued")
	flag.IntVar(&o.faults, "faults", o.faults, "how many faults happen")
	flag.Uint64Var(&o.seed, "seed", 0, "repeats a run; 0 is a new one")
	flag.StringVar(&o.programs.Emissor, "emissor", "", "the `program` to break (default: built from the source)")
	flag.StringVar(&o.programs.Simulator, "simulator", "",
		"the `program` that plays the authority (default: built from the source)")
	flag.StringVar(&o.dir, "dir", "", "keep the logs in this `directory` (default: one that is removed at the end)")
	flag.IntVar(&o.organizations, "organizations", o.organizations, "among how many organizations")
	flag.StringVar(&o.programs.SaoPaulo, "sao-paulo", "",
		"the `program` that plays the city of São Paulo (default: built from the source)")
	authorities := flag.String("authorities", strings.Join(o.authorities, ","),
		"by which the organizations issue, in turn")
	flag.DurationVar(&o.arrival, "arrival", 0,
		fmt.Sprintf("over how long the notes come (default: %s for each fault)", meanGap))
	flag.IntVar(&o.queue, "queue", 0,
		"notes of one organization that come last, while no worker runs, and show the order (default: a tenth)")
	kinds := flag.String("kinds", "", "only these `kinds` of faults, comma separated: "+strings.Join(kindNames(), ", "))
	held := flag.String("held", "", "`kinds` of faults that last from the first note to the last fault")
	flag.Float64Var(&o.live, "live", o.live, "share of live notes")
	flag.Float64Var(&o.cancelled, "cancelled", o.cancelled, "share of notes that are to be cancelled")
	flag.DurationVar(&o.moment, "moment", 0,
		"the longest until a caller repeats or cancels a note (default: a quarter of the arrival)")
	flag.BoolVar(&o.storm, "storm", o.storm, "whether the last fault is that everything is killed at once")
	flag.DurationVar(&o.grace, "grace", o.grace, "grace period of the authority")
	flag.DurationVar(&o.bound, "bound", o.bound, "after the last fault everything must end within this")
	flag.DurationVar(&o.spread, "spread", o.spread, "by how much a note may always be overtaken by a newer one")
	flag.StringVar(&o.prepare, "sql", "",
		"`SQL` that runs on the new database: what the schema guards as well can only be seen broken without it")
	flag.Parse()
	o.kinds, o.held, o.authorities = splitList(*kinds), splitList(*held), splitList(*authorities)
	return o, o.checkAuthorities()
}

func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// The kernel ends what was started when the thread that started it ends.
func init() { runtime.LockOSThread() }

func main() {
	o, err := parseFlags()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var result report
	if err == nil {
		result, err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
	fmt.Print(result.table())
	if len(result.violated()) > 0 {
		os.Exit(1)
	}
}
