package store_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"emissor/fiscal/drift"
	"emissor/test/testkit"
)

func driftOf(authority string, n int) drift.Drift {
	return drift.Drift{Fingerprint: fmt.Sprintf("%016x", n), Authority: authority, Call: "issue", Status: 201,
		Media: "application/json", News: ".novo text", Copy: `{"novo":"xxx"}`}
}

// A form is kept once, by the first call that sees it. Each authority has its own limit of forms that are kept.
func TestKeepDrift(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	worker := testkit.OpenStore(t, database.As(testkit.Roles.Worker))
	kept := func(one drift.Drift) bool {
		isNew, err := worker.Operate.KeepDrift(t.Context(), one)
		must(t, err)
		return isNew
	}
	for i := range 198 {
		kept(driftOf("broken", i))
	}
	var news atomic.Int32
	var both sync.WaitGroup
	for i := range 10 { // the same one, and others: two are left
		for _, n := range []int{1000, 2000 + i} {
			both.Go(func() {
				if isNew, err := worker.Operate.KeepDrift(t.Context(), driftOf("broken", n)); err != nil {
					t.Error(err)
				} else if isNew {
					news.Add(1)
				}
			})
		}
	}
	both.Wait()
	if news.Load() != 2 {
		t.Errorf("%d of two are kept", news.Load())
	}
	if kept(driftOf("broken", 0)) || kept(driftOf("broken", 9999)) {
		t.Error("one that is kept is new, or one more is kept")
	}
	if neighbour := driftOf("neighbour", 10_000); !kept(neighbour) || kept(neighbour) {
		t.Error("another authority's is not kept once")
	}
	if rows := database.Count(t, `SELECT count(*) FROM authority_drift WHERE authority = 'broken'`); rows != 200 {
		t.Errorf("%d are kept", rows)
	}
	listed, err := worker.Operate.Drifts(t.Context(), 1000)
	must(t, err)
	if len(listed) != 201 || listed[0].Authority != "neighbour" || listed[0].Copy != "" {
		t.Errorf("%d are listed, and first %+v", len(listed), listed[0])
	}
	one, err := worker.Operate.Drift(t.Context(), listed[0].Fingerprint)
	must(t, err)
	if want := driftOf("neighbour", 10_000); one.Copy != want.Copy || one.News != want.News || one.SeenAt.IsZero() {
		t.Errorf("read is %+v", one)
	}
}
