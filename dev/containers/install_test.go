//go:build containers

package containers

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

func (i *installation) install(t *testing.T) {
	began := time.Now()
	i.handbook.follow(t, i.machine, "install.md", "With compose")
	t.Logf("from the sources to an installation: %s", time.Since(began).Round(time.Second))
	i.expectAllWork(t)
	i.expectAnswer(t, plain+"/v1/health")
	i.expectAnswer(t, dashboard+"/health")
	if beyond := i.machine.run(t, `ss --listening --tcp --numeric --no-header | awk '{print $4}' | grep -v '^127\.' || true`); beyond != "" {
		t.Errorf("something listens beyond the machine: %s", beyond)
	}
}

func (i *installation) firstNote(t *testing.T) {
	i.handbook.follow(t, i.machine, "install.md", "With compose")
	i.eventually(t, time.Minute, func() string {
		if status := i.machine.sql(t, `SELECT status FROM notes WHERE reference = 'order-1001'`); status != "issued" {
			return "the first note is " + status
		}
		return ""
	})
}

// commands runs those of the operator that only read: each finds its database, its settings and its keyset.
func (i *installation) commands(t *testing.T) {
	for _, command := range []string{"config", "organization list", "key list --organization " + i.handbook.seen["org_"],
		"outbox", "keyset status", "city list", "note show " + i.handbook.seen["nfse_"],
	} {
		if printed := i.machine.run(t, "docker compose run --rm operator "+command); printed == "" {
			t.Errorf("%s prints nothing", command)
		}
	}
	if printed, err := i.machine.try(t, "docker compose run --rm operator note show nfse_none"); err == nil {
		t.Errorf("a note that is not there is shown: %s", printed)
	} else if _, exited := err.(*exec.ExitError); !exited || !strings.Contains(printed, "nfse_none") {
		t.Errorf("a note that is not there: %v %s", err, printed)
	}
}
