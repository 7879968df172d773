//go:build faults

package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"

	"emissor/test/harness"
)

// faster is by how much everything that the rules wait for is shortened, so that a test sees them fire;
// their thresholds stay as they are.
const faster = 60

// duration finds the durations of a file of rules: how long something must last, ranges and offsets.
var duration = regexp.MustCompile(`(for: |\[|offset )([0-9]+[smhd])\b`)

// hastened is a file of rules in which everything is over sooner.
func hastened(t *testing.T, text string) string {
	t.Helper()
	return duration.ReplaceAllStringFunc(text, func(found string) string {
		parts := duration.FindStringSubmatch(found)
		lasts, err := model.ParseDuration(parts[2])
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s%dms", parts[1], time.Duration(lasts).Milliseconds()/faster)
	})
}

// prometheus is a Prometheus that watches an installation by the rules that are deployed.
type prometheus struct{ url string }

// watch starts Prometheus, as deploy/prometheus/prometheus.yml has it but for what is shortened.
func (i *installation) watch(ctx context.Context, t *testing.T) *prometheus {
	t.Helper()
	program, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("Prometheus is not installed (on Debian: apt-get install prometheus): no alarm was seen firing")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range ruleFiles {
		write(name, hastened(t, page(t, "deploy/prometheus/"+name)))
	}
	var targets []string
	for _, part := range []*harness.Part{i.api, i.worker} {
		targets = append(targets, "'"+strings.TrimPrefix(part.AdminURL, "http://")+"'")
	}
	config := strings.NewReplacer("interval: 15s", "interval: 500ms", "'127.0.0.1:9090'", strings.Join(targets, ", "),
		"'alertmanager:9093'", "").Replace(page(t, "deploy/prometheus/prometheus.yml"))
	write("prometheus.yml", config)
	address, err := harness.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	process := harness.NewProcess("prometheus", dir, program, []string{
		"--config.file=" + filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path=" + filepath.Join(dir, "data"),
		"--web.listen-address=" + address, "--query.lookback-delta=5s"}, nil)
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(process.Kill)
	p := &prometheus{"http://" + address}
	err = harness.Await(ctx, "Prometheus has scraped every process", func(ctx context.Context) bool {
		if !process.Running() {
			t.Fatalf("Prometheus ended:\n%s", process.LogTail())
		}
		up, err := p.ask(ctx, "up == 1")
		return err == nil && len(up) == len(targets)
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, process.LogTail())
	}
	return p
}

// ask is the labels of what a query finds now.
func (p *prometheus) ask(ctx context.Context, query string) (found []map[string]string, err error) {
	answer, err := (&harness.Client{Base: p.url}).Call(ctx, http.MethodGet,
		"/api/v1/query?query="+url.QueryEscape(query), nil)
	if err != nil {
		return nil, err
	}
	var said struct {
		Error string
		Data  struct {
			Result []struct{ Metric map[string]string }
		}
	}
	if err := json.Unmarshal(answer.Body, &said); err != nil || answer.Status != http.StatusOK {
		return nil, fmt.Errorf("Prometheus answered %d %s: %w", answer.Status, said.Error, err)
	}
	for _, one := range said.Data.Result {
		found = append(found, one.Metric)
	}
	return found, nil
}

// firing are the names of the alarms that fire now, in order.
func (p *prometheus) firing(ctx context.Context) (names []string, err error) {
	found, err := p.ask(ctx, `ALERTS{alertstate="firing"}`)
	for _, one := range found {
		names = append(names, one["alertname"])
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// awaitFiring waits until all these alarms have fired, and meanwhile does something again and again.
func (p *prometheus) awaitFiring(ctx context.Context, t *testing.T, meanwhile func(), alarms ...string) {
	t.Helper()
	known := alerts(t)
	for _, name := range alarms {
		if _, exists := known[name]; !exists {
			t.Fatalf("there is no alarm %s", name)
		}
	}
	left := slices.Clone(alarms)
	p.await(ctx, t, fmt.Sprintf("%q fire", alarms), func(firing []string) bool {
		if meanwhile != nil {
			meanwhile()
		}
		left = slices.DeleteFunc(left, func(name string) bool { return slices.Contains(firing, name) })
		return len(left) == 0
	})
}

// awaitOver waits until none of these alarms fires any more.
func (p *prometheus) awaitOver(ctx context.Context, t *testing.T, alarms ...string) {
	t.Helper()
	p.await(ctx, t, fmt.Sprintf("%q are over", alarms), func(firing []string) bool {
		return !slices.ContainsFunc(alarms, func(name string) bool { return slices.Contains(firing, name) })
	})
}

// await waits until what fires is as it should be.
func (p *prometheus) await(ctx context.Context, t *testing.T, what string, asItShould func(firing []string) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	began := time.Now()
	var last []string
	err := harness.Await(ctx, what, func(ctx context.Context) bool {
		firing, err := p.firing(ctx)
		if err != nil {
			return false
		}
		last = firing
		return asItShould(firing)
	})
	if err != nil {
		t.Fatalf("%v; there fire %q", err, last)
	}
	t.Logf("after %s %s", time.Since(began).Round(time.Second), what)
}
