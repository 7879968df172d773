package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"emissor/test/harness"
)

// server is a PostgreSQL server with a backup repository beside it.
type server struct {
	name    string
	data    string // its directory
	port    string
	sockets string
	drill   *drill
	process *harness.Process
}

// The accounts in the cluster: the superuser, Emissor's own, which owns its database, and the replicas'.
const (
	superuser      = "postgres"
	emissorUser    = "emissor"
	replicaUser    = "emissor_replica"
	databaseName   = "emissor"
	startPatience  = time.Minute
	pageData       = "/var/lib/postgresql/17/main" // as the pages have it
	pageRepository = "/var/lib/pgbackrest"
)

// newServer describes a server; it starts nothing.
func (d *drill) newServer(name string) (*server, error) {
	address, err := harness.FreeAddress()
	if err != nil {
		return nil, err
	}
	s := &server{name: name, drill: d, data: filepath.Join(d.shared, name, "main"),
		sockets: filepath.Join(d.shared, name)}
	if _, s.port, err = net.SplitHostPort(address); err != nil {
		return nil, err
	}
	if err := d.makeFolder(s.sockets); err != nil {
		return nil, err
	}
	// What PostgreSQL does without by default, or has elsewhere where others run beside it.
	s.process = harness.NewProcess(name, d.dir, filepath.Join(d.programs, "postgres"), []string{
		"-D", s.data, "-c", "port=" + s.port, "-c", "listen_addresses=127.0.0.1",
		"-c", "unix_socket_directories=" + s.sockets, "-c", "dynamic_shared_memory_type=mmap",
		"-c", "timezone=UTC", "-c", "log_timezone=UTC",
	}, s.environment())
	s.process.Account = d.account
	return s, nil
}

// environment is the environment of the server and of the commands that are run beside it: where its data, its socket
// and the repository are, which the pages have in their usual places.
func (s *server) environment() []string {
	d := s.drill
	return []string{
		"PATH=" + strings.Join([]string{d.programs, filepath.Dir(d.emissorProgram), os.Getenv("PATH")}, ":"),
		"HOME=" + s.sockets, "TZ=UTC", "LC_ALL=C.UTF-8", "PGHOST=" + s.sockets, "PGPORT=" + s.port, "PGUSER=" + superuser,
		"PGPASSWORD=" + d.password,
		"PGBACKREST_CONFIG=" + filepath.Join(d.shared, "pgbackrest.conf"), "PGBACKREST_REPO1_PATH=" + d.repository,
		"PGBACKREST_PG1_PATH=" + s.data, "PGBACKREST_PG1_PORT=" + s.port, "PGBACKREST_PG1_SOCKET_PATH=" + s.sockets,
		"PGBACKREST_PG1_USER=" + superuser, "PGBACKREST_LOG_PATH=" + s.sockets, "PGBACKREST_LOCK_PATH=" + s.sockets,
		"PGBACKREST_SPOOL_PATH=" + s.sockets, "PGBACKREST_LOG_LEVEL_CONSOLE=warn", "PGBACKREST_LOG_LEVEL_FILE=off",
	}
}

// run runs a block of a page as PostgreSQL's account.
func (s *server) run(ctx context.Context, p *page, name string, examples ...string) (string, error) {
	script, err := p.block(name, examples...)
	if err != nil {
		return "", err
	}
	output, err := runScript(ctx, s.drill.account, s.environment(), script)
	if err != nil {
		err = fmt.Errorf("%s, %s on %s: %w", p.file, name, s.name, err)
	}
	return output, err
}

// sql runs a statement as the superuser, and returns what it answers.
func (s *server) sql(ctx context.Context, database, statement string) (string, error) {
	output, err := runScript(ctx, s.drill.account, append(s.environment(), "STATEMENT="+statement),
		`psql -X -q -At -v ON_ERROR_STOP=1 -d `+database+` -c "$STATEMENT"`)
	return strings.TrimSpace(output), err
}

// create makes an empty cluster with some settings, starts it, and makes Emissor's database in it.
func (s *server) create(ctx context.Context, settings string) error {
	if _, err := runScript(ctx, s.drill.account, append(s.environment(), "SETTINGS="+settings, "DATA="+s.data), `
		initdb --pgdata="$DATA" --username=`+superuser+` --auth-local=trust --auth-host=scram-sha-256 \
			--encoding=UTF8 --no-locale --data-checksums >/dev/null
		echo "$SETTINGS" >>"$DATA/postgresql.conf"
		echo "host replication `+replicaUser+` 127.0.0.1/32 scram-sha-256" >>"$DATA/pg_hba.conf"`); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	for _, statement := range []string{
		`CREATE ROLE ` + emissorUser + ` LOGIN CREATEROLE PASSWORD '` + s.drill.password + `'`,
		`CREATE ROLE ` + replicaUser + ` LOGIN REPLICATION PASSWORD '` + s.drill.password + `'`,
		`CREATE DATABASE ` + databaseName + ` OWNER ` + emissorUser,
	} {
		if _, err := s.sql(ctx, superuser, statement); err != nil {
			return err
		}
	}
	return nil
}

// start starts it and waits until it answers, which a server in recovery does too.
func (s *server) start(ctx context.Context) error {
	if err := s.process.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	err := harness.Await(ctx, s.name+" answers", func(ctx context.Context) bool {
		answer, err := s.sql(ctx, superuser, `SELECT 1`)
		return err == nil && answer == "1"
	})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, s.process.LogTail())
	}
	return nil
}

// stop is a fast stop: clients are disconnected, and what is left is archived.
func (s *server) stop() error {
	return s.process.Interrupt(startPatience)
}

// kill is the loss of the server's power: all its processes end at once, those of the archiver too.
func (s *server) kill() error {
	if !s.process.Running() {
		return nil
	}
	if err := s.process.Pause(); err != nil { // so that it starts nothing more
		return err
	}
	processes := descendants(s.process.PID())
	for _, pid := range processes {
		_ = syscall.Kill(pid, syscall.SIGKILL) // fails only if it has ended
	}
	s.process.Kill()
	s.releaseMemory()
	return nil
}

// lose kills it and takes its disk away.
func (s *server) lose() error {
	return errors.Join(s.kill(), os.RemoveAll(s.data))
}

// releaseMemory removes the segment of shared memory that a killed server leaves, and that the next one of
// the same directory would remove.
func (s *server) releaseMemory() {
	content, err := os.ReadFile(filepath.Join(s.data, "postmaster.pid"))
	lines := strings.Split(string(content), "\n")
	if err != nil || len(lines) < 7 {
		return
	}
	if words := strings.Fields(lines[6]); len(words) == 2 {
		_ = exec.Command("ipcrm", "-m", words[1]).Run()
	}
}

// descendants are the processes that a process has started, and those that they have.
func descendants(pid int) (all []int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		children, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		for _, word := range strings.Fields(string(children)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(append(all, child), descendants(child)...)
			}
		}
	}
	return all
}

// takeSnapshot copies all files of the server as they are at one moment.
func (s *server) takeSnapshot(ctx context.Context) error {
	_, err := runScript(ctx, s.drill.account, append(s.environment(), "COPY="+s.snapshot()),
		`pg_basebackup --pgdata="$COPY" --checkpoint=fast`)
	return err
}

// bringSnapshotBack puts the copy in the place of the files that were lost.
func (s *server) bringSnapshotBack() error { return os.Rename(s.snapshot(), s.data) }

func (s *server) snapshot() string { return s.data + "-snapshot" }
