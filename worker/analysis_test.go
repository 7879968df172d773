package worker_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// The end of the city's term: every cancellation is refused by E0822.
var termOver = sefin.Registry{CancelWithin: sefin.Duration(time.Nanosecond)}

// refused asks to cancel a note and waits for the refusal.
func (n nationally) refused(t *testing.T, id, code string) {
	t.Helper()
	cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	n.awaitRefusal(t, id, code)
}

func (n nationally) awaitRefusal(t *testing.T, id, code string) {
	t.Helper()
	testkit.Eventually(t, "it is refused with "+code, func() bool {
		note := n.read(t, id)
		return note.Text("status") == "issued" && note.Text("cancellation", "status") == "refused" &&
			note.Text("cancellation", "refusal", "code") == code
	})
}

// analyse asks for an analysis as a person does.
func (n nationally) analyse(t *testing.T, id string) {
	t.Helper()
	scope := nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
	note, started, err := n.Changes().Lifecycle.RequestAnalysis(t.Context(), scope, id, nfse.NewID(nfse.PrefixRequest))
	if err != nil || !started || !note.CancellationPending() {
		t.Fatalf("%+v, %v, %v", note.Cancellation, started, err)
	}
}

// withTheCity waits until the city has the request.
func (n nationally) withTheCity(t *testing.T, id string) {
	t.Helper()
	testkit.Eventually(t, "the city has the request", func() bool {
		return n.Text(t, `SELECT coalesce(analysis, '') FROM notes WHERE id = $1`, id) == "pending"
	})
	if note := n.read(t, id); note.Text("status") != "issued" || note.Text("cancellation", "status") != "pending" ||
		note.At("cancellation", "refusal") != nil {
		t.Errorf("the note is %s", note.Raw)
	}
}

// requests are how many requests of analysis the authority has registered.
func (n nationally) requests() (count int) {
	for _, post := range n.authority.Posts() {
		if post.Issued && strings.HasSuffix(post.ID, "101103") {
			count++
		}
	}
	return count
}

// The city's term is over: it is asked for an analysis, and cancels the note weeks later.
func TestAnalysis_Granted(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	n.authority.SetRegistry(termOver)
	n.refused(t, id, "E0822")
	if term, err := n.Store.Companies.CancellationTerm(t.Context(), id); err != nil || term == nil ||
		term.RefusedDays != 0 {
		t.Errorf("the city's term is %+v, %v", term, err)
	}
	n.analyse(t, id)
	n.withTheCity(t, id)
	other := testkit.Body{"reason_code": "2", "reason_text": "o serviço não foi prestado"}
	if answer := cancel(t, n.System, n.LiveKey, id, other); answer.Status != http.StatusConflict ||
		answer.Text("error", "code") != "cancellation_in_progress" {
		t.Errorf("another cancellation meanwhile: %s", answer.Raw)
	}
	cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusOK)
	n.register(t, key, "105104", sefin.EventDetails{Text: "Deferido pela fiscalizacao"})
	note := n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	if note.Text("cancellation", "status") != "accepted" || note.Text("cancellation", "origin") != "caller" ||
		note.Text("cancellation", "reason_code") != "1" ||
		note.Text("cancellation", "reason_text") != "emitida com o valor errado" {
		t.Errorf("the note is %s", note.Raw)
	}
	n.cancelledOnce(t, id)
	if n.requests() != 1 {
		t.Errorf("%d requests", n.requests())
	}
	// A note that the city lets be cancelled at that age ends what was learned of its term.
	n.authority.SetRegistry(sefin.Registry{})
	later := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "later"))
	n.Await(t, n.LiveKey, later, nfse.StatusIssued)
	cancel(t, n.System, n.LiveKey, later, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, later, nfse.StatusCancelled)
	if term, err := n.Store.Companies.CancellationTerm(t.Context(), later); err != nil || term != nil {
		t.Errorf("the city's term is %+v, %v", term, err)
	}
}

// The city denies: the note stays issued, in the city's words, and nothing is asked again.
func TestAnalysis_Denied(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	n.authority.SetRegistry(termOver)
	n.refused(t, id, "E0822")
	n.analyse(t, id)
	n.withTheCity(t, id)
	n.register(t, key, "105105", sefin.EventDetails{Text: "Servico comprovadamente prestado"})
	n.awaitRefusal(t, id, "analysis_denied")
	note := n.read(t, id)
	if message := note.Text("cancellation", "refusal", "message"); !strings.Contains(message,
		"Servico comprovadamente prestado") {
		t.Errorf("the refusal says %q", message)
	}
	posts := len(n.authority.Posts())
	n.refused(t, id, "analysis_denied")
	if len(n.authority.Posts()) != posts {
		t.Error("the authority was asked again")
	}
	scope := nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
	if _, _, err := n.Changes().Lifecycle.RequestAnalysis(t.Context(), scope, id, "req_again"); !nfse.IsCode(err,
		nfse.CodeInvalidRequest) {
		t.Errorf("another analysis: %v", err)
	}
	expectEvents(t, n.System, id, "nfse.issued")
}

// What is lost on the way is asked about, and sent once.
func TestAnalysis_LostAnswers(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]sefin.Fault{
		"done, and lost":     {{Kind: sefin.Drop, Scope: sefin.Cancel, After: true, Next: 1}},
		"not done, and lost": {{Kind: sefin.Drop, Scope: sefin.Cancel, Next: 1}},
		"and the question too": {{Kind: sefin.Drop, Scope: sefin.Cancel, After: true, Next: 1},
			{Kind: sefin.Drop, Scope: sefin.Query, Next: 1}},
		"refused for maintenance": {{Kind: sefin.Reject, Code: "E1217", Scope: sefin.Cancel, Next: 1}},
		"the clock is ahead":      {{Kind: sefin.Reject, Code: "E1843", Scope: sefin.Cancel, Next: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newExternal(t)
			id, key := n.issued(t)
			n.authority.SetRegistry(termOver)
			n.refused(t, id, "E0822")
			n.faults(t, faults...)
			n.analyse(t, id)
			n.withTheCity(t, id)
			if n.requests() != 1 {
				t.Errorf("%d requests", n.requests())
			}
			n.register(t, key, "105104", sefin.EventDetails{})
			n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
			n.cancelledOnce(t, id)
		})
	}
}

// A company that has set it so is not asked: the note is pending again at once.
func TestAnalysis_AtOnce(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	profile := n.NewProfile(t, "national")
	profile.CancellationAnalysis = nfse.RequestAnalysis
	n.SetProfile(t, profile)
	id, key := n.issued(t)
	n.authority.SetRegistry(termOver)
	cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	n.withTheCity(t, id)
	// The refusal that it follows is settled once: settling it again changes nothing.
	refused, err := n.Store.Exchanges.Exchange(t.Context(), id, fiscal.Cancel)
	if err != nil || refused.State != fiscal.Rejected {
		t.Fatalf("%+v, %v", refused, err)
	}
	if settled, err := n.Store.Lifecycle.SettleEnded(t.Context(), refused, 0); err != nil || settled.Changed {
		t.Errorf("it is settled again: %+v, %v", settled.Note.Cancellation, err)
	}
	n.withTheCity(t, id)
	n.register(t, key, "105104", sefin.EventDetails{})
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	n.cancelledOnce(t, id)
}

// Where nothing is distributed the city's answer is found by asking, once a day.
func TestAnalysis_FoundByAsking(t *testing.T) {
	t.Parallel()
	for answer, status := range map[string]string{"105104": "accepted", "105105": "refused"} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			n := newNational(t, nil, nil)
			id, key := n.issued(t)
			n.authority.SetRegistry(termOver)
			n.refused(t, id, "E0822")
			n.analyse(t, id)
			n.withTheCity(t, id)
			due := func() {
				n.Exec(t, `UPDATE fiscal_exchanges SET poll_standing_at = now() WHERE kind = 'analysis'`)
				n.Exec(t, `UPDATE notes SET analysis_since = now() - interval '31 days' WHERE analysis = 'pending'`)
				runMaintenance(t, n.System)
			}
			reminders := func() int {
				return n.Count(t, `SELECT count(*) FROM note_steps WHERE fact::text LIKE '%analysis_pending_long%'`)
			}
			due()
			testkit.Eventually(t, "a person is told of it", func() bool { return reminders() == 1 })
			due()
			if note := n.read(t, id); note.Text("cancellation", "status") != "pending" {
				t.Errorf("the note is %s", note.Raw)
			}
			n.register(t, key, answer, sefin.EventDetails{})
			due()
			testkit.Eventually(t, "it is "+status, func() bool {
				return n.read(t, id).Text("cancellation", "status") == status
			})
			if told := reminders(); told != 1 {
				t.Errorf("a person is told %d times", told)
			}
		})
	}
}

// An event on record bars a cancellation: one that has cancelled the note is applied, and
// another leaves it refused.
func TestAnalysis_Barred(t *testing.T) {
	t.Parallel()
	for kind, cancelled := range map[string]bool{"305101": true, "101101": true, "203202": false} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			n := newNational(t, nil, nil)
			id, key := n.issued(t)
			n.register(t, key, kind, sefin.EventDetails{})
			cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
			if cancelled {
				n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
				return
			}
			n.awaitRefusal(t, id, "E0840")
			if found := n.Count(t, `SELECT count(*) FROM external_events WHERE note_id = $1 AND type = $2`, id,
				kind); found != 1 {
				t.Errorf("the event is on record %d times", found)
			}
		})
	}
}

// The worker stops while the city decides, and the next one applies the answer.
func TestAnalysis_WorkerGone(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	n.authority.SetRegistry(termOver)
	n.refused(t, id, "E0822")
	n.analyse(t, id)
	n.withTheCity(t, id)
	n.Worker.Stop()
	n.register(t, key, "105104", sefin.EventDetails{})
	n.StartWorker(t)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	n.cancelledOnce(t, id)
}
