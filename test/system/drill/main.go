package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	randv2 "math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"emissor/test/harness"
)

// options are what the flags say.
type options struct {
	rounds, failovers int
	seed              uint64
	load              time.Duration // the longest that notes are issued before a loss
	pages             string
	builtIn           string
	keep              string
}

func parseFlags() (o options) {
	flag.IntVar(&o.rounds, "rounds", 6, "how often the database is lost and restored")
	flag.IntVar(&o.failovers, "failovers", 4, "how often a replica takes over")
	flag.Uint64Var(&o.seed, "seed", 0, "repeats a drill; 0 is a new one")
	flag.DurationVar(&o.load, "load", time.Minute, "the longest that notes are issued before a loss")
	flag.StringVar(&o.pages, "pages", "docs/operations", "the `folder` of the pages whose commands are run")
	flag.StringVar(&o.builtIn, "programs", "", "the `folder` of emissor and the simulators (default: built now)")
	flag.StringVar(&o.keep, "dir", "", "keep the logs in this `folder` (default: one that is removed at the end)")
	flag.Parse()
	return o
}

// drill is what all rounds share.
type drill struct {
	options
	stack          harness.Devstack
	built          harness.Programs
	emissorProgram string
	programs       string // folder of PostgreSQL's
	account        *syscall.Credential
	dir            string // of logs and keys
	shared         string // of what belongs to PostgreSQL's account
	repository     string // of backups
	password       string // of the clusters' accounts
	backupPage     *page
	failoverPage   *page
}

func (d *drill) log(format string, arguments ...any) {
	fmt.Printf("%s  "+format+"\n", append([]any{time.Now().UTC().Format("15:04:05")}, arguments...)...)
}

// prepare makes the folders, and finds everything that is needed.
func (d *drill) prepare(ctx context.Context) (err error) {
	if d.dir, err = os.MkdirTemp(d.keep, "drill-"); err != nil {
		return err
	}
	if d.stack, err = harness.FindDevstack(); err != nil {
		return err
	}
	if d.account, err = postgresAccount(); err != nil {
		return err
	}
	if d.programs, err = postgresPrograms(); err != nil {
		return err
	}
	if d.shared, err = os.MkdirTemp("", "drill-postgres-"); err != nil {
		return err
	}
	if err := d.own(d.shared); err != nil {
		return err
	}
	d.password = rand.Text()
	if d.builtIn == "" {
		if d.built, err = harness.Build(ctx, d.dir); err != nil {
			return err
		}
	} else if folder, err := filepath.Abs(d.builtIn); err == nil {
		d.built = harness.ProgramsIn(folder)
	}
	d.emissorProgram = d.built.Emissor
	if d.backupPage, err = readPage(d.pages, "backup.md"); err != nil {
		return err
	}
	d.failoverPage, err = readPage(d.pages, "failover.md")
	return err
}

// ofRound is the drill with folders for one round.
func (d *drill) ofRound(r round) (*drill, error) {
	one, name := *d, fmt.Sprint("round-", r.number)
	one.dir, one.shared = filepath.Join(d.dir, name), filepath.Join(d.shared, name)
	one.repository = filepath.Join(one.shared, "repository")
	return &one, errors.Join(os.Mkdir(one.dir, 0o700), d.makeFolder(one.shared), d.makeFolder(one.repository))
}

// own gives a folder to PostgreSQL's account.
func (d *drill) own(folder string) error {
	if d.account == nil {
		return nil
	}
	return os.Chown(folder, int(d.account.Uid), int(d.account.Gid))
}

// makeFolder makes a folder of PostgreSQL's account.
func (d *drill) makeFolder(folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	return d.own(folder)
}

// tidy removes what the drill has made.
func (d *drill) tidy() {
	_ = os.RemoveAll(d.shared)
	if d.keep == "" {
		_ = os.RemoveAll(d.dir)
	}
}

// The kernel ends what was started when the thread that started it ends.
func init() { runtime.LockOSThread() }

func main() {
	d := &drill{options: parseFlags()}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	result, err := d.run(ctx)
	d.tidy()
	if err != nil {
		fmt.Fprintln(os.Stderr, "drill:", err)
		os.Exit(1)
	}
	fmt.Print(result.table())
	if len(result.violations) > 0 {
		os.Exit(1)
	}
}

// run does all rounds. An error is that it could not be done; what was found broken is in the report.
func (d *drill) run(ctx context.Context) (result report, err error) {
	if err := d.prepare(ctx); err != nil {
		return result, err
	}
	if d.seed == 0 {
		d.seed = randv2.Uint64()
	}
	d.log("seed %d: %d losses and %d failovers", d.seed, d.rounds, d.failovers)
	for _, r := range plan(d.options) {
		one, err := d.ofRound(r)
		if err != nil {
			return result, err
		}
		figures, err := one.round(ctx, r)
		_ = os.RemoveAll(one.shared)
		if err != nil {
			return result, fmt.Errorf("%s: %w", r, err)
		}
		result.add(r, figures)
	}
	return result, nil
}
