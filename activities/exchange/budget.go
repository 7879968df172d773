package exchange

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"emissor/store"
	"emissor/store/lifecycle"
)

const (
	// grantSeconds is for how long a process takes calls from the budget at once, or counts them
	// together, so that not every call writes a row.
	grantSeconds = 0.1
	// grantLasts is within what time it may make them.
	grantLasts = time.Second
	// askTimeout is how long taking them may last; after it calls go to the authority's queue.
	askTimeout = 2 * time.Second
)

// Budget bounds the calls of all workers together by the rate of an authority. Calls from the
// authority's queue, whose rate the engine limits, are made in any case and counted; those
// within a workflow task are made only if the budget has some left.
type Budget struct {
	Store  *store.Store
	Rates  map[string]float64 // calls a second, by authority
	Logger *slog.Logger

	mu      sync.Mutex
	granted map[string]grant
	spent   map[string]spending
}

type grant struct {
	calls int
	until time.Time
}

// spending is what was made in any case and is not counted yet, and when that was done last.
type spending struct {
	calls   int
	counted time.Time
}

func (b *Budget) of(authority string) lifecycle.CallBudget {
	rate := b.Rates[authority]
	return lifecycle.CallBudget{Authority: authority, Rate: rate, Burst: max(1, rate)}
}

// take takes one call, if there is one.
func (b *Budget) take(ctx context.Context, authority string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	g := b.granted[authority]
	if g.calls == 0 || time.Now().After(g.until) {
		bounded, cancel := context.WithTimeout(ctx, askTimeout)
		defer cancel()
		calls, err := b.Store.Lifecycle.TakeCalls(bounded, b.of(authority), max(1, int(grantSeconds*b.Rates[authority])))
		if err != nil {
			b.Logger.WarnContext(ctx, "the call budget of an authority could not be asked for", "error", err)
		}
		g = grant{calls, time.Now().Add(grantLasts)}
	}
	if b.granted == nil {
		b.granted = map[string]grant{}
	}
	ok := g.calls > 0
	if ok {
		g.calls--
	}
	b.granted[authority] = g
	return ok
}

// spend counts a call that is made in any case: at once, or with the next one where others were
// counted a moment ago. What stays uncounted once no calls are made any more would be filled up
// again by then.
func (b *Budget) spend(ctx context.Context, authority string) {
	b.mu.Lock()
	made := b.spent[authority]
	made.calls++
	calls := 0
	if time.Since(made.counted).Seconds() > grantSeconds {
		calls, made = made.calls, spending{counted: time.Now()}
	}
	if b.spent == nil {
		b.spent = map[string]spending{}
	}
	b.spent[authority] = made
	b.mu.Unlock()
	if calls == 0 {
		return
	}
	if err := b.Store.Lifecycle.SpendCalls(ctx, b.of(authority), calls); err != nil {
		b.Logger.WarnContext(ctx, "a call could not be counted in the budget of its authority", "error", err)
	}
}
