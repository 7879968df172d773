// Command demo shows Emissor at work on a development stack. It is what "make run" runs inside devstack:
// it runs simulators of the tax authorities, migrates the database, serves the API and the worker, makes sure
// that there is an organization with keys, services and a certificate for each authority, issues a sandbox note and
// live ones, and then runs until it is stopped.
//
// On a first start the engine is built meanwhile: everything up to the first note, which is accepted, is done without it.
//
// What it made is kept in the file "env" of its directory, which a shell can source, and is used again by
// the next run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// The kernel ends the served Emissor when the thread that started it ends: the main thread is the one
// that lives as long as the program.
func init() { runtime.LockOSThread() }

func main() {
	var d demo
	apiPort := flag.String("api-port", "8080", "`port` of the API")
	dashboardPort := flag.String("dashboard-port", "8090", "`port` of the dashboard")
	adminPort := flag.String("admin-port", "9090", "`port` of the admin listener")
	authorityPort := flag.String("authority-port", "8443", "`port` of the simulator of the authority")
	controlPort := flag.String("authority-control-port", "8444", "`port` by which the simulator is controlled")
	cityPort := flag.String("sao-paulo-port", "8445", "`port` of the simulator of the city of São Paulo")
	cityControlPort := flag.String("sao-paulo-control-port", "8446", "`port` by which that one is controlled")
	authority := flag.String("authority", showsBoth, "to whom live notes go: "+shown())
	simulator := flag.String("simulator", ".dev/bin/sefin-simulator", "the `program` that plays the national authority")
	citySimulator := flag.String("sao-paulo-simulator", ".dev/bin/saopaulo-simulator",
		"the `program` that plays the city of São Paulo")
	flag.StringVar(&d.dir, "dir", ".dev", "keep the file env, the logs and the simulator's state in this `directory`")
	flag.StringVar(&d.emissor.program, "emissor", ".dev/bin/emissor", "the `program` to serve")
	flag.Parse()
	_, isOwn := ownCompanies[*authority]
	if !isOwn && !slices.Contains([]string{showsNational, showsCity, showsBoth}, *authority) {
		fmt.Fprintf(os.Stderr, "demo: AUTHORITY is %q: it must be %s\n", *authority, shown())
		os.Exit(2)
	}
	state, err := filepath.Abs(d.dir) // other programs get it, and may run elsewhere
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
	d.emissor.listen = loopback(*apiPort)
	d.emissor.dashboard = loopback(*dashboardPort)
	d.emissor.adminListen = loopback(*adminPort)
	d.emissor.logPath = filepath.Join(d.dir, "emissor.log")
	d.emissor.keysetPath = filepath.Join(state, "keyset.json")
	d.emissor.rootsPath = filepath.Join(state, "roots.pem")
	d.emissor.authorities = environment{}
	d.engine.control = os.Getenv(controlVariable)
	played := national{newSimulator("sefin-simulator", *simulator, loopback(*authorityPort), loopback(*controlPort),
		state, d.dir, "simulator")}
	switch {
	case isOwn:
		d.own = &ownServer{played, *authority}
		d.own.simulator.arguments = d.own.arguments()
		maps.Copy(d.emissor.authorities, d.own.settings())
	case *authority != showsCity:
		d.national = &played
		maps.Copy(d.emissor.authorities, d.national.settings())
	}
	if *authority == showsCity || *authority == showsBoth {
		d.city = &city{newSimulator("saopaulo-simulator", *citySimulator, loopback(*cityPort),
			loopback(*cityControlPort), state, d.dir, "sao-paulo")}
		maps.Copy(d.emissor.authorities, d.city.settings())
	}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err = d.run(ctx)
	if ctx.Err() != nil && !errors.Is(err, errKilled) {
		return // it was stopped, no matter what that interrupted
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// Which authorities are shown.
const (
	showsNational = "national"
	showsCity     = "sao-paulo"
	showsBoth     = "both"
)

// shown are the words for them, the cities with servers of their own among them.
func shown() string {
	return strings.Join(slices.Concat([]string{showsNational, showsCity, showsBoth},
		slices.Sorted(maps.Keys(ownCompanies))), ", ")
}

// demo is one demonstration of Emissor.
type demo struct {
	dir      string
	emissor  emissor
	engine   engine
	national *national  // nil: it is not shown
	city     *city      // nil: it is not shown
	own      *ownServer // nil: no city with a server of its own is shown
}

// simulators returns the simulators of the authorities that are shown.
func (d *demo) simulators() (all []*simulator) {
	if d.national != nil {
		all = append(all, d.national.simulator)
	}
	if d.city != nil {
		all = append(all, d.city.simulator)
	}
	if d.own != nil {
		all = append(all, d.own.simulator)
	}
	return all
}

// run does everything, from the migration to the end.
func (d *demo) run(ctx context.Context) (err error) {
	if err := d.portsAreFree(); err != nil {
		return err
	}
	for _, simulator := range d.simulators() {
		if err := simulator.start(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, simulator.process.stop(simulatorStopTimeout)) }()
	}
	if err := d.collectRoots(); err != nil {
		return err
	}
	if err := d.emissor.migrateDatabase(ctx); err != nil {
		return err
	}
	if err := d.emissor.keyset(ctx); err != nil {
		return err
	}
	if d.own != nil {
		if err := d.own.importTable(ctx, d); err != nil {
			return err
		}
	}
	if err := d.emissor.serve(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.emissor.process.stop(stopTimeout)) }()

	env, err := readEnv(d.envPath())
	if err != nil {
		return err
	}
	made, err := d.provision(ctx, env)
	if err != nil {
		return err
	}
	if err := env.write(d.envPath()); err != nil {
		return err
	}
	var hook endpoint
	if url := os.Getenv(webhookVariable); url != "" {
		if hook, err = d.emissor.endpoint(ctx, made.usual, url); err != nil {
			return err
		}
	}
	first, err := d.waitForEngine(ctx, os.Stdout, env, made)
	if err != nil {
		return err
	}
	sandbox, err := d.issue(ctx, os.Stdout, env, made, first)
	if err != nil {
		return err
	}
	signIn, err := d.emissor.signInLink(ctx, made.all())
	if err != nil {
		return err
	}
	d.explain(os.Stdout, env, made, sandbox, signIn)
	explainWebhook(os.Stdout, hook)
	return d.wait(ctx)
}

// waitForEngine waits until notes can be issued. Where that takes minutes, because the engine is built, it says what
// there is already, and has the sandbox note accepted.
func (d *demo) waitForEngine(ctx context.Context, out io.Writer, env environment, made organizations) (
	first *acceptedNote, err error) {
	building, err := d.engine.isBuilding(ctx)
	if err != nil {
		return nil, err
	}
	if building {
		signIn, err := d.emissor.signInLink(ctx, made.all())
		if err != nil {
			return nil, err
		}
		d.explainWaiting(out, env, signIn)
		if first, err = d.acceptSandbox(ctx, out, env); err != nil {
			return nil, err
		}
	}
	if err := d.engine.await(ctx); err != nil {
		return nil, err
	}
	if building {
		fmt.Fprintf(out, "\nThe engine is there%s.\n", sinceTheBeginning())
	}
	return first, d.emissor.migrate(ctx)
}

// acceptSandbox has a note in the test environment accepted.
func (d *demo) acceptSandbox(ctx context.Context, out io.Writer, env environment) (*acceptedNote, error) {
	test := &client{base: env[urlName], key: env[testKeyName]}
	return accept(ctx, out, "sandbox note", test, env[serviceName])
}

// issue issues a note in the test environment, the first one where that was accepted already, and a live one by each
// authority that is shown.
func (d *demo) issue(ctx context.Context, out io.Writer, env environment, made organizations,
	first *acceptedNote) (sandbox note, err error) {
	if first == nil {
		if first, err = d.acceptSandbox(ctx, out, env); err != nil {
			return sandbox, err
		}
	}
	if sandbox, err = first.follow(ctx); err != nil {
		return sandbox, fmt.Errorf("the sandbox note: %w (Emissor's log is %s)", err, d.emissor.logPath)
	}
	fmt.Fprintf(out, "  the first note is issued%s\n", sinceTheBeginning())
	if d.national != nil {
		if err := d.national.issue(ctx, out, env); err != nil {
			return sandbox, fmt.Errorf("the live note: %w (the logs are %s and %s)", err, d.emissor.logPath,
				d.national.logPath)
		}
	}
	if d.city != nil {
		if err := d.city.issue(ctx, out, d, env, made.city); err != nil {
			return sandbox, fmt.Errorf("the live note in São Paulo: %w (the logs are %s and %s)", err,
				d.emissor.logPath, d.city.logPath)
		}
	}
	if d.own != nil {
		if err := d.own.issue(ctx, out, d, env, made.own); err != nil {
			return sandbox, fmt.Errorf("the live note: %w (the logs are %s and %s)", err, d.emissor.logPath,
				d.own.logPath)
		}
	}
	return sandbox, nil
}

// wait returns when ctx ends, or with an error when one of the processes does.
func (d *demo) wait(ctx context.Context) error {
	died := make(chan *process, 3)
	processes := []*process{d.emissor.process}
	for _, simulator := range d.simulators() {
		processes = append(processes, simulator.process)
	}
	for _, process := range processes {
		go func() {
			<-process.ended
			died <- process
		}()
	}
	select {
	case <-ctx.Done():
		return nil
	case process := <-died:
		return process.died()
	}
}

func (d *demo) envPath() string { return filepath.Join(d.dir, "env") }

func loopback(port string) string { return net.JoinHostPort("127.0.0.1", port) }

// portsAreFree is an error if somebody listens on a port that is needed.
func (d *demo) portsAreFree() error {
	ports := [][2]string{
		{d.emissor.listen, "API_PORT"}, {d.emissor.dashboard, "DASHBOARD_PORT"}, {d.emissor.adminListen, "ADMIN_PORT"},
	}
	for _, simulator := range d.simulators() {
		prefix := "AUTHORITY"
		if d.city != nil && simulator == d.city.simulator {
			prefix = "SAO_PAULO"
		}
		ports = append(ports, [2]string{simulator.listen, prefix + "_PORT"},
			[2]string{simulator.control, prefix + "_CONTROL_PORT"})
	}
	for _, port := range ports {
		if err := mustBeFree(port[0], port[1]); err != nil {
			return err
		}
	}
	return nil
}

// mustBeFree is an error if somebody listens on address already.
func mustBeFree(address, variable string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%s is taken: choose another port with make %s=... run", address, variable)
	}
	return listener.Close()
}
