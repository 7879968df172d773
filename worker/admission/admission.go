// Package admission decides when another workflow run may be begun: runs that are open go
// first, and no more are begun than the engine answers in time.
//
// An engine that is late gets later with every further start. So each run that a
// process begins has a Permit until its first workflow task is answered, or until
// it only waits for somebody else (an authority, a receiver). How many permits
// there are follows how long these tasks take the engine and the database: more
// while that is good, fewer when it grows. A run that waits, is held or is between
// two attempts has no workflow task and therefore no permit: however many such runs
// there are, they stop nothing.
//
// The time that is good is absolute on purpose. Limits that compare with a baseline of their own, as failsafe-go's
// adaptive limiter, take an overload that they start in for normal, and of several processes the last one gets
// everything. With one time for all, processes that share an engine come to share it evenly.
//
// An Admission watches the workflow tasks of a process through the connection to
// the engine, so it is made before the client:
//
//	open := admission.New(admission.DefaultLatency)
//	engine, err := client.Dial(client.Options{ConnectionOptions: client.ConnectionOptions{
//		DialOptions: open.DialOptions(),
//	}})
//	permit, err := open.Acquire(ctx)
//	_, err = engine.ExecuteWorkflow(permit.Context(ctx), ...)
//	permit.Started()
package admission

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
)

// lostAfter is longer than a workflow task may take: one that was not answered by
// then was lost, with its worker or on the way.
const lostAfter = 15 * time.Second

// Admission limits and counts the runs of one process that have a workflow task to answer.
type Admission struct {
	// Answered is told of each request to the engine but polls, by its operation and its gRPC code;
	// nil: nobody is. It is set before the client is made.
	Answered func(operation, code string, took time.Duration)

	connection atomic.Pointer[grpc.ClientConn] // to the engine; nil before the first call

	mu    sync.Mutex
	limit *limit
	open  int
	freed chan struct{}    // closed, and replaced, when a permit may be there
	tasks map[string]*task // by task token
	runs  map[string]*task // by run id
}

// task is a workflow task that this process is to answer.
type task struct {
	token, runID string
	permit       *Permit
}

// New makes the admission of a process. good is what the first task of a run may take;
// more than DefaultLatency where the engine is far away.
func New(good time.Duration) *Admission {
	return &Admission{
		limit: newLimit(good), freed: make(chan struct{}), tasks: map[string]*task{}, runs: map[string]*task{},
	}
}

// Limit returns how many runs may be open now.
func (a *Admission) Limit() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.limit.now()
}

// Open returns how many runs are open.
func (a *Admission) Open() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open
}

// Permit is the right to begin one run.
type Permit struct {
	admission *Admission
	since     time.Time
	tracked   bool // its first workflow task came to this process
	returned  bool
	away      bool // the engine could not be reached with it, or takes no starts
}

// Acquire waits until another run may be begun. The caller must call Started once the
// engine has taken the run, and else Drop.
func (a *Admission) Acquire(ctx context.Context) (*Permit, error) {
	permit, freed := a.try()
	if permit != nil {
		return permit, nil
	}
	lost := time.NewTicker(time.Second)
	defer lost.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-freed:
		case <-lost.C:
			a.forgetLost(time.Now())
		}
		if permit, freed = a.try(); permit != nil {
			return permit, nil
		}
	}
}

// Probe returns a permit even above the limit, to find out whether an engine that was away
// is back. The caller must call Started or Drop, as after Acquire.
func (a *Admission) Probe() *Permit {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open++
	return &Permit{admission: a, since: time.Now()}
}

// try returns a permit, or a channel that is closed when there may be one.
func (a *Admission) try() (*Permit, <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open >= a.limit.now() {
		a.limit.reached = true
		return nil, a.freed
	}
	a.open++
	return &Permit{admission: a, since: time.Now()}, nil
}

// giveBack returns a permit once. How long it was held counts for the limit, if counts is set.
func (a *Admission) giveBack(p *Permit, counts bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p.returned {
		return
	}
	p.returned = true
	a.open--
	if now := time.Now(); counts {
		a.limit.took(now.Sub(p.since), now)
	}
	close(a.freed)
	a.freed = make(chan struct{})
}

type permitKey struct{}

// Context returns the context to begin the run with.
func (p *Permit) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, permitKey{}, p)
}

// EngineAway reports whether the start of the run failed because of the engine: it could not
// be reached, or takes no starts now. Any other failure may be because of the run itself.
func (p *Permit) EngineAway() bool {
	p.admission.mu.Lock()
	defer p.admission.mu.Unlock()
	return p.away
}

// of reports whether the permit is one of this admission.
func (p *Permit) of(a *Admission) bool { return p != nil && p.admission == a }

// Started records that the engine has taken the run. The permit is given back with the
// run's first workflow task, or at once when that goes to another process.
func (p *Permit) Started() {
	p.admission.mu.Lock()
	tracked := p.tracked
	p.admission.mu.Unlock()
	if !tracked {
		p.admission.giveBack(p, true)
	}
}

// Drop gives back a permit with which nothing was begun.
func (p *Permit) Drop() { p.admission.giveBack(p, false) }

// Late gives back the permit of a start that the engine has not answered yet. It counts as a
// late task, so that fewer runs may be open.
func (p *Permit) Late() { p.admission.giveBack(p, true) }

// Waits records that a run of this process from now on waits for somebody else, and
// gives its permit back.
func (a *Admission) Waits(runID string) {
	a.mu.Lock()
	t := a.runs[runID]
	a.mu.Unlock()
	if t != nil {
		a.answered(t.token)
	}
}

// began tracks the first workflow task of a run that was begun with a permit.
func (a *Admission) began(p *Permit, token []byte, runID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p.tracked = true
	a.track(p, token, runID)
}

// polled tracks a workflow task that this process polled. It needs no permit, but
// counts as open, so that fewer runs are begun meanwhile.
func (a *Admission) polled(token []byte, runID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open++
	a.track(&Permit{admission: a, since: time.Now()}, token, runID)
}

func (a *Admission) track(p *Permit, token []byte, runID string) {
	t := &task{token: string(token), runID: runID, permit: p}
	a.tasks[t.token], a.runs[runID] = t, t
}

// answered gives back the permit of a workflow task.
func (a *Admission) answered(token string) {
	if t := a.forget(token); t != nil {
		a.giveBack(t.permit, true)
	}
}

func (a *Admission) forget(token string) *task {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.tasks[token]
	if t == nil {
		return nil
	}
	delete(a.tasks, token)
	if a.runs[t.runID] == t {
		delete(a.runs, t.runID)
	}
	return t
}

// forgetLost gives back the permits of tasks that will not be answered any more.
func (a *Admission) forgetLost(now time.Time) {
	var lost []string
	a.mu.Lock()
	for token, t := range a.tasks {
		if now.Sub(t.permit.since) > lostAfter {
			lost = append(lost, token)
		}
	}
	a.mu.Unlock()
	for _, token := range lost {
		a.answered(token)
	}
}
