//go:build faults

package faults

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"emissor/test/harness"
	"emissor/test/testkit"
)

// installation is an API and two workers, as processes.
type installation struct {
	url         string
	binary      string
	environment []string
	workers     []*harness.Process
}

// install starts an installation on a database, with more settings, and waits until
// it is healthy.
func install(t *testing.T, database *testkit.Database, keyset string, more ...string) *installation {
	t.Helper()
	testkit.NewTemporal(t, testkit.Logger(t)).Close() // registers the search attributes
	address := freeAddress(t)
	i := &installation{url: "http://" + address, binary: build(t), environment: append([]string{
		"EMISSOR_DATABASE_URL=" + database.URL,
		"EMISSOR_LISTEN=" + address,
		"EMISSOR_ADMIN_LISTEN=127.0.0.1:0",
		"EMISSOR_TASK_QUEUE=faults-" + uuid.NewString(),
		"EMISSOR_RATE_LIMIT=0", "EMISSOR_ORGANIZATION_LIMITS=requests=0",
		"EMISSOR_KEYSET=" + keyset,
		"EMISSOR_WEBHOOK_ALLOW_LOOPBACK=true",
	}, more...)}
	api := start(t, i.binary, "api", i.environment...)
	for range 2 {
		i.workers = append(i.workers, i.worker(t))
	}
	awaitHealth(t, api, i.url)
	return i
}

func (i *installation) worker(t *testing.T) *harness.Process {
	t.Helper()
	return start(t, i.binary, "worker", i.environment...)
}

// replaceWorker kills a worker and starts another.
func (i *installation) replaceWorker(t *testing.T, random *rand.Rand) {
	t.Helper()
	n := random.IntN(len(i.workers))
	i.workers[n].Kill()
	i.workers[n] = i.worker(t)
}

// rootsFile writes the certificates to trust to a file.
func rootsFile(t *testing.T, pem []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(path, pem, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
