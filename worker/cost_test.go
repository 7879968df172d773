package worker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"
	"go.temporal.io/api/enums/v1"

	"emissor/fiscal/national"
	"emissor/nfse"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/workflows"
)

// patience is how long a sample within a budget is waited for: a busy machine is slow, not dear.
const patience = 2 * time.Minute

// withinBudget repeats a sample, each of another reference, until one has nothing above its budget.
func withinBudget(t *testing.T, name string, sample func(reference string) (above string)) {
	t.Helper()
	for i, began := 0, time.Now(); ; i++ {
		above := sample(fmt.Sprint(name, " ", i))
		if above == "" {
			return
		}
		if i >= 10 && time.Since(began) > patience {
			t.Fatal(above)
		}
	}
}

// The budget of a plain live note, from its request to its end: what a note may have beyond the
// API costs one that has none of it no statement, commit, workflow task or event. One note within
// the budget is enough: the worker also asks for what is no note's, and after a slow attempt notes
// go by the authority's queue for ten seconds.
func TestLiveNote_Budget(t *testing.T) {
	t.Parallel()
	liveNoteBudget(t, testkit.Options{})
}

func liveNoteBudget(t *testing.T, options testkit.Options) {
	t.Helper()
	tap := &testkit.Wiretap{}
	options.Connect = tap.Connect
	n := newNationalIn(t, func(*national.Options, *sefin.Simulator) {}, options)
	scope := nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
	withinBudget(t, "order", func(reference string) string {
		tap.Take()
		n.Issue(t, n.LiveKey, testkit.Issuance(n.service, reference))
		awaitStarted(t, n.System)
		events := eventsOf(t, n.System, workflows.NoteID(scope, reference))
		tasks := count(events, enums.EVENT_TYPE_WORKFLOW_TASK_STARTED)
		all, commits := costOf(tap.Take())
		statements := slices.DeleteFunc(slices.Clone(all), ofTheProcess)
		grants := len(slices.DeleteFunc(all, func(s string) bool { return !drawsCalls(s) }))
		// Of the statements the API's 5, of the commits its 1.
		if len(statements) <= 15 && grants <= 1 && commits <= 2 && tasks <= 1 && len(events) <= 7 {
			return ""
		}
		return fmt.Sprintf("%d statements, %d draws on the authority's budget, %d COMMIT, %d workflow tasks and "+
			"%d events; the budget is 15, 1, 2, 1 and 7:\n%s", len(statements), grants, commits, tasks, len(events),
			strings.Join(statements, "\n"))
	})
}

// atOnce issues notes until one has a history of at most 10 events, as those that go to no queue.
func (n nationally) atOnce(t *testing.T, name string) {
	t.Helper()
	withinBudget(t, name, func(reference string) string {
		n.Await(t, n.LiveKey, n.Issue(t, n.LiveKey, testkit.Issuance(n.service, reference)), nfse.StatusIssued)
		if events := len(eventsOf(t, n.System, n.Organization.ID+"/live/"+reference)); events > 10 {
			return fmt.Sprintf("the history of %s has %d events", reference, events)
		}
		return ""
	})
}

// costOf are the statements that count, and how many transactions were committed by a statement
// of its own. Looking for what is due is no single note's.
func costOf(statements []string) (counted []string, commits int) {
	for _, statement := range statements {
		words := strings.Fields(statement)
		switch {
		case words[0] == "COMMIT":
			commits++
		case words[0] == "BEGIN", words[0] == ";", looksForDue(strings.Join(words, " ")):
		default:
			counted = append(counted, strings.Join(words, " "))
		}
	}
	return counted, commits
}

func looksForDue(statement string) bool {
	return strings.HasPrefix(statement, "WITH RECURSIVE lane") ||
		strings.HasPrefix(statement, "SELECT EXISTS (SELECT FROM outbox WHERE next_attempt_at")
}

// drawsCalls tells a draw on an authority's budget of calls: one for all notes of a tenth of a
// second, so one for each note where notes come seldom or the machine is slow.
func drawsCalls(statement string) bool {
	return strings.HasPrefix(statement, "UPDATE authority_budgets")
}

// ofTheProcess tells what a process asks by its clock, or once, for all notes: calls of a budget,
// what documents are packed with, whether somebody else uses a series.
func ofTheProcess(statement string) bool {
	return drawsCalls(statement) || strings.HasPrefix(statement, "INSERT INTO authority_budgets") ||
		strings.HasPrefix(statement, "WITH added AS ( INSERT INTO document_dictionaries") ||
		strings.HasPrefix(statement, "UPDATE fiscal_sequences q SET noticed_in") ||
		strings.HasPrefix(statement, "UPDATE fiscal_sequences SET checking_until")
}

// The budget of a live note of São Paulo, likewise: alone, after a question about numbers, and
// of many series side by side. It runs beside no other test of the package: they spread its calls.
func TestSaoPaulo_Budget(t *testing.T) {
	tap := &testkit.Wiretap{}
	n := newSaoPauloIn(t, simulator.Registry{}, testkit.Options{Connect: tap.Connect})
	n.faults(t, simulator.Fault{Kind: simulator.Latency, Delay: simulator.Duration(50 * time.Millisecond)})
	series := []inSaoPaulo{n}
	for i := range 3 {
		series = append(series, n.another(t, i+2))
	}
	for _, s := range series {
		s.await(t, s.issue(t, "first"))
	}
	n.Exec(t, `UPDATE fiscal_series SET asked_at = clock_timestamp() + interval '10 minutes'`)
	// One sample within the budget is enough: calls within a tenth of a second are counted together,
	// and a busy machine spreads them.
	within := func(what string, asked string, in []inSaoPaulo, each int, statements, commits float64) {
		t.Helper()
		for i, began := 0, time.Now(); ; i++ {
			n.Exec(t, `UPDATE fiscal_series SET asked_at = `+asked)
			cost := n.cost(t, tap, in, fmt.Sprint(what, i), each)
			if cost.statements <= statements && cost.commits <= commits {
				t.Logf("%s: %.2f statements, %.2f commits", what, cost.statements, cost.commits)
				return
			}
			if i >= 5 && time.Since(began) > patience {
				t.Errorf("%s costs %.2f statements and %.2f commits, the budget is %.0f and %.0f:\n%s\nwrote:\n%s", what,
					cost.statements, cost.commits, statements, commits,
					strings.Join(cost.texts, "\n"), strings.Join(cost.writing, "\n"))
				return
			}
		}
	}
	const notAsked = `clock_timestamp() + interval '10 minutes'`
	// To the API 5 and 1.
	within("a note alone", notAsked, series[:1], 1, 20, 8)
	within("a note of many", notAsked, series, 10, 22, 8)
	within("a note with a question about numbers", `NULL`, series[:1], 1, 30, 14)
}

// another is one more organization, which issues in another series of the company.
func (n inSaoPaulo) another(t *testing.T, series int) inSaoPaulo {
	t.Helper()
	system := *n.System
	n.System = &system
	n.Organization, _, n.LiveKey = n.NewOrganization(t, fmt.Sprint("Another ", series))
	n.setProfile(t, true, series)
	n.newCertificate(t)
	n.service = n.newService(t)
	n.classify(t, func(*nfse.Classification) {})
	return n
}

// await waits for notes beside the API, whose statements count.
func (n inSaoPaulo) await(t *testing.T, ids ...string) {
	t.Helper()
	testkit.Eventually(t, "all are issued", func() bool {
		return n.Count(t, `SELECT count(*) FROM notes WHERE id = ANY ($1) AND status = 'issued'`,
			pq.StringArray(ids)) == len(ids)
	})
	awaitStarted(t, n.System)
}

// saoPauloCost is what a note costs on average, and by which statements.
type saoPauloCost struct {
	statements, commits float64
	texts, writing      []string
}

// cost issues so many notes in each of some series, and counts.
func (n inSaoPaulo) cost(t *testing.T, tap *testkit.Wiretap, series []inSaoPaulo, reference string,
	each int) saoPauloCost {
	t.Helper()
	tap.Take()
	tap.TakeCommits()
	var ids []string
	for i := range each {
		for _, s := range series {
			ids = append(ids, s.issue(t, fmt.Sprint(reference, " ", i)))
		}
	}
	n.await(t, ids...)
	counted, _ := costOf(tap.Take())
	written, _ := costOf(tap.TakeCommits())
	notes := float64(len(ids))
	return saoPauloCost{float64(len(counted)) / notes, float64(len(written)) / notes, counted, written}
}
