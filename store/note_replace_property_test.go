package store_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
	"emissor/test/long"
)

// replacedPair are two notes, of which one is to replace the other, and the truth about both at the
// authority.
type replacedPair struct {
	tenancy
	t           *testing.T
	certificate string
	original    string
	replacement string

	issued    bool   // the replacement exists
	cancelled bool   // and was cancelled by its own event
	ended     string // the type of the event by which the original has ended; empty: it stands
	refuses   bool   // the next sending, for another reason
	told      bool   // the event of the original is on record here
	asked     int    // requests to cancel
}

func (p *replacedPair) key(id string) string { return "KEY-" + id }

// issuedOriginal makes an issued note that was not to be cancelled at first: a request was refused.
func (p *replacedPair) issuedOriginal(reference string) {
	p.original = p.begin(p.t, reference)
	p.Exec(p.t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, access_key, xml, issued_at)
		SELECT $1, 'issue', 'accepted', 'national', false, '11222333000181', '3304557', 9, count(*) + 1, '{}', $2, 'x',
			now() FROM fiscal_exchanges`, p.original, p.key(p.original))
	p.Exec(p.t, `UPDATE notes SET status = 'issued', issued_at = now(), authority_issued_at = now(), access_key = $2,
		sent_at = now(), cancellation_status = 'refused', cancellation_reason_code = '1',
		cancellation_reason_text = 'x', cancellation_requested_at = now(), cancellation_resolved_at = now(),
		cancellation_refusal = '{"code": "E0822"}' WHERE id = $1`, p.original, p.key(p.original))
}

// send sends the replacement if that is what is next, and reads the answer unless it is lost.
func (p *replacedPair) send(arrives, answered bool) {
	p.step(func(e *exchanges.Exchange, lease exchanges.Lease) (fiscal.Decision, fiscal.Answer, int64, bool) {
		if e.State != fiscal.Signed {
			return fiscal.Decision{}, fiscal.Answer{}, 0, false
		}
		call, ok, err := p.Store.Lifecycle.StartSending(p.t.Context(), e, lease, lifecycle.Sending{})
		must(p.t, err)
		if !ok { // a cancellation came first
			return fiscal.Decision{}, fiscal.Answer{}, 0, false
		}
		answer := fiscal.Answer{Outcome: fiscal.OutcomeUnknown}
		if arrives {
			answer = p.receive()
		}
		return e.AfterSending(answer, time.Hour), answer, call, answered
	})
}

// receive is what the authority makes of the message.
func (p *replacedPair) receive() fiscal.Answer {
	refusal := func(code string, handling fiscal.Handling) fiscal.Answer {
		return fiscal.Answer{Outcome: fiscal.OutcomeRejected, Handling: handling, Rejection: &nfse.Rejection{
			Source: nfse.RejectedByAuthority, Code: code}}
	}
	switch {
	case p.issued:
		p.t.Fatal("it is sent again although it exists")
	case p.refuses:
		return refusal("E0074", fiscal.Final)
	case p.ended != "":
		return refusal("E0046", fiscal.NeedsConfirmation)
	}
	p.issued, p.ended = true, "105102"
	return p.found()
}

func (p *replacedPair) found() fiscal.Answer {
	key := p.key(p.replacement)
	return fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs, Document: &fiscal.IssuedDocument{
		AccessKey: key, XML: []byte("<NFSe/>"),
		Authorization: nfse.Authorization{AccessKey: &key, IssuedAt: nfse.Timestamp{Time: time.Now()}},
	}}
}

var ofPair = fiscal.Capabilities{Queryable: true, Cancels: true, NotFounds: 1}

// ask asks what became of the replacement, if that is what is next.
func (p *replacedPair) ask() {
	p.step(func(e *exchanges.Exchange, _ exchanges.Lease) (fiscal.Decision, fiscal.Answer, int64, bool) {
		if e.State != fiscal.InDoubt {
			return fiscal.Decision{}, fiscal.Answer{}, 0, false
		}
		call, err := p.Store.Lifecycle.StartAsking(p.t.Context(), e, fiscal.Ask)
		must(p.t, err)
		answer := fiscal.Answer{Outcome: fiscal.OutcomeNotFound}
		if p.issued {
			answer = p.found()
		}
		return e.AfterAsking(answer, ofPair), answer, call, true
	})
}

// step leases the exchange of the replacement for one call, and saves its decision unless the caller was killed.
func (p *replacedPair) step(call func(*exchanges.Exchange, exchanges.Lease) (fiscal.Decision, fiscal.Answer, int64,
	bool)) {
	lease := newLease(time.Minute)
	e, err := p.Store.Lifecycle.LeaseExchange(p.t.Context(), p.replacement, fiscal.Issue, lease)
	must(p.t, err)
	if e == nil {
		return
	}
	if decision, answer, callID, saves := call(e, lease); saves {
		_, err = p.Store.Lifecycle.SaveDecision(p.t.Context(), e, lease, callID, answer, decision,
			lifecycle.DecisionExtras{})
		must(p.t, err)
	}
	must(p.t, p.Store.Lifecycle.ReleaseExchange(p.t.Context(), p.replacement, lease))
}

// tell tells of the event by which the original has ended.
func (p *replacedPair) tell() {
	if p.ended == "" {
		return
	}
	event := fiscal.ExternalEvent{Type: p.ended, Sequence: 1, Effect: fiscal.EffectCancels, HappenedAt: time.Now()}
	if p.ended == "105102" {
		event.Effect, event.Replacement = fiscal.EffectReplaces, p.key(p.replacement)
	}
	must(p.t, second(p.Store.Received.SaveFoundEvent(p.t.Context(), p.original, fiscal.Distributed{
		AccessKey: p.key(p.original), Title: fact.ExternalCancelled.Fact(), Content: []byte(p.ended), Event: &event})))
	p.told = true
}

// apply applies what can be applied to the original, as its run does.
func (p *replacedPair) apply() {
	for {
		_, applied, err := p.Store.Lifecycle.ApplyExternalEvent(p.t.Context(), p.original)
		must(p.t, err)
		if !applied {
			return
		}
	}
}

// cancelReplacement asks to cancel the replacement, and does what can be done about it.
func (p *replacedPair) cancelReplacement() {
	p.asked++
	_, _, err := p.Changes().Lifecycle.RequestCancellation(p.t.Context(), p.replacement,
		lifecycle.NewCancellation{Key: p.tenancy.key,
			RequestID: fmt.Sprint("req_", p.asked), ReasonCode: "9", ReasonText: "a razão de quem chamou"})
	over := nfse.IsCode(err, nfse.CodeNoteNotCancellable) || nfse.IsCode(err, nfse.CodeNoteAlreadyCancelled)
	if err != nil && !over {
		p.t.Fatal(err)
	}
}

// settleCancellation ends a pending cancellation of the replacement, as its run does.
func (p *replacedPair) settleCancellation() {
	note := p.read(p.replacement)
	switch {
	case !note.CancellationToDo():
	case note.Status == nfse.StatusIssued:
		p.cancelled = true
		must(p.t, second(p.Store.Lifecycle.AcceptCancellation(p.t.Context(), p.replacement, p.Text(p.t,
			`SELECT cancellation_request_id FROM notes WHERE id = $1`, p.replacement))))
	default:
		must(p.t, second(p.Store.Lifecycle.CancelUnsent(p.t.Context(), p.replacement)))
	}
}

func (p *replacedPair) read(id string) nfse.Note {
	note, err := p.Store.Notes.Note(p.t.Context(), p.scope, id)
	must(p.t, err)
	return note
}

// whole checks what holds after every step: an issued replacement has replaced the other, one on its
// way keeps it waiting, and one that ended otherwise lets it be.
func (p *replacedPair) whole(rt *rapid.T) {
	original, replacement := p.read(p.original), p.read(p.replacement)
	switch {
	case replacement.IssuedAt != nil && original.Status != nfse.StatusCancelled:
		rt.Fatalf("the replacement was issued, and the other is %s", original.Status)
	case !replacement.Status.Terminal() && original.Status == nfse.StatusIssued &&
		(!original.BeingReplaced() || !original.CancellationPending() || original.CancellationToDo()):
		rt.Fatalf("the replacement is %s, and the other does not wait", replacement.Status)
	case replacement.Status.Terminal() && original.BeingReplaced():
		rt.Fatalf("the replacement is %s, and the other waits", replacement.Status)
	case original.Status == nfse.StatusIssued && !original.BeingReplaced() &&
		(original.Cancellation == nil || original.Cancellation.Refusal.Code != "E0822"):
		rt.Fatalf("what became of the earlier request is lost: %+v", original.Cancellation)
	}
	if original.BeingReplaced() {
		_, _, err := p.Changes().Lifecycle.RequestCancellation(p.t.Context(), p.original, lifecycle.NewCancellation{
			Key: p.tenancy.key, RequestID: "req_x", ReasonCode: "1", ReasonText: "emitida com o valor errado"})
		_, _, again := p.Changes().Lifecycle.Replace(p.t.Context(), p.replaces("again-"+p.original))
		if !nfse.IsCode(err, nfse.CodeCancellationInProgress) || !nfse.IsCode(again, nfse.CodeCancellationInProgress) {
			rt.Fatalf("meanwhile it is cancelled: %v, replaced: %v", err, again)
		}
	}
}

func (p *replacedPair) replaces(reference string) lifecycle.NewNote {
	note := p.replacementOf(p.original, reference)
	note.Details.Replaces.AccessKey = p.key(p.original)
	return note
}

// end lets everything come to its end: no more is lost, and all is told.
func (p *replacedPair) end() {
	for range 8 {
		p.settleCancellation()
		p.send(true, true)
		p.ask()
		p.tell()
		p.apply()
	}
}

// known checks that both notes are what they are at the authority, and that each was told of once.
func (p *replacedPair) known(rt *rapid.T) {
	original, replacement := p.read(p.original), p.read(p.replacement)
	expected := nfse.StatusIssued
	if p.ended != "" {
		expected = nfse.StatusCancelled
	}
	if original.Status != expected {
		rt.Fatalf("at the authority the original ended by %q, here it is %s", p.ended, original.Status)
	}
	origin := nfse.CancelledByAuthority
	if p.issued {
		origin = nfse.CancelledByCaller
	}
	if p.ended != "" && original.Cancellation.Origin != origin {
		rt.Fatalf("ended by %s, it was cancelled by the %s", p.ended, original.Cancellation.Origin)
	}
	if !replacement.Status.Terminal() || (replacement.IssuedAt != nil) != p.issued ||
		(replacement.Status == nfse.StatusIssued) != (p.issued && !p.cancelled) ||
		(original.ReplacedBy == p.replacement) != p.issued {
		rt.Fatalf("at the authority it exists: %t, cancelled: %t; here it is %s", p.issued, p.cancelled,
			replacement.Status)
	}
	told := map[bool]int{true: 1, false: 0}[p.ended != ""]
	if events := p.Count(p.t, `SELECT count(*) FROM events WHERE note_id = $1`, p.original); events != told {
		rt.Fatalf("%d events of the original, expected %d", events, told)
	}
	if left := p.Count(p.t, `SELECT count(*) FROM external_events WHERE note_id = $1 AND applied_at IS NULL`,
		p.original); left != 0 {
		rt.Fatalf("%d events are not applied", left)
	}
}

// In any order of losses, refusals, cancellations, finds and kills, it never happens that none or two of the notes
// stand without that being known here, and in the end both are what the authority says.
func TestReplace_NeverNoneOrTwo(t *testing.T) {
	long.Only(t, "replaces notes in every order of what can happen")
	n, certificate := newIssuer(t)
	pairs := 0
	rapid.Check(t, func(rt *rapid.T) {
		pairs++
		p := &replacedPair{tenancy: n, t: t, certificate: certificate}
		p.issuedOriginal(fmt.Sprint("original-", pairs))
		accepted, _, err := n.Changes().Lifecycle.Replace(t.Context(), p.replaces(fmt.Sprint("replacement-", pairs)))
		must(t, err)
		p.replacement = accepted.ID
		steps := map[string]func(){
			"begin": func() {
				must(t, second(n.Store.Lifecycle.BeginNote(t.Context(), p.replacement)))
				if e := n.exchange(t, p.replacement, fiscal.Issue); e != nil ||
					p.read(p.replacement).Status != nfse.StatusProcessing {
					return
				}
				e, err := n.Store.Lifecycle.TakeNumber(t.Context(), p.replacement, n.issuer(), fiscal.Capabilities{}, issuing)
				must(t, err)
				if e == nil { // it is to be cancelled
					return
				}
				must(t, n.Store.Exchanges.SaveMessage(t.Context(), e.ID, "", fiscal.Message{ID: p.key(p.replacement),
					Layout: "1.01", Digest: p.replacement, XML: []byte("<DPS/>"), CertificateID: certificate}))
				must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), p.replacement, issuing))
			},
			"send":                      func() { p.send(true, true) },
			"send, and the answer lost": func() { p.send(true, false) },
			"send, and lost":            func() { p.send(false, false) },
			"ask":                       p.ask,
			"refuse":                    func() { p.refuses = true },
			"tell":                      p.tell,
			"tell, and apply":           func() { p.tell(); p.apply() },
			"cancel":                    p.cancelReplacement,
			"settle":                    p.settleCancellation,
			"the city cancels": func() {
				if p.ended == "" {
					p.ended = "305101"
				}
			},
		}
		names := []string{"begin", "send", "send, and the answer lost", "send, and the answer lost", "send, and lost",
			"ask", "refuse", "tell", "tell, and apply", "tell, and apply", "cancel", "settle", "the city cancels"}
		if rapid.IntRange(0, 3).Draw(rt, "begins later") > 0 {
			steps["begin"]()
		}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 2, 10).Draw(rt, "steps") {
			steps[name]()
			p.whole(rt)
		}
		steps["begin"]()
		p.end()
		p.whole(rt)
		p.known(rt)
	})
}
