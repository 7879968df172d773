package worker_test

import (
	"fmt"
	"strings"
	"testing"

	"go.temporal.io/api/enums/v1"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/workflows"
)

// The budget of a plain live note, from its request to its end: what a note may have beyond the
// API costs one that has none of it no statement, commit, workflow task or event. The least of
// several notes counts, as the worker also asks for what is no note's.
func TestLiveNote_Budget(t *testing.T) {
	t.Parallel()
	tap := &testkit.Wiretap{}
	n := newNationalIn(t, func(*national.Options, *sefin.Simulator) {}, testkit.Options{Connect: tap.Connect})
	scope := nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
	var least []string
	var commits, tasks, events int
	for i := range 10 {
		reference := fmt.Sprint("order ", i)
		tap.Take()
		n.Issue(t, n.LiveKey, testkit.Issuance(n.service, reference))
		awaitStarted(t, n.System)
		history := eventsOf(t, n.System, workflows.NoteID(scope, reference))
		if counted, committed := costOf(tap.Take()); least == nil || len(counted) < len(least) {
			least, commits = counted, committed
		}
		if i == 0 || len(history) < events {
			tasks, events = count(history, enums.EVENT_TYPE_WORKFLOW_TASK_STARTED), len(history)
		}
	}
	if tasks != 1 || events > 7 {
		t.Errorf("%d workflow tasks and %d history events, the budget is 1 and 7", tasks, events)
	}
	if len(least) != 15 || commits != 2 { // to the API 5 and 1
		t.Errorf("%d statements and %d COMMIT, the budget is 15 and 2:\n%s", len(least), commits,
			strings.Join(least, "\n"))
	}
}

// costOf are the statements that count, and how many transactions were committed by a statement
// of its own. Looking for what is due is no single note's.
func costOf(statements []string) (counted []string, commits int) {
	for _, statement := range statements {
		words := strings.Fields(statement)
		switch {
		case words[0] == "COMMIT":
			commits++
		case words[0] == "BEGIN", words[0] == ";", strings.HasPrefix(strings.Join(words, " "), "WITH RECURSIVE lane"):
		default:
			counted = append(counted, strings.Join(words, " "))
		}
	}
	return counted, commits
}
