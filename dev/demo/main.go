// Command demo shows Emissor at work on a development stack. It is what "make run" runs inside devstack:
// it runs a simulator of the tax authority, migrates the database, serves the API and the worker, makes sure
// that there is an organization with two keys, two services and a certificate, issues a sandbox note and a
// live one before your eyes, and then stays until it is told to stop.
//
// What it made is kept in the file "env" of its directory, which a shell can source, and is used again by
// the next run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
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
	flag.StringVar(&d.dir, "dir", ".dev", "keep the file env, the logs and the simulator's state in this `directory`")
	flag.StringVar(&d.emissor.program, "emissor", ".dev/bin/emissor", "the `program` to serve")
	flag.StringVar(&d.simulator.program, "simulator", ".dev/bin/sefin-simulator",
		"the `program` that plays the authority")
	flag.Parse()
	state, err := filepath.Abs(d.dir) // what other programs are told must not depend on where they run
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
	d.emissor.listen = net.JoinHostPort("127.0.0.1", *apiPort)
	d.emissor.dashboard = net.JoinHostPort("127.0.0.1", *dashboardPort)
	d.emissor.adminListen = net.JoinHostPort("127.0.0.1", *adminPort)
	d.emissor.logPath = filepath.Join(d.dir, "emissor.log")
	d.emissor.keysetPath = filepath.Join(state, "keyset.json")
	d.simulator.listen = net.JoinHostPort("127.0.0.1", *authorityPort)
	d.simulator.control = net.JoinHostPort("127.0.0.1", *controlPort)
	d.simulator.logPath = filepath.Join(d.dir, "simulator.log")
	d.simulator.dir = filepath.Join(state, "simulator")
	d.emissor.authority = d.simulator.settings()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err = d.run(ctx)
	if ctx.Err() != nil && !errors.Is(err, errKilled) {
		return // it was told to stop, whatever that interrupted
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// demo is the showing of one Emissor.
type demo struct {
	dir       string
	emissor   emissor
	simulator simulator
}

// run does everything, from the migration to the end.
func (d *demo) run(ctx context.Context) (err error) {
	for _, port := range []struct{ address, variable string }{
		{d.emissor.listen, "API_PORT"}, {d.emissor.dashboard, "DASHBOARD_PORT"}, {d.emissor.adminListen, "ADMIN_PORT"},
		{d.simulator.listen, "AUTHORITY_PORT"}, {d.simulator.control, "AUTHORITY_CONTROL_PORT"},
	} {
		if err := mustBeFree(port.address, port.variable); err != nil {
			return err
		}
	}
	if err := d.simulator.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.simulator.process.stop(simulatorStopTimeout)) }()
	if err := d.emissor.migrate(ctx); err != nil {
		return err
	}
	if err := d.emissor.keyset(ctx); err != nil {
		return err
	}
	if err := d.emissor.serve(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.emissor.process.stop(stopTimeout)) }()

	env, err := readEnv(d.envPath())
	if err != nil {
		return err
	}
	organization, err := d.provision(ctx, env)
	if err != nil {
		return err
	}
	if err := env.write(d.envPath()); err != nil {
		return err
	}
	var hook endpoint
	if url := os.Getenv(webhookVariable); url != "" {
		if hook, err = d.emissor.endpoint(ctx, organization, url); err != nil {
			return err
		}
	}
	note, err := issue(ctx, os.Stdout, "sandbox", &client{base: env[urlName], key: env[testKeyName]}, env[serviceName])
	if err != nil {
		return fmt.Errorf("the sandbox note: %w (Emissor's log is %s)", err, d.emissor.logPath)
	}
	if err := d.issueLive(ctx, os.Stdout, env); err != nil {
		return fmt.Errorf("the live note: %w (the logs are %s and %s)", err, d.emissor.logPath, d.simulator.logPath)
	}
	signIn, err := d.emissor.signInLink(ctx, organization)
	if err != nil {
		return err
	}
	d.explain(os.Stdout, env, organization, note, signIn)
	explainWebhook(os.Stdout, hook)
	return d.wait(ctx)
}

// wait returns when ctx ends, or with an error when one of the processes does.
func (d *demo) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-d.emissor.process.ended:
		return d.emissor.process.died()
	case <-d.simulator.process.ended:
		return d.simulator.process.died()
	}
}

func (d *demo) envPath() string { return filepath.Join(d.dir, "env") }

// mustBeFree is an error if somebody listens on address already.
func mustBeFree(address, variable string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%s is taken: choose another port with make %s=... run", address, variable)
	}
	return listener.Close()
}
