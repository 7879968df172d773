package dispatch_test

import (
	"fmt"
	"testing"

	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"emissor/nfse"
	"emissor/store/outbox"
	"emissor/test/testkit"
	"emissor/worker/dispatch"
	"emissor/workflows"
)

// After the database was restored a caller sends a note again that it no longer has, while the run of the lost note is
// still open under the reference: the note's own run replaces it. A row of an earlier note replaces nothing.
func TestStarter_RunOfALostNote(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	nobody := dispatch.Starter{Client: s.Temporal, Queues: workflows.Queues{Prefix: s.Organization.ID}}
	start := outbox.Start{Kind: outbox.StartNote, SubjectID: nfse.NewID(nfse.PrefixNote), Reference: "sent-again",
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

// In Temporal's UI the run of a delivery says what it sends where, without the path, and a note's search finds it.
func TestStarter_SaysWhatADeliveryIs(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	startLoop(t, s, s.Temporal, s.Admission)
	s.NewEndpoint(t, "http://127.0.0.1:1/path?token=secret", false)
	note := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "delivered"))
	query := fmt.Sprintf("NoteId = '%s' AND WorkflowType = '%s'", note, workflows.DeliveryType)
	var found []*workflow.WorkflowExecutionInfo
	testkit.Eventually(t, "a note's search finds its delivery", func() bool {
		list, err := s.Temporal.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		found = list.Executions
		return len(found) == 1
	})
	expectSummary(t, s, found[0].Execution.WorkflowId, "nfse.issued of "+note+" to 127.0.0.1:1 (test)")
}

// A distribution says whose it is; what its later runs say is in its memo.
func TestStarter_SaysWhatADistributionIs(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	nobody := dispatch.Starter{Client: s.Temporal, Queues: workflows.Queues{Prefix: s.Organization.ID}}
	start := outbox.Start{Kind: outbox.StartDistribution, SubjectID: "dst_of_" + s.Organization.ID,
		Scope: nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}}
	if outcome, err := nobody.Start(t.Context(), start); err != nil || outcome != "started" {
		t.Fatalf("started: %s, %v", outcome, err)
	}
	expected := "what happens outside to the notes of one issuer of " + s.Organization.ID + " (live)"
	run := expectSummary(t, s, start.SubjectID, expected)
	var memo string
	if err := converter.GetDefaultDataConverter().FromPayload(run.Memo.GetFields()["summary"], &memo); err != nil ||
		memo != expected {
		t.Errorf("its memo says %q, %v", memo, err)
	}
	if err := s.Temporal.TerminateWorkflow(t.Context(), start.SubjectID, "", "the test has no worker"); err != nil {
		t.Error(err)
	}
}

func expectSummary(t *testing.T, s *testkit.System, id, expected string) *client.WorkflowExecutionDescription {
	t.Helper()
	run, err := s.Temporal.DescribeWorkflow(t.Context(), id, "")
	if err != nil {
		t.Fatal(err)
	}
	if summary, err := run.GetStaticSummary(); err != nil || summary != expected {
		t.Errorf("%s says %q, %v, expected %q", id, summary, err, expected)
	}
	return run
}
