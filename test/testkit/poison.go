package testkit

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"

	"emissor/internal/retry"
	"emissor/workflows"
)

// Harm is what an attempt at a poison row does.
type Harm string

// The harms.
const (
	Fails  Harm = "fails"
	Panics Harm = "panics"
	Hangs  Harm = "hangs" // no matter what its context says, until the row is mended
)

// Harms are all of them.
var Harms = []Harm{Fails, Panics, Hangs}

// Do does the harm: it fails, panics, or hangs until it is mended.
func (h Harm) Do(corrected <-chan struct{}) error {
	switch h {
	case Panics:
		panic("a poison row")
	case Hangs:
		<-corrected
	}
	return errors.New("a poison row")
}

// QuickPauses are pauses after failures on our side that a test can wait for.
var QuickPauses = retry.Backoff{Initial: 50 * time.Millisecond, Max: 400 * time.Millisecond}

// Poison lets every attempt at some rows do harm. It is an interceptor of a worker.
type Poison struct {
	interceptor.WorkerInterceptorBase

	mu   sync.Mutex
	rows map[string]*poisonRow
}

type poisonRow struct {
	harms     map[string]Harm // by activity; of every one where it has no name
	met       map[string]int
	corrected chan struct{}
}

// NewPoison makes one whose rows are mended when the test ends, so that nothing hangs.
func NewPoison(t testing.TB) *Poison {
	p := &Poison{rows: map[string]*poisonRow{}}
	t.Cleanup(func() {
		for id := range p.rows {
			p.AutoFix(id)
		}
	})
	return p
}

// Add makes a row poison, in these activities or, where there are none, in every one. What
// was added before stays.
func (p *Poison) Add(id string, harm Harm, activities ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	row := p.rows[id]
	if row == nil {
		row = &poisonRow{harms: map[string]Harm{}, met: map[string]int{}, corrected: make(chan struct{})}
		p.rows[id] = row
	}
	if len(activities) == 0 {
		activities = []string{""}
	}
	for _, activity := range activities {
		row.harms[activity] = harm
	}
}

// AutoFix lets a row do no harm any more.
func (p *Poison) AutoFix(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if row := p.rows[id]; len(row.harms) > 0 {
		clear(row.harms)
		close(row.corrected)
	}
}

// Met is how often attempts at a row did harm, in an activity or, where it has no name, in
// all.
func (p *Poison) Met(id, activity string) (met int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, times := range p.rows[id].met {
		if activity == "" || name == activity {
			met += times
		}
	}
	return met
}

// InterceptActivity implements interceptor.WorkerInterceptor.
func (p *Poison) InterceptActivity(_ context.Context,
	next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	return &poisoned{interceptor.ActivityInboundInterceptorBase{Next: next}, p}
}

type poisoned struct {
	interceptor.ActivityInboundInterceptorBase
	poison *Poison
}

// ExecuteActivity implements interceptor.ActivityInboundInterceptor.
func (p *poisoned) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	if harm, corrected := p.poison.of(in.Args, activity.GetInfo(ctx).ActivityType.Name); harm != "" {
		return nil, harm.Do(corrected)
	}
	return p.Next.ExecuteActivity(ctx, in)
}

func (p *Poison) of(arguments []any, name string) (harm Harm, corrected <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, argument := range arguments {
		id, _ := argument.(string)
		if input, is := argument.(workflows.ExchangeInput); is {
			id = input.NoteID
		}
		row := p.rows[id]
		if row == nil {
			continue
		}
		if harm := cmp.Or(row.harms[name], row.harms[""]); harm != "" {
			row.met[name]++
			return harm, row.corrected
		}
	}
	return "", nil
}
