package dispatch_test

import (
	"context"
	"testing"

	"go.temporal.io/sdk/client"

	"emissor/test/testkit"
	"emissor/worker/admission"
	"emissor/worker/dispatch"
)

// startLoop runs an outbox loop on an engine, by the admission of that client, until
// the returned function is called.
func startLoop(t *testing.T, s *testkit.System, engine client.Client, open *admission.Admission) (stop func()) {
	t.Helper()
	loop := &dispatch.Loop{
		Store:     s.Store,
		Starter:   dispatch.Starter{Client: engine, Queues: s.Queues},
		Admission: open,
		Metrics:   s.Metrics,
		Logger:    testkit.Logger(t),
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); loop.Run(ctx) }()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

// While the engine is away notes are accepted, wait where an operator sees why,
// and are started when it is back.
func TestOutboxLoop_EngineAway(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{})
	nowhere, err := client.NewLazyClient(client.Options{HostPort: "127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	defer nowhere.Close()
	stop := startLoop(t, s, nowhere, admission.New(admission.DefaultLatency))
	service := s.NewService(t, s.TestKey)
	for _, reference := range []string{"a", "b", "c"} {
		s.Issue(t, s.TestKey, testkit.Issuance(service, reference))
	}
	testkit.Eventually(t, "every row says why it waits", func() bool {
		return s.Count(t, `SELECT count(*) FROM outbox WHERE last_error <> '' AND attempts > 0`) == 3
	})
	stop()

	engine := testkit.NewTemporal(t, testkit.Logger(t))
	startLoop(t, s, engine, admission.New(admission.DefaultLatency))
	testkit.Eventually(t, "the outbox is empty", func() bool { return s.Count(t, `SELECT count(*) FROM outbox`) == 0 })
	for _, reference := range []string{"a", "b", "c"} {
		id := s.Organization.ID + "/test/" + reference
		if _, err := engine.DescribeWorkflow(t.Context(), id, ""); err != nil {
			t.Errorf("%s was not started: %v", id, err)
		}
		_ = engine.TerminateWorkflow(t.Context(), id, "", "the test has no worker")
	}
}

// Two loops never start one row twice at the same time; what both tried is a
// success all the same.
func TestOutboxLoop_SeveralLoops(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	startLoop(t, s, s.Temporal, s.Admission)
	startLoop(t, s, s.Temporal, s.Admission)
	service := s.NewService(t, s.TestKey)
	const notes = 60
	for i := range notes {
		s.Issue(t, s.TestKey, testkit.Issuance(service, string(rune('A'+i))))
	}
	testkit.Eventually(t, "every note is issued", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE status = 'issued'`) == notes
	})
	if events := s.Count(t, `SELECT count(*) FROM events`); events != notes {
		t.Errorf("%d events of %d notes", events, notes)
	}
}
