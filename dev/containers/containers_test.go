//go:build containers

package containers

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// installation is what the handbook's commands have made in the machine so far.
type installation struct {
	machine  machine
	handbook *handbook
	roots    atomic.Pointer[x509.CertPool] // of the certificates that callers trust
	loads    int
}

const (
	plain     = "http://127.0.0.1:8080"
	dashboard = "http://127.0.0.1:8090"
	withTLS   = "https://notes.example.com"
	fewTimes  = 100 * time.Millisecond
)

// The handbook, word by word, on a machine that has nothing but Docker: each step begins where the one before has
// ended. Base images are stand-ins (images.sh): what is shown is how Emissor is put together, not what others put into
// the real ones.
func TestContainers(t *testing.T) {
	i := &installation{machine: newMachine(t), handbook: readHandbook(t)}
	done := 0
	steps := []struct {
		name string
		do   func(*installation, *testing.T)
	}{
		{"Install", (*installation).install},
		{"FirstNote", (*installation).firstNote},
		{"Commands", (*installation).commands},
		{"Crashes", (*installation).crashes},
		{"FullDisk", (*installation).fullDisk},
		{"KeysetRotation", (*installation).rotateKeyset},
		{"Passwords", (*installation).changePasswords},
		{"BackupAndRestore", (*installation).restore},
		{"TLS", (*installation).putTLSInFront},
		{"Upgrade", (*installation).upgrade},
		{"UpgradeAtOnce", (*installation).upgradeAtOnce},
		{"Sizes", (*installation).sizes},
	}
	for _, step := range steps {
		began := time.Now()
		if !t.Run(step.name, func(t *testing.T) { step.do(i, t); done++ }) {
			t.Log(first(i.machine.try(t, "docker compose ps --all; docker compose logs --no-color --tail 15 | cut -c 1-300")))
			t.Fatalf("%s failed: the steps after it begin where it ends", step.name)
		}
		t.Logf("%s took %s", step.name, time.Since(began).Round(time.Second))
	}
	if done == len(steps) { // none was left out by -run
		i.handbook.expectAllFollowed(t)
	}
}

func first(text string, _ error) string { return text }

// eventually waits until nothing is missing.
func (i *installation) eventually(t *testing.T, bound time.Duration, missing func() string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	for {
		what := missing()
		if what == "" {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("after %s: %s", bound, what)
		case <-time.After(fewTimes):
		}
	}
}

// expectAnswer waits until a URL is answered 200.
func (i *installation) expectAnswer(t *testing.T, url string) {
	t.Helper()
	client := i.client(false)
	i.eventually(t, 3*time.Minute, func() string {
		response, err := client.Get(url)
		if err != nil {
			return err.Error()
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		if response.StatusCode != http.StatusOK {
			return fmt.Sprintf("%s is answered %s: %s", url, response.Status, text)
		}
		return ""
	})
}

// expectAllWork waits until every service that should run does.
func (i *installation) expectAllWork(t *testing.T) {
	t.Helper()
	for _, service := range services {
		i.eventually(t, 3*time.Minute, func() string {
			if !i.machine.works(t, service) {
				return service + " does not run, or is not healthy"
			}
			return ""
		})
	}
}

// services are those that run all the time.
var services = []string{"postgres", "temporal", "temporal-ui", "api-1", "api-2", "dashboard-1", "dashboard-2", "worker",
	"caddy"}
