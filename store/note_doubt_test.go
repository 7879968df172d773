package store_test

import (
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
)

// refusedFalsely is a refusal that is doubted for a day.
func refusedFalsely(code string) fiscal.Answer {
	return fiscal.Answer{Outcome: fiscal.OutcomeRejected, Handling: fiscal.NeedsPerson, DoubtFor: 24 * time.Hour,
		Rejection: &nfse.Rejection{Source: nfse.RejectedByAuthority, Code: code, Message: "não consta"}}
}

// answered sends a signed exchange once more and stores what its answer comes to, with who waits behind it.
func (n tenancy) answered(t *testing.T, d *exchanges.Exchange, answer fiscal.Answer, scope fiscal.Scope) {
	t.Helper()
	leased, call := n.sending(t, d, issuing)
	leased.State = fiscal.Signed
	decision := leased.AfterSending(answer, time.Hour).Repaired(fiscal.Repair{Scope: scope}, nil, false)
	_, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, issuing, call, answer, decision,
		lifecycle.DecisionExtras{})
	must(t, err)
	must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), d.NoteID, issuing))
}

// asked stores what the answer to a question comes to.
func (n tenancy) asked(t *testing.T, d *exchanges.Exchange, answer fiscal.Answer, scope fiscal.Scope) fiscal.Decision {
	t.Helper()
	leased, err := n.Store.Lifecycle.LeaseExchange(t.Context(), d.NoteID, d.Kind, issuing)
	must(t, err)
	call, err := n.Store.Lifecycle.StartAsking(t.Context(), leased, fiscal.Ask)
	must(t, err)
	decision := leased.AfterAsking(answer, fiscal.Capabilities{Queryable: true, NotFounds: 1}).
		Repaired(fiscal.Repair{Scope: scope}, nil, false)
	_, err = n.Store.Lifecycle.SaveDecision(t.Context(), leased, issuing, call, answer, decision,
		lifecycle.DecisionExtras{})
	must(t, err)
	must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), d.NoteID, issuing))
	return decision
}

// doubtedUntil is when a refusal of a note counts, with its code; empty for none.
func (n tenancy) doubtedUntil(t *testing.T, d *exchanges.Exchange) string {
	t.Helper()
	return n.Text(t, `SELECT coalesce(doubted_code || ' ' || doubted_until, '') FROM fiscal_exchanges WHERE id = $1`,
		d.ID)
}

var (
	nothingFound = fiscal.Answer{Outcome: fiscal.OutcomeNotFound}
	unanswered   = fiscal.Answer{Outcome: fiscal.OutcomeUnknown}
)

// A doubt has a clock of its own. Neither calls without an answer nor the authority's word that it cannot say now
// restart it; another code does, and a certain refusal ends the doubt.
func TestDoubt_Clock(t *testing.T) {
	n, certificate := newIssuer(t)
	d := n.signed(t, certificate, "a")
	n.answered(t, d, refusedFalsely("E0160"), fiscal.ScopeCompany)
	first := n.doubtedUntil(t, d)
	e := n.exchange(t, d.NoteID, fiscal.Issue)
	if e.DoubtedCode != "E0160" || e.DoubtLeft > 24*time.Hour || e.DoubtLeft < 23*time.Hour || e.SinceUncatalogued != 0 {
		t.Fatalf("it is doubted as %+v", e.Exchange)
	}
	// As a version that knows of no doubt reads it: in doubt, by a code of no catalogue.
	if stored := n.Text(t, `SELECT concat_ws(' ', state, disposition, ambiguous) FROM fiscal_exchanges`); stored !=
		"in_doubt uncatalogued t" {
		t.Errorf("it is stored as %s", stored)
	}
	n.asked(t, d, unanswered, fiscal.ScopeCompany)
	n.asked(t, d, nothingFound, fiscal.ScopeCompany)
	if stored := n.Text(t, `SELECT concat_ws(' ', e.state, coalesce(e.disposition, '-'), e.ambiguous, n.sent_at)
		FROM fiscal_exchanges e JOIN notes n ON n.id = e.note_id`); stored != "signed - f" {
		t.Errorf("once nothing was found it is stored as %s", stored)
	}
	later := fiscal.Answer{Outcome: fiscal.OutcomeRejected, Handling: fiscal.TryLater,
		Rejection: &nfse.Rejection{Code: "E1217"}}
	for _, answer := range []fiscal.Answer{later, refusedFalsely("E0160")} {
		n.answered(t, d, answer, fiscal.ScopeCompany)
		if now := n.doubtedUntil(t, d); now != first {
			t.Errorf("after %+v it is doubted until %s, and not %s", answer, now, first)
		}
		if n.exchange(t, d.NoteID, fiscal.Issue).State == fiscal.InDoubt {
			n.asked(t, d, nothingFound, fiscal.ScopeCompany)
		}
	}
	n.answered(t, d, unanswered, fiscal.ScopeCompany)
	n.asked(t, d, nothingFound, fiscal.ScopeCompany)
	if now := n.doubtedUntil(t, d); now != first {
		t.Errorf("after an outage it is doubted until %s, and not %s", now, first)
	}
	n.answered(t, d, refusedFalsely("E0082"), fiscal.ScopeCompany)
	if now := n.doubtedUntil(t, d); now <= "E0082 "+first[len("E0160 "):] || now[:5] != "E0082" {
		t.Errorf("for another code it is doubted until %s", now)
	}
	steps := n.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = $1`, string(fact.RefusalDoubted))
	if held := n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`); steps != 2 || held != 0 {
		t.Errorf("it has %d steps of a doubt, and %d notes are held", steps, held)
	}
	n.asked(t, d, nothingFound, fiscal.ScopeCompany)
	certain := refusedFalsely("E0025")
	certain.DoubtFor = 0
	n.answered(t, d, certain, fiscal.ScopeCompany)
	if e := n.exchange(t, d.NoteID, fiscal.Issue); n.doubtedUntil(t, d) != "" || !e.Refused() {
		t.Errorf("refused for certain it is %+v", e.Exchange)
	}
}

// Once its time is over a note that is not answered holds up nobody.
func TestDoubt_OverReleasesSiblings(t *testing.T) {
	n, certificate := newIssuer(t)
	d, behind := n.signed(t, certificate, "refused"), n.begin(t, "behind")
	n.answered(t, d, refusedFalsely("E0160"), fiscal.ScopeCompany)
	if n.asked(t, d, unanswered, fiscal.ScopeCompany); n.heldBySibling(t, behind).None() {
		t.Fatal("it does not wait")
	}
	n.Exec(t, `UPDATE fiscal_exchanges SET doubted_until = now()`)
	held := n.asked(t, d, unanswered, fiscal.ScopeCompany)
	if held.Action != fiscal.Hold {
		t.Fatalf("it is %+v", held)
	}
	n.holdFor(t, d.NoteID, held.Reason)
	if reason := n.heldBySibling(t, behind); !reason.None() {
		t.Errorf("the note behind waits on: %s", reason.English())
	}
	// What keeps it is a person's. Another answer does not make others wait for it.
	n.asked(t, d, unanswered, fiscal.ScopeCompany)
	if holds := n.Count(t, `SELECT count(*) FROM refusal_brakes`); holds != 0 {
		t.Errorf("%d sibling holds", holds)
	}
}

// What a person corrects is taken while a refusal is doubted, once it is known that nothing exists. The doubt then
// ends; a refusal of what is signed again starts a new one.
func TestDoubt_Corrected(t *testing.T) {
	n, certificate := newIssuer(t)
	d := n.signed(t, certificate, "a")
	n.answered(t, d, refusedFalsely("E0160"), fiscal.ScopeCompany)
	take := func(change func(*nfse.FiscalProfile)) bool {
		t.Helper()
		lease := newLease(time.Minute)
		leased, err := n.Store.Lifecycle.LeaseExchange(t.Context(), d.NoteID, fiscal.Issue, lease)
		must(t, err)
		profile := n.issuer()
		change(&profile)
		changed, err := n.Store.Lifecycle.TakePresent(t.Context(), leased, lease, profile, "crt_another")
		must(t, err)
		must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), d.NoteID, lease))
		return changed
	}
	corrected := func(profile *nfse.FiscalProfile) { profile.Simples = nfse.SimplesMEI }
	if take(corrected) {
		t.Error("it is signed anew while something may exist")
	}
	n.asked(t, d, nothingFound, fiscal.ScopeCompany)
	if take(func(*nfse.FiscalProfile) {}) {
		t.Error("it is signed anew although nothing has changed")
	}
	if !take(corrected) {
		t.Error("what was corrected is not taken")
	}
	if e := n.exchange(t, d.NoteID, fiscal.Issue); e.State != fiscal.Unsigned || e.Handling != fiscal.AutoFixed ||
		n.doubtedUntil(t, d) != "" {
		t.Errorf("then it is %+v", e.Exchange)
	}
}

// A note whose refusal is doubted takes a number of another sequence, where the profile's is by now.
func TestDoubt_Spent(t *testing.T) {
	n, certificate := newIssuer(t)
	d := n.signed(t, certificate, "a")
	n.answered(t, d, refusedFalsely("E0082"), fiscal.ScopeCompany)
	for _, state := range []fiscal.State{fiscal.InDoubt, fiscal.UsedUp} {
		lease := newLease(time.Minute)
		leased, err := n.Store.Lifecycle.LeaseExchange(t.Context(), d.NoteID, fiscal.Issue, lease)
		must(t, err)
		must(t, n.Store.Lifecycle.UseUpRefusedNumber(t.Context(), leased, lease))
		must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), d.NoteID, lease))
		if now := n.Text(t, `SELECT state FROM fiscal_exchanges`); now != string(state) {
			t.Fatalf("it is %s, and not %s", now, state)
		}
		if state == fiscal.InDoubt {
			n.asked(t, d, nothingFound, fiscal.ScopeCompany)
		}
	}
}
