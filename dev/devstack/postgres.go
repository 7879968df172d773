package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/lib/pq"
)

// The cluster's superuser and the databases in it.
const (
	postgresUser       = "emissor"
	emissorDatabase    = "emissor"
	temporalDatabase   = "temporal"
	visibilityDatabase = "temporal_visibility"
)

// postgres is a PostgreSQL cluster of our own: its own data directory, its own password, loopback only.
type postgres struct {
	*service
	state    *state
	port     int
	data     string
	binaries string
	account  *account
	password string
}

// newPostgres finds the binaries and the account for the cluster in state; it starts nothing.
func newPostgres(state *state, port int) (*postgres, error) {
	p := &postgres{state: state, port: port, data: state.path("postgres")}
	var err error
	if p.binaries, err = findPostgres(p.data); err != nil {
		return nil, err
	}
	if p.account, err = postgresAccount(); err != nil {
		return nil, err
	}
	log, err := state.log("postgres")
	if err != nil {
		return nil, err
	}
	p.service = &service{
		name:       "PostgreSQL",
		log:        log,
		command:    p.serve,
		ready:      p.waitReady,
		retry:      predecessorLingers,
		stopSignal: syscall.SIGINT,  // "fast": clients are disconnected, a checkpoint is written
		dropSignal: syscall.SIGQUIT, // "immediate": as a crash, but without leaving shared memory
	}
	return p, nil
}

// findPostgres returns the directory of the PostgreSQL binaries: those in PATH, or else the newest that
// Debian's packages installed, in the version of the existing cluster if there is one.
func findPostgres(data string) (string, error) {
	version, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	wanted := strings.TrimSpace(string(version))

	var candidates []string
	if path, err := exec.LookPath("postgres"); err == nil {
		// initdb lies beside the program, not beside a link to it
		if path, err = filepath.EvalSymlinks(path); err == nil {
			candidates = append(candidates, filepath.Dir(path))
		}
	}
	for major := 40; major >= 14; major-- {
		candidates = append(candidates, fmt.Sprintf("/usr/lib/postgresql/%d/bin", major))
	}
	for _, dir := range candidates {
		out, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
		if err != nil {
			continue
		}
		if wanted == "" || strings.Contains(string(out), " "+wanted+".") {
			return dir, nil
		}
	}
	if wanted != "" {
		return "", fmt.Errorf("%s was made by PostgreSQL %s, which is not installed (any more): "+
			"install it, or remove that directory to begin anew", data, wanted)
	}
	return "", errors.New("no PostgreSQL found in PATH or /usr/lib/postgresql: install PostgreSQL 14 or newer " +
		"(Debian: apt-get install postgresql)")
}

// create makes the cluster and its password if they are not there. A cluster appears under its name only
// when it is complete, so an interrupted creation leaves nothing that looks like one.
func (p *postgres) create(ctx context.Context) error {
	secret := p.state.path("postgres.password")
	if _, err := os.Stat(p.data); err == nil {
		password, err := os.ReadFile(secret)
		p.password = string(password)
		return errors.Join(err, p.account.reach(ctx, p.data))
	}
	p.password = rand.Text()
	verifier, err := scramVerifier(p.password)
	if err != nil {
		return err
	}
	stored := p.state.path("postgres.verifier")
	err = errors.Join(os.WriteFile(secret, []byte(p.password), 0o600), os.WriteFile(stored, []byte(verifier), 0o600))
	if err != nil {
		return err
	}
	unfinished := p.data + ".unfinished"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if err := os.Mkdir(unfinished, 0o700); err != nil {
		return err
	}
	err = errors.Join(p.account.own(secret), p.account.own(stored), p.account.own(unfinished),
		p.account.reach(ctx, unfinished))
	if err != nil {
		return err
	}
	cmd := p.tool("initdb",
		"--pgdata="+unfinished, "--username="+postgresUser, "--pwfile="+stored, "--auth=scram-sha-256",
		"--encoding=UTF8", "--no-locale", "--data-checksums")
	if err := startOnLastingThread(cmd); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("initdb failed: %w\n%s", err, p.log.tail())
	}
	return os.Rename(unfinished, p.data)
}

// serve is the command of the server. A commit is on disk when it is acknowledged, as in production.
func (p *postgres) serve() *exec.Cmd {
	args := []string{"-D", p.data}
	for _, setting := range []string{
		"listen_addresses=" + loopback,
		"port=" + strconv.Itoa(p.port),
		"unix_socket_directories=",
		"max_connections=400",              // many test packages at once, each with pools of its own
		"shared_preload_libraries=plpgsql", // which every session with a trigger would load
		"dynamic_shared_memory_type=mmap",  // in the data directory, so that even a killed server leaves none
		"fsync=on",
		"synchronous_commit=on",
		"timezone=UTC",
		"log_timezone=UTC",
		"log_checkpoints=off",
	} {
		args = append(args, "-c", setting)
	}
	return p.tool("postgres", args...)
}

// tool is the command of a PostgreSQL program, run as the right account, which may not be able to enter the
// present directory.
func (p *postgres) tool(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.binaries, name), args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"} // no PG* variables of the caller
	// As dev/date.sh says.
	for _, name := range []string{"LD_PRELOAD", "EMISSOR_MOVED_CLOCK"} {
		if value, set := os.LookupEnv(name); set {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.Stdout, cmd.Stderr = p.log.file, p.log.file
	cmd.SysProcAttr = p.account.attributes()
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT
	return cmd
}

// waitReady waits until the server accepts connections, and makes the databases that are missing.
func (p *postgres) waitReady(ctx context.Context) error {
	db, err := sql.Open("postgres", p.url("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	for db.PingContext(ctx) != nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	for _, name := range []string{emissorDatabase, temporalDatabase, visibilityDatabase} {
		var exists bool
		const query = "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)"
		if err := db.QueryRowContext(ctx, query, name).Scan(&exists); err != nil {
			return err
		}
		if exists {
			continue
		}
		if _, err := db.ExecContext(ctx, "CREATE DATABASE "+pq.QuoteIdentifier(name)); err != nil {
			return err
		}
	}
	return nil
}

// predecessorLingers recognizes a start that failed only because not all processes of a killed server
// have ended yet.
func predecessorLingers(log string) bool {
	return strings.Contains(log, "pre-existing shared memory block") ||
		strings.Contains(log, `lock file "postmaster.pid" already exists`)
}

// url is the address of a database, with the password.
func (p *postgres) url(database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(postgresUser, p.password),
		Host:     address(p.port),
		Path:     database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}
