package dispatch_test

import (
	"testing"

	"go.temporal.io/sdk/client"

	"emissor/dispatch"
	"emissor/nfse"
	"emissor/store"
	"emissor/test/testkit"
	"emissor/workflows"
)

// After the database was restored a caller sends a note again that it no longer has, while the run of the lost note is
// still open under the reference: the note's own run replaces it. A row of an earlier note replaces nothing.
func TestStarter_RunOfALostNote(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	nobody := dispatch.Starter{Client: s.Temporal, Queues: workflows.Queues{Prefix: s.Organization.ID}}
	start := store.Start{Kind: store.StartNote, SubjectID: nfse.NewID(nfse.PrefixNote), Reference: "sent-again",
		Scope: nfse.Scope{OrganizationID: s.Organization.ID}}
	expect := func(expected string) {
		t.Helper()
		if outcome, err := nobody.Start(t.Context(), start); err != nil || outcome != expected {
			t.Errorf("started: %s, %v", outcome, err)
		}
	}
	run := func() *client.WorkflowExecutionDescription {
		run, err := s.Temporal.DescribeWorkflow(t.Context(), workflows.NoteID(start.Scope, start.Reference), "")
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	expect("started")
	expect("open") // the same row again
	lost := run().WorkflowExecution.RunID

	startLoop(t, s, s.Temporal, s.Admission)
	note := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), start.Reference))
	s.Await(t, s.TestKey, note, nfse.StatusIssued)
	if run().WorkflowExecution.RunID == lost {
		t.Error("the run of the lost note is there")
	}

	late := start
	start.SubjectID, start.Reference = nfse.NewID(nfse.PrefixNote), "late"
	expect("started")
	later := run().WorkflowExecution.RunID
	start.SubjectID = late.SubjectID
	expect("open")
	if run().WorkflowExecution.RunID != later {
		t.Error("a late row has replaced the run of a later note")
	}
	if err := s.Temporal.TerminateWorkflow(t.Context(), workflows.NoteID(start.Scope, start.Reference), "",
		"the test has no worker"); err != nil {
		t.Error(err)
	}
}
