package worker_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// laterNational is the national authority of a worker whose clock is ahead.
type laterNational struct {
	*national.Authority
	ahead *atomic.Int64 // nanoseconds
}

func (a laterNational) later(at time.Time) time.Time { return at.Add(time.Duration(a.ahead.Load())) }

// Check implements fiscal.Authority.
func (a laterNational) Check(declaration fiscal.Declaration, at time.Time) *fiscal.Objection {
	return a.Authority.Check(declaration, a.later(at))
}

// SignDeclaration implements fiscal.Authority.
func (a laterNational) SignDeclaration(declaration fiscal.Declaration, credentials *fiscal.Credentials,
	at time.Time) (fiscal.Message, error) {
	return a.Authority.SignDeclaration(declaration, credentials, a.later(at))
}

// SignCancellation implements fiscal.Authority.
func (a laterNational) SignCancellation(request fiscal.CancellationRequest, credentials *fiscal.Credentials,
	at time.Time) (fiscal.Message, error) {
	return a.Authority.SignCancellation(request, credentials, a.later(at))
}

// timed is a system whose clocks a test sets: by them notes are accepted, checked, signed
// and taken by the authority.
type timed struct {
	nationally
	ahead *atomic.Int64
}

// newTimed is a system in which the group IBSCBS is required from 2027 on, at both ends.
func newTimed(t *testing.T, sender *mail.Sender) timed {
	t.Helper()
	n := timed{ahead: new(atomic.Int64)}
	n.nationally = newNationalIn(t, func(o *national.Options, _ *sefin.Simulator) {
		o.IBSCBSRequiredFrom = "2027-01-01"
	}, testkit.Options{OwnClock: true, Mail: sender})
	n.authority.SetRegistry(sefin.Registry{IBSCBSRequiredFrom: "2027-01-01"})
	n.Worker.Stop()
	n.Authorities[0].Authority = laterNational{n.Authorities[0].Authority.(*national.Authority), n.ahead}
	n.Worker = n.StartWorker(t)
	return n
}

// set moves all clocks to a moment. Notes are accepted at it; the others go on.
func (n timed) set(t *testing.T, at time.Time, faults ...sefin.Fault) {
	t.Helper()
	ahead := time.Until(at)
	n.SetClock(t, at)
	n.ahead.Store(int64(ahead))
	n.faults(t, append(faults, sefin.Fault{Kind: sefin.ClockSkew, Delay: sefin.Duration(ahead)})...)
}

// in2026 sets all clocks to a day under the law before the reform of 2027.
func (n timed) in2026(t *testing.T, faults ...sefin.Fault) {
	t.Helper()
	n.set(t, nfse.Day("2026-06-15").Begin().Add(12*time.Hour), faults...)
}

// An outage over midnight, no matter who is out, moves no note to another month or year: not in its document, and not
// by the rules that it is checked by.
func TestCompetence_OutageOverMidnight(t *testing.T) {
	t.Parallel()
	for _, last := range []nfse.Day{"2026-11-30", "2026-12-31"} {
		for what, outage := range map[string]struct {
			faults     []sefin.Fault
			begin, end func(*testing.T, *timed)
			began      func(timed) bool
		}{
			"the authority": {
				faults: []sefin.Fault{{Kind: sefin.Status, Scope: sefin.Issue, Status: http.StatusServiceUnavailable},
					{Kind: sefin.Status, Scope: sefin.Query, Status: http.StatusServiceUnavailable}},
				begin: func(*testing.T, *timed) {},
				began: func(n timed) bool {
					return n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE ended_at IS NOT NULL`) > 0
				},
				end: func(t *testing.T, n *timed) {
					if err := n.Changes().Lifecycle.RedriveNote(t.Context(), n.Text(t, `SELECT id FROM notes`)); err != nil {
						t.Fatal(err)
					}
				},
			},
			"the worker": {
				begin: func(_ *testing.T, n *timed) { n.Worker.Stop() },
				began: func(timed) bool { return true },
				end:   func(t *testing.T, n *timed) { n.Worker = n.StartWorker(t) },
			},
			"the certificate": {
				begin: func(t *testing.T, n *timed) { n.refuseCertificate(t) },
				began: func(n timed) bool {
					return n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`) > 0
				},
				end: func(t *testing.T, n *timed) {
					_, err := n.Changes().Companies.RetryCertificate(t.Context(), n.Organization.ID,
						n.Text(t, `SELECT id FROM certificates`))
					if err != nil {
						t.Fatal(err)
					}
				},
			},
		} {
			t.Run(string(last)+", "+what, func(t *testing.T) {
				t.Parallel()
				n := newTimed(t, nil)
				n.set(t, last.Begin().Add(24*time.Hour-time.Second), outage.faults...)
				outage.begin(t, &n)
				id := n.issue(t)
				testkit.Eventually(t, "the outage is met", func() bool { return outage.began(n) })
				n.set(t, last.Begin().Add(24*time.Hour+20*time.Minute))
				outage.end(t, &n)
				note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
				if note.Text("competence") != string(last) {
					t.Errorf("the note is of %s", note.Text("competence"))
				}
				document := string(n.xml(t, id))
				if !strings.Contains(document, "<dCompet>"+string(last)+"</dCompet>") ||
					strings.Contains(document, "<dhProc>"+string(last)) || strings.Contains(document, "IBSCBS") {
					t.Errorf("the document is\n%s", document)
				}
			})
		}
	}
}

// What is accepted right after midnight, and signed at once, is of the day that has begun:
// its document is dated no earlier (E0015), and its rules are in force.
func TestCompetence_RightAfterMidnight(t *testing.T) {
	t.Parallel()
	n := newTimed(t, nil)
	n.set(t, nfse.Day("2026-12-01").Begin().Add(2*time.Second))
	id := n.issue(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if document := string(n.xml(t, id)); !strings.Contains(document, "<dCompet>2026-12-01</dCompet>") ||
		!strings.Contains(document, "<dhEmi>2026-12-01T00:00:00-03:00</dhEmi>") {
		t.Errorf("the document is\n%s", document)
	}
	n.set(t, nfse.Day("2027-01-01").Begin().Add(2*time.Second))
	n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "unclassified"))
	n.awaitHeld(t, "requires IBS and CBS of notes from 2027-01-01 on")
}

// A note of a day that has not begun by the worker's clock waits, and takes no number.
func TestCompetence_WorkerBehind(t *testing.T) {
	t.Parallel()
	n := newTimed(t, nil)
	midnight := nfse.Day("2026-12-01").Begin()
	n.set(t, midnight.Add(-time.Minute))
	n.SetClock(t, midnight)
	id := n.issue(t)
	n.awaitHeld(t, "E0015: the day of competence, 2026-12-01, has not begun")
	if n.Count(t, `SELECT count(*) FROM fiscal_exchanges`) != 0 {
		t.Error("it has taken a number")
	}
	n.set(t, midnight.Add(time.Second))
	n.redrive(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
}

// Notes of the test environment have a competence as live ones do, and so has their XML.
func TestCompetence_Sandbox(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true, OwnClock: true})
	s.SetClock(t, nfse.Day("2026-12-31").Begin().Add(24*time.Hour-time.Second))
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order"))
	note := s.Await(t, s.TestKey, id, nfse.StatusIssued)
	xml := s.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", s.TestKey, nil).Expect(t, http.StatusOK).Raw
	if note.Text("competence") != "2026-12-31" ||
		!strings.Contains(string(xml), "<competence>2026-12-31</competence>") {
		t.Errorf("%s\n%s", note.Raw, xml)
	}
	if payload := s.Plain(t, `SELECT payload FROM events`); !strings.Contains(payload,
		`"competence":"2026-12-31"`) {
		t.Errorf("the event is %s", payload)
	}
}

// A day of competence that the authority's registers refuse (E0016) ends no note: it waits,
// a person gives it another one, and it is issued under the same number.
func TestCompetence_Refused(t *testing.T) {
	t.Parallel()
	n := newTimed(t, nil)
	n.authority.SetRegistry(sefin.Registry{
		Municipalities: map[string]sefin.Agreement{"3304557": {Since: "2026-11-10"}},
	})
	n.SetClock(t, nfse.Day("2026-11-05").Begin().Add(time.Hour))
	id := n.issue(t)
	n.awaitHeld(t, "refuses the document by its rule E0016")
	scope := nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
	note := n.Call(t, http.MethodGet, "/v1/nfse/"+id, n.LiveKey, nil).Expect(t, http.StatusOK)
	_, code, err := n.Store.Lifecycle.RefusedBy(t.Context(), scope, id)
	if note.Text("status") != "processing" || note.At("rejection") != nil || code != "E0016" || err != nil {
		t.Errorf("%s %s %v", note.Raw, code, err)
	}
	other := scope
	other.OrganizationID = "org_other"
	if err := n.Changes().Lifecycle.SetCompetence(t.Context(), other, id, "2026-11-10"); !nfse.IsCode(err,
		nfse.CodeInvalidRequest) {
		t.Errorf("for another organization it is %v", err)
	}
	if err := n.Changes().Lifecycle.SetCompetence(t.Context(), scope, id, "2026-11-10"); err != nil {
		t.Fatal(err)
	}
	issued := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	ledger := n.authority.Ledger()
	if issued.Text("competence") != "2026-11-10" || len(ledger) != 1 || ledger[0].Number != "1" ||
		!strings.Contains(string(n.xml(t, id)), "<dCompet>2026-11-10</dCompet>") {
		t.Errorf("%s\n%+v", issued.Raw, ledger)
	}
	if steps := n.steps(t, id); !strings.Contains(steps, "competence 2026-11-05 changed to 2026-11-10") {
		t.Errorf("its history is\n%s", steps)
	}
	if err := n.Changes().Lifecycle.SetCompetence(t.Context(), scope, id, "2026-11-11"); !nfse.IsCode(err,
		nfse.CodeInvalidRequest) {
		t.Errorf("once it is issued it is %v", err)
	}
	// One that nobody puts right is cancelled without the authority.
	second := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "second"))
	n.awaitHeld(t, "E0016")
	n.Call(t, http.MethodPost, "/v1/nfse/"+second+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, second, nfse.StatusCancelled)
}
