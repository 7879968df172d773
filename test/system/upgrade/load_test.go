//go:build upgrade

package upgrade

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"emissor/test/harness"
)

// load are callers that issue notes, read, repeat and cancel them, until they are told to end.
type load struct {
	client http.Client
	base   string
	kinds  []kind

	end     atomic.Bool
	callers sync.WaitGroup

	mu       sync.Mutex
	requests int
	failed   []string // requests that were not answered as they must be
	notes    []issued
}

// kind is a way by which notes are issued.
type kind struct{ name, key, service, scenario string }

// issued is a note that was accepted.
type issued struct {
	kind
	id        string
	cancelled bool // it was to be
}

const (
	callers = 3
	// pause is between two notes of a caller: the load is steady, and leaves the machine time for an upgrade.
	pause = 200 * time.Millisecond
)

func startLoad(t *testing.T, base string, kinds []kind) *load {
	l := &load{client: http.Client{Timeout: time.Minute}, base: base, kinds: kinds}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for caller := range callers {
		random := rand.New(rand.NewPCG(seed, uint64(caller)))
		l.callers.Go(func() {
			for n := 0; !l.end.Load(); n++ {
				l.issue(t.Context(), l.kinds[random.IntN(len(l.kinds))], fmt.Sprintf("load-%d-%d", caller, n), random.IntN)
				time.Sleep(pause)
			}
		})
	}
	t.Cleanup(l.stop)
	return l
}

// stop ends the callers, and waits for them.
func (l *load) stop() {
	l.end.Store(true)
	l.callers.Wait()
}

// issue has a note accepted, perhaps twice by the same request, reads it, and perhaps cancels it at any moment of its
// life.
func (l *load) issue(ctx context.Context, by kind, reference string, draw func(n int) int) {
	body := harness.Issuance(by.service, reference)
	if by.scenario != "" {
		body["sandbox_scenario"] = by.scenario
	}
	var accepted struct{ ID string }
	if !l.call(ctx, by, http.MethodPost, "/v1/nfse", body, &accepted, http.StatusAccepted) {
		return
	}
	note := issued{kind: by, id: accepted.ID}
	if draw(5) == 1 {
		again := accepted
		if l.call(ctx, by, http.MethodPost, "/v1/nfse", body, &again, http.StatusOK, http.StatusAccepted) &&
			again != accepted {
			l.fail("%s is %s and %s", reference, accepted.ID, again.ID)
		}
	}
	l.call(ctx, by, http.MethodGet, "/v1/nfse/"+note.id, nil, nil, http.StatusOK)
	if by.scenario != "rejected" && draw(4) == 1 {
		time.Sleep(time.Duration(draw(500)) * time.Millisecond)
		note.cancelled = l.cancel(ctx, note)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notes = append(l.notes, note)
}

func (l *load) cancel(ctx context.Context, note issued) bool {
	return l.call(ctx, note.kind, http.MethodPost, "/v1/nfse/"+note.id+"/cancel",
		map[string]any{"reason_code": "1", "reason_text": "emitida com valor errado"}, nil,
		http.StatusOK, http.StatusAccepted)
}

// cancelAny cancels notes of which these are the ids, and which nobody has cancelled: so many.
func (l *load) cancelAny(ctx context.Context, ids []string, most int) {
	l.mu.Lock()
	notes := slices.Clone(l.notes) // which is only added to
	l.mu.Unlock()
	for n, note := range notes {
		if most == 0 {
			return
		}
		if note.cancelled || !slices.Contains(ids, note.id) || !l.cancel(ctx, note) {
			continue
		}
		l.mu.Lock()
		l.notes[n].cancelled = true
		l.mu.Unlock()
		most--
	}
}

// never draws what has a note only issued and read.
func never(int) int { return 0 }

// call makes one request; nobody repeats it. It must be answered by one of the statuses.
func (l *load) call(ctx context.Context, by kind, method, path string, body, answer any, statuses ...int) bool {
	api := harness.Client{Base: l.base, Key: by.key, HTTP: &l.client}
	got, err := api.Call(ctx, method, path, body)
	if err == nil && answer != nil {
		err = got.Decode(answer)
	}
	l.mu.Lock()
	l.requests++
	l.mu.Unlock()
	if err != nil || !slices.Contains(statuses, got.Status) {
		l.fail("%s %s %s: %d %s %v", by.name, method, path, got.Status, got.Body, err)
		return false
	}
	return true
}

func (l *load) fail(format string, arguments ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = append(l.failed, time.Now().Format(time.StampMilli)+" "+fmt.Sprintf(format, arguments...))
}

// accepted is how many notes are.
func (l *load) accepted() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.notes)
}
