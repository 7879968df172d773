package worker_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/worker"
)

// moving is a system whose organization moves today from one authority to another.
type moving struct {
	*testkit.System
	before, after *testkit.ScriptedAuthority
	service       string
	today         nfse.Day
}

func newMoving(t *testing.T, before, after *testkit.ScriptedAuthority) moving {
	t.Helper()
	before.Called, after.Called = "before", "after"
	n := moving{before: before, after: after, today: nfse.DayOf(time.Now()), System: testkit.NewSystem(t, testkit.Options{
		Worker: true, OwnClock: true,
		Authorities: []worker.Authority{{Authority: before, Rate: 1000}, {Authority: after, Rate: 1000}},
	})}
	n.service = n.NewService(t, n.LiveKey)
	return n
}

// move lets the organization issue by the one until yesterday and by the other from today on.
func (n moving) move(t *testing.T) nfse.FiscalProfile {
	t.Helper()
	profile := n.NewProfile(t, "before")
	profile.Moves = []nfse.Move{{From: n.today, Authority: "after", Series: 2}}
	n.SetProfile(t, profile)
	return profile
}

// issue issues a note with the competence of so many days ago.
func (n moving) issue(t *testing.T, reference string, daysAgo int) (id string) {
	t.Helper()
	n.SetClock(t, time.Now().AddDate(0, 0, -daysAgo))
	return n.Issue(t, n.LiveKey, testkit.Issuance(n.service, reference))
}

// expectNumber checks by whom a note was issued, and under which number.
func (n moving) expectNumber(t *testing.T, id, expected string) {
	t.Helper()
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if number := n.Text(t, `SELECT authority || ' ' || series || '-' || number FROM fiscal_exchanges
		WHERE note_id = $1 AND kind = 'issue' AND state = 'accepted'`, id); number != expected {
		t.Errorf("the note has the number %s, expected %s", number, expected)
	}
}

// Each note goes to the authority of its own day of competence, where the series has numbers of its own, regardless
// of the order in which notes come; and so does what is done to it afterwards.
func TestMoves_EachNoteByItsDay(t *testing.T) {
	t.Parallel()
	n := newMoving(t, &testkit.ScriptedAuthority{}, &testkit.ScriptedAuthority{})
	profile := n.move(t)
	n.NewCertificate(t)
	if err := n.Changes().Lifecycle.SetNextNumber(t.Context(), profile.On(n.today.Before(1)), 41); err != nil {
		t.Fatal(err)
	}
	for i, number := range []string{"before 1-41", "after 2-1", "before 1-42", "after 2-2"} {
		id := n.issue(t, fmt.Sprint("order-", i), 1-i%2)
		n.expectNumber(t, id, number)
		if i > 1 {
			cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
			n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
		}
	}
	for _, authority := range []*testkit.ScriptedAuthority{n.before, n.after} {
		if issues, _, cancels := authority.Counts(); issues != 2 || cancels != 1 {
			t.Errorf("%s has issued %d notes and cancelled %d", authority.Name(), issues, cancels)
		}
	}
}

// Notes that wait without a number go by what the profile says of their days once nothing is missing.
func TestMoves_WaitingNotes(t *testing.T) {
	t.Parallel()
	n := newMoving(t, &testkit.ScriptedAuthority{}, &testkit.ScriptedAuthority{})
	profile := n.NewProfile(t, "before")
	yesterday, today := n.issue(t, "yesterday", 1), n.issue(t, "today", 0)
	testkit.Eventually(t, "both wait for a certificate", func() bool {
		return n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`) == 2
	})
	profile.Moves = []nfse.Move{{From: n.today, Authority: "after", Series: 2}}
	n.SetProfile(t, profile)
	n.NewCertificate(t)
	n.expectNumber(t, yesterday, "before 1-1")
	n.expectNumber(t, today, "after 2-1")
}

// A note that has a number stays where it was taken, no matter how the profile changes: also one that was lost and is
// sent again, and by another worker.
func TestMoves_NumberStays(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*nfse.FiscalProfile){
		"the move is taken back":      func(p *nfse.FiscalProfile) { p.Moves = nil },
		"all moves to another series": func(p *nfse.FiscalProfile) { p.Authority, p.Series, p.Moves = "before", 9, nil },
		"the move was earlier":        func(p *nfse.FiscalProfile) { p.Moves[0].From = "2020-01-01" },
		"the move is later":           func(p *nfse.FiscalProfile) { p.Moves[0].From = "2099-01-01" },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			var answers atomic.Bool
			lost := func(int) testkit.Script {
				if answers.Load() {
					return testkit.Answered
				}
				return testkit.Lost
			}
			before := &testkit.ScriptedAuthority{Issuing: lost, Finding: lost, GracePeriod: time.Second}
			after := &testkit.ScriptedAuthority{Issuing: lost, Finding: lost, GracePeriod: time.Second}
			n := newMoving(t, before, after)
			profile := n.move(t)
			n.NewCertificate(t)
			yesterday, today := n.issue(t, "yesterday", 1), n.issue(t, "today", 0)
			testkit.Eventually(t, "both were sent", func() bool {
				return n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE state = 'in_doubt'`) == 2
			})
			n.Worker.Stop()
			change(&profile)
			n.SetProfile(t, profile)
			answers.Store(true)
			n.Worker = n.StartWorker(t)
			n.expectNumber(t, yesterday, "before 1-1")
			n.expectNumber(t, today, "after 2-1")
			if numbers := n.Count(t, `SELECT count(*) FROM fiscal_exchanges`); numbers != 2 {
				t.Errorf("%d numbers were taken", numbers)
			}
		})
	}
}

// Also a note whose number was certainly refused stays with its authority, and goes on there once its
// reason is gone.
func TestMoves_RefusedNumberStays(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	other := &testkit.ScriptedAuthority{Called: "other"}
	n.Worker.Stop()
	n.Authorities = append(n.Authorities, worker.Authority{Authority: other, Rate: 1000})
	n.Worker = n.StartWorker(t)
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0082", Next: 2})
	id := n.order(t, "order")
	awaitReason(t, n.System, id, "rule E0082")
	profile := n.NewProfile(t, national.Name)
	profile.Moves = []nfse.Move{{From: "2020-01-01", Authority: "other", Series: 7}}
	profile.SpecialRegime = 5 // which has it sent again
	n.SetProfile(t, profile)
	n.redrive(t)
	testkit.Eventually(t, "it was refused again", func() bool {
		return n.Count(t, `SELECT count(*) FROM fiscal_messages`) == 2
	})
	n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "another"))
	testkit.Eventually(t, "another note went to the other authority", func() bool {
		issues, _, _ := other.Counts()
		return issues == 1
	})
	profile.SpecialRegime = 0
	n.SetProfile(t, profile)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	numbers := n.Text(t, `SELECT string_agg(authority || ' ' || series || '-' || number || ' ' || state, ', ' ORDER BY id)
		FROM fiscal_exchanges`)
	if numbers != "national 1-1 accepted, other 7-1 accepted" {
		t.Errorf("the numbers are %s", numbers)
	}
}
