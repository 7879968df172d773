// Command demo shows Emissor at work on a development stack. It is what "make run" runs inside devstack:
// it migrates the database, serves the API and the worker, makes sure there are an organization, two keys
// and a service, issues one sandbox note before your eyes, and then stays until it is told to stop.
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
	var err error
	apiPort := flag.String("api-port", "8080", "`port` of the API")
	adminPort := flag.String("admin-port", "9090", "`port` of the admin listener")
	flag.StringVar(&d.dir, "dir", ".dev", "keep the file env and the log in this `directory`")
	flag.StringVar(&d.emissor.program, "emissor", ".dev/bin/emissor", "the `program` to serve")
	flag.Parse()
	d.emissor.listen = net.JoinHostPort("127.0.0.1", *apiPort)
	d.emissor.adminListen = net.JoinHostPort("127.0.0.1", *adminPort)
	d.emissor.logPath = filepath.Join(d.dir, "emissor.log")
	if d.emissor.keysetPath, err = filepath.Abs(filepath.Join(d.dir, "keyset.json")); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}

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
	dir     string
	emissor emissor
}

// run does everything, from the migration to the end.
func (d *demo) run(ctx context.Context) (err error) {
	if err := mustBeFree(d.emissor.listen, "API_PORT"); err != nil {
		return err
	}
	if err := mustBeFree(d.emissor.adminListen, "ADMIN_PORT"); err != nil {
		return err
	}
	if err := d.emissor.migrate(ctx); err != nil {
		return err
	}
	if err := d.emissor.keyset(ctx); err != nil {
		return err
	}
	if err := d.emissor.serve(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.emissor.stop()) }()

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
	note, err := issue(ctx, os.Stdout, env)
	if err != nil {
		return fmt.Errorf("the sandbox note: %w (Emissor's log is %s)", err, d.emissor.logPath)
	}
	d.explain(os.Stdout, env, organization, note)
	explainWebhook(os.Stdout, hook)
	return d.emissor.wait(ctx)
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
