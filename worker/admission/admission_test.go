package admission

import (
	"context"
	"errors"
	"testing"
	"time"
)

func acquire(t *testing.T, a *Admission, permits int) (acquired []*Permit) {
	t.Helper()
	for range permits {
		permit, err := a.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		acquired = append(acquired, permit)
	}
	return acquired
}

// full reports whether no permit is left.
func full(t *testing.T, a *Admission) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	permit, err := a.Acquire(ctx)
	if err == nil {
		permit.Drop()
	}
	return errors.Is(err, context.Canceled)
}

// A run is open until its first workflow task is answered; one whose task went to
// another process is not this one's to count.
func TestAdmission_OpenUntilAnswered(t *testing.T) {
	a := New(DefaultLatency)
	permits := acquire(t, a, firstLimit)
	if !full(t, a) {
		t.Fatal("there are more permits than the limit")
	}
	a.began(permits[0], []byte("task"), "run")
	permits[0].Started()
	if !full(t, a) {
		t.Error("a run with an open task is not counted")
	}
	a.answered("task")
	a.answered("task")
	if a.Open() != firstLimit-1 {
		t.Errorf("%d are open after one was answered", a.Open())
	}
	permits[1].Started() // without a task
	permits[1].Started()
	permits[2].Drop()
	if a.Open() != firstLimit-3 {
		t.Errorf("%d are open", a.Open())
	}
}

// A run that waits for somebody else stops nothing.
func TestAdmission_WaitsDoNotCount(t *testing.T) {
	a := New(DefaultLatency)
	permit := acquire(t, a, 1)[0]
	a.began(permit, []byte("task"), "run")
	a.Waits("run")
	a.Waits("run")
	a.Waits("another's run")
	if a.Open() != 0 {
		t.Errorf("%d are open", a.Open())
	}
	permit.Started()
	a.answered("task")
	if a.Open() != 0 {
		t.Errorf("%d are open", a.Open())
	}
}

// What is open already goes before what is new: tasks that the process asked for
// take permits, even more than there are.
func TestAdmission_PolledTasksCount(t *testing.T) {
	a := New(DefaultLatency)
	for i := range firstLimit + 5 {
		a.polled([]byte{byte(i)}, string(rune('a'+i)))
	}
	if !full(t, a) {
		t.Error("something new is begun before what is open")
	}
	for i := range firstLimit + 5 {
		a.answered(string([]byte{byte(i)}))
	}
	if a.Open() != 0 || full(t, a) {
		t.Errorf("%d are open", a.Open())
	}
}

// A task that nobody will answer gives its permit back in the end.
func TestAdmission_LostTask(t *testing.T) {
	a := New(DefaultLatency)
	permit := acquire(t, a, 1)[0]
	a.began(permit, []byte("task"), "run")
	permit.Started()
	a.forgetLost(time.Now())
	if a.Open() != 1 {
		t.Error("a task is given up early")
	}
	a.forgetLost(time.Now().Add(lostAfter + time.Second))
	if a.Open() != 0 {
		t.Error("a lost task keeps its permit")
	}
}

// Who waits for a permit gets the one that is given back.
func TestAdmission_WaitingForAPermit(t *testing.T) {
	a := New(DefaultLatency)
	permits := acquire(t, a, firstLimit)
	acquired := make(chan error)
	go func() {
		_, err := a.Acquire(context.WithoutCancel(t.Context()))
		acquired <- err
	}()
	permits[0].Drop()
	if err := <-acquired; err != nil {
		t.Error(err)
	}
}

// A permit of one connection used on another is returned to its own.
func TestAdmission_PermitOfAnotherConnection(t *testing.T) {
	a, other := New(DefaultLatency), New(DefaultLatency)
	permit := acquire(t, a, 1)[0]
	if permit.of(other) || !permit.of(a) {
		t.Error("a permit does not know its own admission")
	}
	var none *Permit
	if none.of(a) {
		t.Error("no permit is one of this connection's")
	}
}
