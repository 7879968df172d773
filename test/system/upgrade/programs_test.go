//go:build upgrade

package upgrade

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"emissor/store"
	"emissor/test/harness"
)

const (
	root        = "../../.."
	versionFile = "cmd/emissor/VERSION"
	migrateFile = "store/migrate.go"
)

// release is a version to upgrade from: a commit, and what its version file says.
type release struct{ version, commit string }

// firstRelease is the commit that made the schema's foundation: from every version since then one can upgrade.
func firstRelease(t *testing.T) release {
	t.Helper()
	if shallow, err := git(t, "rev-parse", "--is-shallow-repository"); err != nil || shallow != "false" {
		t.Skip("the first version is not known: the repository is not here, or without its history")
	}
	// The commit that named its table of versions: a later edit of the foundation is found out, and does not move it.
	commit, err := git(t, "log", "-1", "--format=%H", "-S", `"schema_migrations"`, "--", migrateFile)
	check(t, err)
	version, err := git(t, "show", commit+":"+versionFile)
	check(t, err)
	return release{version, commit}
}

// build builds a release's program from its commit.
func (r release) build(t *testing.T) (program string) {
	t.Helper()
	sources, archive := t.TempDir(), filepath.Join(t.TempDir(), "sources.tar")
	_, err := git(t, "archive", "--format=tar", "--output="+archive, r.commit)
	check(t, err)
	if output, err := exec.CommandContext(t.Context(), "tar", "-xf", archive, "-C", sources).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	program = filepath.Join(t.TempDir(), "emissor-"+r.version)
	// Paths are left out so that what was compiled in another folder, the last time, is good here.
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -X main.linkedCommit="+r.commit, "-o", program, "./cmd/emissor")
	build.Dir, build.Env = sources, append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return program
}

// migration is the change of the schema of the next version: what locks tables that are in use, and adds to them. As
// each migration it waits for a lock for a second only.
const migration = `-- +goose Up
SET LOCAL lock_timeout = '1s';
ALTER TABLE notes ADD COLUMN upgraded_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE deliveries ADD COLUMN upgrades integer NOT NULL DEFAULT 0 CHECK (upgrades >= 0);
CREATE INDEX notes_upgraded_at ON notes (organization_id, livemode, upgraded_at);
CREATE TABLE note_upgrades (
	note_id text PRIMARY KEY,
	organization_id text NOT NULL,
	livemode boolean NOT NULL,
	FOREIGN KEY (organization_id, livemode, note_id) REFERENCES notes (organization_id, livemode, id)
);
`

// buildNext builds the programs of the tree as it is, with one migration more, and returns the version of its schema.
func buildNext(t *testing.T) (programs harness.Programs, schema int64) {
	t.Helper()
	schema = store.ProgramSchema() + 1
	added, err := filepath.Abs(filepath.Join(root, "store/migrations", fmt.Sprintf("%05d_upgrade.sql", schema)))
	check(t, err)
	folder := t.TempDir()
	file, overlay := filepath.Join(folder, "upgrade.sql"), filepath.Join(folder, "overlay.json")
	check(t, os.WriteFile(file, []byte(migration), 0o600))
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {added: file}})
	check(t, err)
	check(t, os.WriteFile(overlay, replaced, 0o600))
	programs, err = harness.Build(t.Context(), t.TempDir(), "-ldflags=-s -w", "-overlay", overlay)
	check(t, err)
	return programs, schema
}

func git(t *testing.T, arguments ...string) (string, error) {
	output, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", root}, arguments...)...).Output()
	return strings.TrimSpace(string(output)), err
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
