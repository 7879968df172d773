package store_test

import (
	"context"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
	"emissor/test/testkit"
)

// refuse has the authority refuse a note for what a person can put right, so that the others of
// a scope wait behind it, and holds the note.
func (n tenancy) refuse(t *testing.T, certificate, noteID, code string, scope fiscal.Scope) *exchanges.Exchange {
	t.Helper()
	lease := newLease(time.Minute)
	e, err := n.Store.Lifecycle.TakeNumber(t.Context(), noteID, n.issuer(), fiscal.Capabilities{}, lease)
	must(t, err)
	call, ok, err := n.Store.Lifecycle.StartSending(t.Context(), e, lease, firstMessage(e, certificate))
	if err != nil || !ok {
		t.Fatalf("it was not sent, %v", err)
	}
	answer := fiscal.Answer{Outcome: fiscal.OutcomeRejected, Handling: fiscal.NeedsPerson,
		Rejection: &nfse.Rejection{Source: nfse.RejectedByAuthority, Code: code}}
	sent := *e
	sent.State = fiscal.Signed
	decision := sent.AfterSending(answer, time.Hour).Repaired(fiscal.Repair{Act: fiscal.CorrectProfile, Scope: scope},
		nil, false)
	_, err = n.Store.Lifecycle.SaveDecision(t.Context(), &sent, lease, call, answer, decision, lifecycle.DecisionExtras{})
	must(t, err)
	must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), noteID, lease))
	n.holdFor(t, noteID, fact.RefusedForSettings.With("code", code))
	return n.exchange(t, noteID, fiscal.Issue)
}

func (n tenancy) holdFor(t *testing.T, noteID string, reason fact.Fact) {
	t.Helper()
	_, err := n.Store.Lifecycle.HoldNote(t.Context(), noteID, reason)
	must(t, err)
}

// heldBySibling is why a note waits behind another one.
func (n tenancy) heldBySibling(t *testing.T, noteID string) fact.Fact {
	t.Helper()
	live, err := n.Store.Lifecycle.LiveNote(t.Context(), noteID, fiscal.Issue)
	must(t, err)
	why, _ := live.HeldBySibling(n.issuer())
	return why
}

// wokenUp reports whether a note is to look again at what it waits for.
func (n tenancy) wokenUp(t *testing.T, noteID string) bool {
	t.Helper()
	return n.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'resume' AND subject_id = $1`, noteID) == 1
}

// Two notes that were sent at once may be refused for different reasons, so that each would
// wait behind the other for ever. What others wait for waits for nobody.
func TestSiblingHolds_NoneWaitForEachOther(t *testing.T) {
	n, certificate := newIssuer(t)
	company, service, behind := n.begin(t, "company"), n.begin(t, "service"), n.begin(t, "behind")
	n.refuse(t, certificate, service, "E0312", fiscal.ScopeService)
	n.refuse(t, certificate, company, "E0160", fiscal.ScopeCompany)
	for _, id := range []string{company, service} {
		if reason := n.heldBySibling(t, id); !reason.None() {
			t.Errorf("%s: %s", id, reason.English())
		}
	}
	if n.heldBySibling(t, behind).None() {
		t.Error("another note waits for neither")
	}
}

// Registers are consulted as of the day of competence: what is refused of an old day holds up no
// note of a later one. The first of those that is refused too takes the place, and all wait for it.
func TestSiblingHolds_DoNotHoldLaterDays(t *testing.T) {
	n, certificate := newIssuer(t)
	old, today, other, older := n.begin(t, "old"), n.begin(t, "today"), n.begin(t, "other"), n.begin(t, "older")
	for days, id := range []string{today, old, older} {
		n.Exec(t, `UPDATE notes SET competence = competence - 20 * $2::integer WHERE id = $1`, id, days)
	}
	n.refuse(t, certificate, old, "E0160", fiscal.ScopeCompany)
	if reason := n.heldBySibling(t, today); !reason.None() {
		t.Errorf("a note of a later day waits: %s", reason.English())
	}
	if n.heldBySibling(t, older).None() {
		t.Error("a note of an earlier day does not wait")
	}
	n.refuse(t, certificate, today, "E0160", fiscal.ScopeCompany)
	if reason := n.heldBySibling(t, other); !reason.Equal(fact.HeldBySibling.With("note", "today", "code", "E0160")) {
		t.Errorf("a note of the same day waits for: %s", reason.English())
	}
	if n.heldBySibling(t, old).None() || !n.heldBySibling(t, today).None() {
		t.Error("the first note does not wait for the second, or the second waits too")
	}
	n.refuse(t, certificate, older, "E0160", fiscal.ScopeCompany) // was on its way
	if holder := n.Text(t, `SELECT string_agg(note_id, ', ') FROM refusal_brakes`); holder != today {
		t.Errorf("%s holds its siblings", holder)
	}
}

// A note that was sent again and gets no answer holds up no others: its cause may lie in that note alone.
func TestSiblingHolds_EndWhereTheNextMessageIsNotAnswered(t *testing.T) {
	n, certificate := newIssuer(t)
	refused, behind := n.begin(t, "refused"), n.begin(t, "behind")
	n.refuse(t, certificate, refused, "E0160", fiscal.ScopeCompany)
	n.holdFor(t, behind, n.heldBySibling(t, behind))
	lease := newLease(time.Minute)
	e, err := n.Store.Lifecycle.LeaseExchange(t.Context(), refused, fiscal.Issue, lease)
	must(t, err)
	call, ok, err := n.Store.Lifecycle.StartSending(t.Context(), e, lease, firstMessage(e, certificate))
	if err != nil || !ok {
		t.Fatalf("it was not sent, %v", err)
	}
	sent := *e
	sent.State = fiscal.Signed
	answer := fiscal.Answer{Outcome: fiscal.OutcomeUnknown}
	_, err = n.Store.Lifecycle.SaveDecision(t.Context(), &sent, lease, call, answer, sent.AfterSending(answer, time.Hour),
		lifecycle.DecisionExtras{})
	must(t, err)
	if reason := n.heldBySibling(t, behind); !reason.None() || !n.wokenUp(t, behind) {
		t.Errorf("the note behind waits on: %s", reason.English())
	}
}

// A note that waits behind another and cannot be woken up does not stop the end of that one.
func TestSiblingHolds_PoisonBehind(t *testing.T) {
	n, certificate := newIssuer(t)
	refused, behind := n.begin(t, "refused"), n.begin(t, "behind")
	n.refuse(t, certificate, refused, "E0160", fiscal.ScopeCompany)
	n.holdFor(t, behind, n.heldBySibling(t, behind))
	_, _, err := n.Changes().Lifecycle.RequestCancellation(t.Context(), refused, lifecycle.NewCancellation{Key: n.key,
		RequestID: "req_1", ReasonCode: "1", ReasonText: "emitida com o valor errado"})
	must(t, err)
	n.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'a poison row'; END $$`)
	n.Exec(t, `CREATE TRIGGER refuse BEFORE INSERT ON outbox FOR EACH ROW
		WHEN (NEW.subject_id = '`+behind+`') EXECUTE FUNCTION refuse()`)
	settled, err := n.Store.Lifecycle.CancelUnsent(t.Context(), refused)
	if err != nil || settled.Note.Status != nfse.StatusCancelled {
		t.Fatalf("the note is %s, %v", settled.Note.Status, err)
	}
	if reason := n.heldBySibling(t, behind); !reason.None() {
		t.Errorf("the note behind waits on: %s", reason.English())
	}
}

// A note that waits for anything but its refusal stands in nobody's way: what it needs, the
// others need not.
func TestSiblingHolds_EndWhereTheNoteWaitsForAnythingElse(t *testing.T) {
	n, certificate := newIssuer(t)
	refused, behind := n.begin(t, "refused"), n.begin(t, "behind")
	e := n.refuse(t, certificate, refused, "E0160", fiscal.ScopeCompany)
	n.holdFor(t, behind, n.heldBySibling(t, behind))
	n.holdFor(t, refused, fact.InWords("no certificate")) // it is refused all the same
	if n.heldBySibling(t, behind).None() {
		t.Fatal("the hold of siblings ends while its note is refused")
	}
	lease := newLease(time.Minute)
	_, err := n.Store.Lifecycle.LeaseExchange(t.Context(), refused, fiscal.Issue, lease)
	must(t, err)
	profile := n.issuer()
	profile.Simples = nfse.SimplesMEI
	if changed, err := n.Store.Lifecycle.TakePresent(t.Context(), e, lease, profile, certificate); err != nil ||
		!changed {
		t.Fatalf("changed %v, %v", changed, err)
	}
	if n.heldBySibling(t, behind).None() {
		t.Error("the hold of siblings ends before it is known whether its reason has")
	}
	n.holdFor(t, refused, fact.InWords("its own day is over"))
	if reason := n.heldBySibling(t, behind); !reason.None() || !n.wokenUp(t, behind) {
		t.Errorf("the note behind waits on: %s", reason.English())
	}
}

// A note that begins to wait behind another while that one ends is not left behind.
func TestSiblingHolds_LiftedWhileANoteBeginsToWait(t *testing.T) {
	n, certificate := newIssuer(t)
	refused, behind := n.begin(t, "refused"), n.begin(t, "behind")
	n.refuse(t, certificate, refused, "E0160", fiscal.ScopeCompany)
	_, _, err := n.Changes().Lifecycle.RequestCancellation(t.Context(), refused, lifecycle.NewCancellation{Key: n.key,
		RequestID: "req_1", ReasonCode: "1", ReasonText: "emitida com o valor errado"})
	must(t, err)
	reason := n.heldBySibling(t, behind)

	// The note's end is stopped once it has released its siblings, before it is committed.
	n.Exec(t, `CREATE FUNCTION stopped() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
		CREATE TRIGGER stopped BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION stopped()`)
	stopped, err := n.SQL.Beginx()
	must(t, err)
	_, err = stopped.Exec(`SELECT pg_advisory_xact_lock(1)`)
	must(t, err)
	waiting := func() int {
		return n.Count(t, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`)
	}
	ended, held := make(chan error, 1), make(chan bool, 1)
	go func() {
		_, err := n.Store.Lifecycle.CancelUnsent(context.Background(), refused)
		ended <- err
	}()
	testkit.Eventually(t, "the note is about to end", func() bool { return waiting() == 1 })
	go func() {
		_, holding := n.Store.Lifecycle.HoldNote(context.Background(), behind, reason)
		live, err := n.Store.Lifecycle.LiveNote(context.Background(), behind, fiscal.Issue) // as its run looks once more
		if holding != nil || err != nil {
			t.Error(holding, err)
		}
		why, _ := live.HeldBySibling(n.issuer())
		held <- why.None()
	}()
	testkit.Eventually(t, "the other is held, or waits for the end", func() bool {
		return len(held) == 1 || waiting() == 2
	})
	must(t, stopped.Rollback())
	must(t, <-ended)
	if goesOn := <-held; !goesOn && !n.wokenUp(t, behind) {
		t.Error("it waits behind a note that has ended")
	}
}

// What is corrected between a refusal and the wait for it wakes the note up.
func TestRefused_ServiceChangedBeforeItIsHeld(t *testing.T) {
	n, certificate := newIssuer(t)
	id := n.begin(t, "a")
	n.refuse(t, certificate, id, "E0312", fiscal.ScopeService)
	must(t, n.Store.Lifecycle.ReleaseNote(t.Context(), id))
	service := n.Text(t, `SELECT service_id FROM notes WHERE id = $1`, id)
	_, err := n.Store.Catalogues.UpdateService(t.Context(), n.scope, service, func(s *nfse.Service) error {
		s.NationalTaxCode = new("010601")
		return nil
	})
	must(t, err)
	if !n.wokenUp(t, id) {
		t.Error("it is not woken up")
	}
}

// What was corrected without a person counts until a person changes something: what they say is
// then sent as they say it.
func TestTakePresent_EndsMends(t *testing.T) {
	n, certificate := newIssuer(t)
	id := n.begin(t, "a")
	n.refuse(t, certificate, id, "E0120", fiscal.ScopeCompany)
	n.Exec(t, `UPDATE fiscal_exchanges SET mends = '[{"code": "E0116", "mend": "send_registration"}]'`)
	lease := newLease(time.Minute)
	e, err := n.Store.Lifecycle.LeaseExchange(t.Context(), id, fiscal.Issue, lease)
	must(t, err)
	if changed, err := n.Store.Lifecycle.TakePresent(t.Context(), e, lease, n.issuer(), certificate); err != nil ||
		changed {
		t.Fatalf("nothing was changed, and it was %v, %v", changed, err)
	}
	if e := n.exchange(t, id, fiscal.Issue); len(e.AutoFixes) != 1 {
		t.Fatalf("the changes are %v", e.AutoFixes)
	}
	profile := n.issuer()
	profile.MunicipalRegistration = new("54321")
	if changed, err := n.Store.Lifecycle.TakePresent(t.Context(), e, lease, profile, certificate); err != nil ||
		!changed {
		t.Fatalf("it was changed, and it was %v, %v", changed, err)
	}
	if e := n.exchange(t, id, fiscal.Issue); len(e.AutoFixes) != 0 || e.Handling != fiscal.AutoFixed {
		t.Errorf("it is %s, with the changes %v", e.Handling, e.AutoFixes)
	}
}

// A note whose first change led to another wait takes the next change as well; one that nothing was
// changed for stays as it was corrected.
func TestTakePresent_ChangedTwice(t *testing.T) {
	n, certificate := newIssuer(t)
	id := n.begin(t, "a")
	n.refuse(t, certificate, id, "E0160", fiscal.ScopeCompany)
	lease := newLease(time.Minute)
	profile := n.issuer()
	for i, regime := range []nfse.SimplesOption{nfse.SimplesMEI, nfse.SimplesME} {
		e, err := n.Store.Lifecycle.LeaseExchange(t.Context(), id, fiscal.Issue, lease)
		must(t, err)
		profile.Simples = regime
		if changed, err := n.Store.Lifecycle.TakePresent(t.Context(), e, lease, profile, certificate); err != nil ||
			!changed {
			t.Fatalf("%d: changed %v, %v", i, changed, err)
		}
		e = n.exchange(t, id, fiscal.Issue)
		if e.Profile.Simples != regime || e.Handling != fiscal.AutoFixed {
			t.Fatalf("%d: it has %v and is %s", i, e.Profile.Simples, e.Handling)
		}
	}
	n.Exec(t, `UPDATE fiscal_exchanges SET mends = '[{"code": "E0116", "mend": "send_registration"}]'`)
	e, err := n.Store.Lifecycle.LeaseExchange(t.Context(), id, fiscal.Issue, lease)
	must(t, err)
	// A certificate that came meanwhile signs in any case.
	if changed, err := n.Store.Lifecycle.TakePresent(t.Context(), e, lease, profile, "another"); err != nil || changed {
		t.Errorf("nothing was changed, and it was %v, %v", changed, err)
	}
	if e := n.exchange(t, id, fiscal.Issue); len(e.AutoFixes) != 1 {
		t.Errorf("the changes are %v", e.AutoFixes)
	}
}

// That a note was refused once is past when it is issued, also while its cancellation waits.
func TestGauges_RefusedOnce(t *testing.T) {
	n, certificate := newIssuer(t)
	refused, issued := n.begin(t, "refused"), n.begin(t, "issued")
	n.refuse(t, certificate, refused, "E0160", fiscal.ScopeCompany)
	n.refuse(t, certificate, issued, "E0160", fiscal.ScopeCompany)
	n.Exec(t, `UPDATE notes SET refused_at = now() - interval '90 days', status = 'issued', issued_at = now(),
		authority_issued_at = now(), access_key = 'KEY', cancellation_status = 'pending',
		cancellation_requested_at = now(), cancellation_reason_code = '1', cancellation_reason_text = 'erro',
		cancellation_request_id = 'req_1' WHERE id = $1`, issued)
	gauges, err := n.Store.Operate.Gauges(t.Context())
	must(t, err)
	if gauges.HeldNotes != 2 || gauges.RefusedSeconds == 0 || gauges.RefusedSeconds > 3600 {
		t.Errorf("%d notes are held, refused for %v s", gauges.HeldNotes, gauges.RefusedSeconds)
	}
}

// What was found and could not be verified is no obstacle to the same event once it can.
func TestSaveFoundEvent_VerifiedLater(t *testing.T) {
	n, _ := newIssuer(t)
	id := n.begin(t, "a")
	found := fiscal.Distributed{AccessKey: "KEY", Content: []byte("<evento/>"),
		Title: fact.ExternalFoundCancelled.Fact(), Problem: fact.InWords("not verified"),
		Event: &fiscal.ExternalEvent{Type: "105105", Sequence: 1, Effect: fiscal.EffectDeniesCancellation,
			HappenedAt: time.Now()}}
	verified := found
	verified.Problem = fact.Fact{}
	for i, one := range []struct {
		item  fiscal.Distributed
		fresh bool
	}{{found, true}, {found, false}, {verified, true}, {verified, false}, {found, false}} {
		fresh, err := n.Store.Received.SaveFoundEvent(t.Context(), id, one.item)
		must(t, err)
		if fresh != one.fresh {
			t.Errorf("%d: fresh is %v", i, fresh)
		}
	}
	if usable := n.Count(t, `SELECT count(*) FROM external_events WHERE problem IS NULL`); usable != 1 {
		t.Errorf("%d events can be applied", usable)
	}
}
