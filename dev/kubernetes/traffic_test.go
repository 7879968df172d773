//go:build cluster

package kubernetes

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"emissor/test/harness"
)

// traffic are callers who issue notes one after the other, half of them live ones, and ask again with the same reference
// until a note is accepted, as the contract says.
type traffic struct {
	installation *installation
	stop         context.CancelFunc
	callers      sync.WaitGroup

	mutex    sync.Mutex
	accepted map[string]accepted // by reference
	failed   []string            // requests that were not answered 202, and were made again
}

// accepted is a note that was answered 202, and whose it is.
type accepted struct {
	id     string
	caller harness.Client
}

// callers is how many there are, and pause what each waits after a note: a steady load that two processors bear.
const (
	callers = 4
	pause   = 200 * time.Millisecond
)

// newTraffic begins it.
func newTraffic(t *testing.T, i *installation, name string) *traffic {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	f := &traffic{installation: i, stop: stop, accepted: map[string]accepted{}}
	o := i.organization
	for number := range callers {
		caller, service := harness.Client{Base: i.url, Key: o.TestKey}, o.TestService
		if number%2 == 0 {
			caller.Key, service = o.LiveKey, o.LiveService
		}
		f.callers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				f.issue(caller, service, fmt.Sprintf("%s-%d-%d", name, number, n))
				time.Sleep(pause)
			}
		})
	}
	return f
}

// issue issues a note, as often as it takes.
func (f *traffic) issue(caller harness.Client, service, reference string) {
	for range 600 {
		var note struct{ ID string }
		answer, err := caller.Call(context.Background(), http.MethodPost, "/v1/nfse",
			harness.Issuance(service, reference))
		if err == nil && answer.Status == http.StatusAccepted {
			err = answer.Decode(&note)
		}
		f.mutex.Lock()
		if err == nil && note.ID != "" {
			f.accepted[reference] = accepted{note.ID, caller}
			f.mutex.Unlock()
			return
		}
		f.failed = append(f.failed, fmt.Sprintf("%s: %d %s %v", reference, answer.Status, answer.Body, err))
		f.mutex.Unlock()
		time.Sleep(100 * time.Millisecond)
	}
}

// awaitMore waits until so many more notes are accepted than now: there is load, and it gets through.
func (f *traffic) awaitMore(t *testing.T, more int) {
	t.Helper()
	wanted := f.count() + more
	await(t, patience, fmt.Sprintf("%d more notes are accepted", more), func(context.Context) bool {
		return f.count() >= wanted
	})
}

func (f *traffic) count() int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return len(f.accepted)
}

// endUnnoticed ends it, and expects besides that no request failed.
func (f *traffic) endUnnoticed(t *testing.T) {
	t.Helper()
	accepted, failed := f.end(t)
	t.Logf("%d notes were accepted and issued", accepted)
	if len(failed) > 0 {
		t.Errorf("requests failed: %q", failed)
	}
}

// end ends it, and expects every accepted note to end, once. It returns the requests that had to be repeated.
func (f *traffic) end(t *testing.T) (accepted int, failed []string) {
	t.Helper()
	f.stop()
	f.callers.Wait()
	var open int
	await(t, patience, "every accepted note is issued", func(ctx context.Context) bool {
		err := f.installation.database.GetContext(ctx, &open, `SELECT count(*) FROM notes WHERE status <> 'issued'`)
		return err == nil && open == 0
	})
	for reference, one := range f.accepted {
		var notes int
		must(t, f.installation.database.GetContext(t.Context(), &notes,
			`SELECT count(*) FROM notes WHERE reference = $1`, reference))
		var note struct{ Status string }
		must(t, one.caller.Must(t.Context(), http.MethodGet, "/v1/nfse/"+one.id, nil, &note))
		if notes != 1 || note.Status != "issued" {
			t.Errorf("%s: %d notes, %s is %s", reference, notes, one.id, note.Status)
		}
	}
	f.compare(t)
	return len(f.accepted), f.failed
}

// compare expects the authority to have issued each live note, once, and nothing else.
func (f *traffic) compare(t *testing.T) {
	t.Helper()
	var live []string
	must(t, f.installation.database.SelectContext(t.Context(), &live,
		`SELECT access_key FROM notes WHERE livemode`))
	var issued []string
	for _, entry := range f.installation.authority.Ledger() {
		issued = append(issued, entry.AccessKey)
	}
	slices.Sort(live)
	slices.Sort(issued)
	if !slices.Equal(live, issued) {
		t.Errorf("the authority issued %d notes, and there are %d live ones, or others", len(issued), len(live))
	}
}
