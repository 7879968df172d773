package worker_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/workflows"
)

// The budget of a plain live note, from its request to its end: what a note may have beyond the
// API costs one that has none of it no statement, commit, workflow task or event. One note within
// the budget is enough: the worker also asks for what is no note's, and after a slow attempt notes
// go by the authority's queue for ten seconds.
func TestLiveNote_Budget(t *testing.T) {
	t.Parallel()
	tap := &testkit.Wiretap{}
	n := newNationalIn(t, func(*national.Options, *sefin.Simulator) {}, testkit.Options{Connect: tap.Connect})
	scope := nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
	for i, began := 0, time.Now(); ; i++ {
		reference := fmt.Sprint("order ", i)
		tap.Take()
		n.Issue(t, n.LiveKey, testkit.Issuance(n.service, reference))
		awaitStarted(t, n.System)
		events := eventsOf(t, n.System, workflows.NoteID(scope, reference))
		tasks := count(events, enums.EVENT_TYPE_WORKFLOW_TASK_STARTED)
		statements, commits := costOf(tap.Take())
		if len(statements) <= 15 && commits <= 2 && tasks <= 1 && len(events) <= 7 { // of them the API's 5 and 1
			return
		}
		if i >= 10 && time.Since(began) > 15*time.Second {
			t.Fatalf("%d statements, %d COMMIT, %d workflow tasks and %d events; the budget is 15, 2, 1 and 7:\n%s",
				len(statements), commits, tasks, len(events), strings.Join(statements, "\n"))
		}
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
