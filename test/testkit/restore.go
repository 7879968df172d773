package testkit

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"emissor/internal/seal"
)

// Restored is a database that was restored from a dump of a system's.
type Restored struct {
	Of       *System
	Database *Database
}

// Dump is the content of the database at this moment, as pg_dump writes it.
func (d *Database) Dump(t testing.TB) []byte {
	t.Helper()
	dump, err := exec.CommandContext(t.Context(), postgresProgram(t, "pg_dump"), "--dbname", d.URL).Output()
	must(t, err)
	return dump
}

// Restore makes a new database of a dump of the system's.
func (s *System) Restore(t testing.TB, dump []byte) *Restored {
	t.Helper()
	address := EmptyDatabase(t)
	restore := exec.CommandContext(t.Context(), postgresProgram(t, "psql"), "--quiet", "--set", "ON_ERROR_STOP=1",
		"--output", "/dev/null", "--dbname", address)
	restore.Stdin = bytes.NewReader(dump)
	if output, err := restore.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return &Restored{s, OpenDatabase(t, address)}
}

// postgresProgram is the path of a program of PostgreSQL.
func postgresProgram(t testing.TB, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	installed, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	must(t, err)
	if len(installed) == 0 {
		t.Fatalf("%s is not installed", name)
	}
	slices.Sort(installed)
	return installed[len(installed)-1]
}

func (o Options) database(t testing.TB) *Database {
	if o.Restored != nil {
		return o.Restored.Database
	}
	return NewDatabase(t)
}

func (o Options) sealer(t testing.TB) *seal.Sealer {
	if o.Restored != nil {
		return o.Restored.Of.Sealer
	}
	return newSealer(t)
}
