package worker_test

import (
	"fmt"
	"testing"

	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// Two engines have the same notes at once, as when a region is given up and comes back: the second one knows nothing
// of what the first began. The database lets only one of them take each step, so that each note is issued once.
func TestAnotherEngine_NothingTwice(t *testing.T) {
	t.Parallel()
	const each = 8
	n := newNational(t, nil, nil)
	// Half of the answers are lost: these notes exist at the authority, and nobody here knows it yet.
	n.faults(t, sefin.Fault{Kind: sefin.Drop, Scope: sefin.Issue, After: true, Next: each / 2},
		sefin.Fault{Kind: sefin.Status, Scope: sefin.Query, Status: 503})
	service := n.NewService(t, n.TestKey)
	ids := map[string]string{} // keys by ids
	for i := range each {
		ids[n.Issue(t, n.LiveKey, testkit.Issuance(n.service, fmt.Sprint("live ", i)))] = n.LiveKey
		body := testkit.Issuance(service, fmt.Sprint("test ", i))
		body["sandbox_scenario"] = nfse.ScenarioSlow
		ids[n.Issue(t, n.TestKey, body)] = n.TestKey
	}
	testkit.Eventually(t, "notes are in doubt", func() bool {
		return n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE state = 'in_doubt'`) >= each/2
	})

	n.Worker.Stop() // its engine has their runs, open
	second := n.OnAnotherEngine(t)
	worker := second.StartWorker(t)
	t.Cleanup(worker.Stop)
	n.Exec(t, `UPDATE notes SET requeue_after = now() - interval '1 second' WHERE status IN ('queued', 'processing')`)
	open := n.Count(t, `SELECT count(*) FROM notes WHERE status IN ('queued', 'processing')`)
	if open < each/2 {
		t.Fatalf("%d notes have not ended, and %d are in doubt", open, each/2)
	}
	runMaintenanceUntil(t, second, "the second engine has runs of the notes that have not ended", func() bool {
		return len(testkit.EngineRuns(t, second.Temporal, second.Queues.Notes())) >= open
	})
	n.Worker = n.StartWorker(t) // the first one is back, and its runs go on
	n.faults(t)
	for id, key := range ids {
		n.Await(t, key, id, nfse.StatusIssued)
	}
	if ledger := n.authority.Ledger(); len(ledger) != each {
		t.Errorf("the authority has %d documents of %d notes", len(ledger), each)
	}
	if events := n.Count(t, `SELECT count(*) FROM events`); events != 2*each {
		t.Errorf("%d notes have %d events", 2*each, events)
	}
	if alarms := n.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'alarm'`); alarms != 0 {
		t.Errorf("%d steps alarm", alarms)
	}
}
