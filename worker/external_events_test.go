package worker_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// newExternal makes a system that asks the ADN what happened outside, and keeps a ledger.
func newExternal(t *testing.T) nationally {
	t.Helper()
	return newExternalIn(t, testkit.Options{})
}

// newExternalIn is newExternal in a system of other options.
func newExternalIn(t *testing.T, system testkit.Options) nationally {
	t.Helper()
	n := newNationalIn(t, func(o *national.Options, simulator *sefin.Simulator) {
		o.RestrictedADNURL = simulator.ADNURL()
	}, system)
	n.Exec(t, `UPDATE api_keys SET register_ledger = true`)
	return n
}

func (n nationally) issued(t *testing.T) (id, accessKey string) {
	t.Helper()
	id = n.issue(t)
	return id, n.Await(t, n.LiveKey, id, nfse.StatusIssued).Text("authority", "access_key")
}

func (n nationally) register(t *testing.T, accessKey, kind string, details sefin.EventDetails) {
	t.Helper()
	if err := n.authority.RegisterEventWith(accessKey, kind, details); err != nil {
		t.Fatal(err)
	}
}

// applied waits until an event was applied, and returns what it did.
func (n nationally) applied(t *testing.T, kind string) (outcome fact.Fact) {
	t.Helper()
	testkit.Eventually(t, "the event "+kind+" is applied", func() bool {
		return n.Count(t, `SELECT count(*) FROM external_events WHERE type = $1 AND applied_at IS NOT NULL`, kind) > 0
	})
	if err := n.SQL.Get(&outcome, `SELECT outcome FROM external_events WHERE type = $1 ORDER BY id DESC LIMIT 1`,
		kind); err != nil {
		t.Fatal(err)
	}
	return outcome
}

func (n nationally) read(t *testing.T, id string) testkit.Answer {
	t.Helper()
	return n.Call(t, http.MethodGet, "/v1/nfse/"+id, n.LiveKey, nil).Expect(t, http.StatusOK)
}

// cancelledOnce expects both webhooks, and the ledger's two entries.
func (n nationally) cancelledOnce(t *testing.T, id string) {
	t.Helper()
	expectEvents(t, n.System, id, "nfse.issued", "nfse.cancelled")
	if entries := n.Text(t, `SELECT string_agg(kind || ' ' || amount_cents, ', ' ORDER BY id) FROM ledger_entries
		WHERE note_id = $1`, id); entries != "issued 15000, reversed -15000" {
		t.Errorf("the ledger has %s", entries)
	}
}

// A city cancels a note: it is cancelled here, its subscribers hear of it, the ledger
// takes it back, and its document stays.
func TestExternalEvents_CancelledByTheCity(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	receiver := testkit.NewReceiver(t, nil)
	n.NewEndpoint(t, receiver.URL, true)
	id, key := n.issued(t)
	before := n.xml(t, id)
	n.register(t, key, "305101", sefin.EventDetails{})
	note := n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	happened := n.Text(t, `SELECT to_char(happened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
		FROM external_events WHERE type = '305101'`)
	if note.Text("cancellation", "status") != "accepted" || note.Text("cancellation", "origin") != "authority" ||
		note.At("cancellation", "reason_code") != nil || note.At("cancellation", "reason_text") != nil ||
		note.Text("cancellation", "requested_at") != happened || note.At("cancellation", "refusal") != nil {
		t.Errorf("the note is %s", note.Raw)
	}
	if !bytes.Equal(before, n.xml(t, id)) {
		t.Error("its XML has changed")
	}
	if kept := n.Count(t, `SELECT count(*) FROM external_events WHERE type = '305101' AND note_id = $1
		AND content = $2`, id, n.authority.Events(key)[0]); kept != 1 {
		t.Error("the authority's event is not kept as it is")
	}
	testkit.Eventually(t, "both events are delivered", func() bool { return len(receiver.Calls()) == 2 })
	if body := string(receiver.Calls()[1].Body); !strings.Contains(body, `"origin":"authority"`) {
		t.Errorf("the event is %s", body)
	}
	n.cancelledOnce(t, id)
	cancel(t, n.System, n.LiveKey, id, cancelBody).ExpectError(t, http.StatusConflict,
		nfse.CodeNoteAlreadyCancelled, "")
	listed := n.Call(t, http.MethodGet, "/v1/nfse", n.LiveKey, nil).Expect(t, http.StatusOK)
	if !strings.Contains(string(listed.Raw), `"origin":"authority"`) {
		t.Errorf("listed is %s", listed.Raw)
	}
}

// Distributed without a position of its own (NSU 0), an event is applied, the position stays, and what comes with
// one later is read.
func TestExternalEvents_NoPosition(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	neighbour := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "neighbour"))
	neighboursKey := n.Await(t, n.LiveKey, neighbour, nfse.StatusIssued).Text("authority", "access_key")
	n.authority.MaskPositions(true)
	n.Exec(t, `UPDATE distributions SET position = 0`)
	n.register(t, key, "305101", sefin.EventDetails{})
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	testkit.Eventually(t, "it is said why nothing moves", func() bool {
		return n.Count(t, `SELECT count(*) FROM distributions WHERE position = 0 AND failures = 0
			AND problem ->> 'code' = $1`, string(fact.ADNNothingFollows)) == 1
	})
	n.authority.MaskPositions(false)
	n.register(t, neighboursKey, "305101", sefin.EventDetails{})
	n.Await(t, n.LiveKey, neighbour, nfse.StatusCancelled)
	if n.Count(t, `SELECT count(*) FROM distributions WHERE position = 0 OR problem IS NOT NULL`) != 0 {
		t.Error("the position stays")
	}
}

// A cancellation at the authority counts, no matter who cancels and by which event.
func TestExternalEvents_CancelledOtherwise(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		before, reason string
	}{
		"105102": {},
		"105104": {before: "101103"},
		"101101": {reason: "2"}, // by hand, on the portal
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			n := newExternal(t)
			id, key := n.issued(t)
			if c.before != "" {
				n.register(t, key, c.before, sefin.EventDetails{})
				if outcome := n.applied(t, c.before); !outcome.Is(fact.EffectNone) {
					t.Errorf("%s: %v", c.before, outcome)
				}
			}
			n.register(t, key, kind, sefin.EventDetails{})
			note := n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
			reason, _ := note.At("cancellation", "reason_code").(string)
			if note.Text("cancellation", "origin") != "authority" || reason != c.reason {
				t.Errorf("the note is %s", note.Raw)
			}
			n.cancelledOnce(t, id)
			document, err := n.Store.Notes.NoteDocument(t.Context(), id)
			if err != nil || len(document.Events) != 1 || !bytes.Contains(document.Events[0], []byte("<e"+kind+">")) {
				t.Errorf("its printed form is drawn from %q, %v", document.Events, err)
			}
		})
	}
}

// The answer to an issuance was lost, and the city has cancelled the document before
// anybody here knew of it: first it is issued, then cancelled, and both are told.
func TestExternalEvents_CancelledBeforeItsSettlement(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	n.faults(t, sefin.Fault{Kind: sefin.Drop, Scope: sefin.Issue, After: true, Next: 1},
		sefin.Fault{Kind: sefin.Status, Scope: sefin.Query, Status: 503})
	id := n.issue(t)
	testkit.Eventually(t, "the document exists", func() bool { return len(n.authority.Ledger()) == 1 })
	n.register(t, n.authority.Ledger()[0].AccessKey, "305101", sefin.EventDetails{})
	testkit.Eventually(t, "the event is stored", func() bool {
		return n.Count(t, `SELECT count(*) FROM external_events WHERE type = '305101'`) == 1
	})
	if note := n.read(t, id); note.Text("status") != "processing" {
		t.Errorf("the note is %s", note.Raw)
	}
	n.faults(t)
	if err := n.Changes().Lifecycle.RedriveNote(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	note := n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	if note.At("issued_at") == nil || note.Text("cancellation", "origin") != "authority" {
		t.Errorf("the note is %s", note.Raw)
	}
	n.cancelledOnce(t, id)
}

// A cancellation that waits for the authority meets one made outside: it ends
// accepted, once, and stays the caller's.
func TestExternalEvents_MeetsOurCancellation(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]sefin.Fault{
		"nothing was sent": {{Kind: sefin.Reject, Code: "E1217", Scope: sefin.Cancel}},
		"in doubt": {{Kind: sefin.Drop, Scope: sefin.Cancel},
			{Kind: sefin.Status, Status: 503, Scope: sefin.Query}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newExternal(t)
			id, key := n.issued(t)
			n.faults(t, faults...)
			cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
			testkit.Eventually(t, "the authority was asked", func() bool {
				return n.Count(t, `SELECT count(*) FROM fiscal_calls
					WHERE what = 'cancel' AND ended_at IS NOT NULL`) > 0
			})
			asked := n.read(t, id).Text("cancellation", "requested_at")
			n.register(t, key, "305101", sefin.EventDetails{})
			note := n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
			if note.Text("cancellation", "status") != "accepted" || note.Text("cancellation", "origin") != "caller" ||
				note.Text("cancellation", "reason_code") != "1" || note.Text("cancellation", "requested_at") != asked {
				t.Errorf("the note is %s", note.Raw)
			}
			n.cancelledOnce(t, id)
			cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusOK)
			if open := n.Count(t, `SELECT count(*) FROM fiscal_exchanges
				WHERE state NOT IN ('accepted')`); open != 0 {
				t.Errorf("%d exchanges are open", open)
			}
		})
	}
}

// Our own cancellation comes back as an event, and changes nothing.
func TestExternalEvents_OurOwnCancellation(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, _ := n.issued(t)
	cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	if outcome := n.applied(t, "101101"); !outcome.Equal(fact.EffectTooLate.With("status", "cancelled")) {
		t.Errorf("it did: %v", outcome)
	}
	if note := n.read(t, id); note.Text("cancellation", "origin") != "caller" {
		t.Errorf("the note is %s", note.Raw)
	}
	n.cancelledOnce(t, id)
}

// A block ends a cancellation as refused, with its words, and so a new one, until it
// is lifted. One of another event concerns nobody here.
func TestExternalEvents_BlockedAndLifted(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	refused := func() {
		t.Helper()
		testkit.Eventually(t, "it is refused", func() bool {
			note := n.read(t, id)
			return note.Text("cancellation", "status") == "refused" &&
				strings.Contains(note.Text("cancellation", "refusal", "message"), "Empresa sob fiscalizacao")
		})
	}
	n.register(t, key, "305102", sefin.EventDetails{Bars: "e105102", Text: "Outro bloqueio de teste"})
	n.applied(t, "305102")
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Code: "E1217", Scope: sefin.Cancel}) // maintenance
	cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	testkit.Eventually(t, "the authority was asked", func() bool {
		return n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'cancel' AND ended_at IS NOT NULL`) > 0
	})
	n.register(t, key, "305102", sefin.EventDetails{Text: "Empresa sob fiscalizacao"})
	refused()
	n.faults(t)
	asked := n.Count(t, `SELECT count(*) FROM fiscal_calls`)
	cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	refused()
	if again := n.Count(t, `SELECT count(*) FROM fiscal_calls`); again != asked {
		t.Error("the authority was asked although the note is blocked")
	}
	n.register(t, key, "305103", sefin.EventDetails{})
	n.applied(t, "305103")
	cancel(t, n.System, n.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	note := n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	if note.Text("cancellation", "origin") != "caller" {
		t.Errorf("the note is %s", note.Raw)
	}
	n.cancelledOnce(t, id)
}

// What the parties say of a note is on record, and changes nothing.
func TestExternalEvents_OnRecord(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	kinds := []string{"203206", "203202", "101103", "105105"}
	for _, kind := range kinds {
		n.register(t, key, kind, sefin.EventDetails{})
		n.applied(t, kind)
	}
	if note := n.read(t, id); note.Text("status") != "issued" || note.At("cancellation") != nil {
		t.Errorf("the note is %s", note.Raw)
	}
	history, err := n.Store.Lifecycle.NoteHistory(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, title := range []fact.Code{fact.ExternalRejectedByTaker, fact.ExternalConfirmedByTaker,
		fact.ExternalAnalysisRequested, fact.ExternalDeniedAfterAnalysis} {
		if !slices.ContainsFunc(history.Steps, func(step lifecycle.Step) bool {
			happened, _ := step.Fact.Arguments["title"].(fact.Fact)
			return step.Fact.Is(fact.ExternalHappened) && happened.Is(title)
		}) {
			t.Errorf("the history does not say %s", title)
		}
	}
}

// Read again from the begin, after the authority has renumbered everything: nothing is
// stored twice, and nothing done twice.
func TestExternalEvents_Rescan(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	for range 55 { // more than a page
		n.register(t, key, "203206", sefin.EventDetails{})
	}
	n.register(t, key, "305101", sefin.EventDetails{})
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	state := func() string {
		return n.Text(t, `SELECT count(*) || ' ' || max(id) || ' ' || min(received_at) || ' ' || max(applied_at)
			FROM external_events`)
	}
	testkit.Eventually(t, "all is applied", func() bool {
		return n.Count(t, `SELECT count(*) FROM external_events WHERE applied_at IS NOT NULL`) == 56
	})
	before := state()
	if err := n.authority.Renumber(3, 0); err != nil {
		t.Fatal(err)
	}
	rescanned, err := n.Changes().Received.RescanEvents(t.Context(), n.Organization.ID)
	if err != nil || len(rescanned) != 1 || rescanned[0].Position == 0 {
		t.Fatalf("rescanned are %+v, %v", rescanned, err)
	}
	testkit.Eventually(t, "all is read again", func() bool {
		return n.Count(t, `SELECT position FROM distributions`) == 3*57
	})
	if after := state(); after != before {
		t.Errorf("stored is %s, and was %s", after, before)
	}
	n.cancelledOnce(t, id)
}

// What cannot be read is kept as it came, and holds up nothing.
func TestExternalEvents_Unreadable(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	n.authority.Distribute(string(testkit.Issuer), key, "bm90IGd6aXA=")
	n.authority.Distribute(string(testkit.Issuer), "", sefin.Pack([]byte("<a/>")))
	n.authority.Distribute(string(testkit.Issuer), key, sefin.Pack(bytes.Repeat([]byte("<a>"), 1<<20)))
	n.register(t, key, "305101", sefin.EventDetails{})
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	if flagged := n.Text(t, `SELECT string_agg(problem ->> 'code', ' ' ORDER BY id) FROM external_events
		WHERE problem IS NOT NULL`); flagged != "external_unread external_unread external_unread" {
		t.Errorf("flagged are %s", flagged)
	}
	if kept := n.Text(t, `SELECT convert_from(content, 'UTF8') FROM external_events WHERE type IS NULL
		ORDER BY id LIMIT 1`); kept != "bm90IGd6aXA=" {
		t.Errorf("kept is %q", kept)
	}
	testkit.Eventually(t, "they are counted", func() bool { // once their batch is stored
		return counter(t, n.System, "emissor_external_events_flagged_total") == 3
	})
}

// An event that somebody else has signed is stored, flagged, alarmed and not applied;
// the real one, under the same name, is.
func TestExternalEvents_WrongSignature(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	n.faults(t, sefin.Fault{Kind: sefin.WrongSignature, Scope: sefin.Distribution})
	n.register(t, key, "305101", sefin.EventDetails{})
	testkit.Eventually(t, "it is flagged", func() bool {
		return n.Count(t, `SELECT count(*) FROM external_events WHERE type = '305101'
			AND problem ->> 'code' = 'signature_not_verified' AND applied_at IS NULL`) == 1
	})
	testkit.Eventually(t, "nothing more is asked for", func() bool {
		return n.Count(t, `SELECT count(*) FROM distributions WHERE position >= 2`) == 1
	})
	if note := n.read(t, id); note.Text("status") != "issued" {
		t.Errorf("the note is %s", note.Raw)
	}
	if alarms := n.Count(t, `SELECT count(*) FROM note_steps WHERE note_id = $1 AND fact ->> 'code' = 'alarm'`,
		id); alarms != 1 {
		t.Errorf("%d alarms", alarms)
	}
	n.faults(t)
	if _, err := n.Changes().Received.RescanEvents(t.Context(), n.Organization.ID); err != nil {
		t.Fatal(err)
	}
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	n.cancelledOnce(t, id)
}

// Answers that say nothing move nothing, and are said once.
func TestExternalEvents_AnswersThatSayNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault   sefin.Fault
		problem fact.Fact
	}{
		"a page of a proxy": {sefin.Fault{Kind: sefin.Status, Status: 200, Body: "html"},
			fact.ADNAnsweredNoBatch.With("status", 200)},
		"a 404 of a proxy": {sefin.Fault{Kind: sefin.Status, Status: 404, Body: "html"},
			fact.ADNAnsweredNoBatch.With("status", 404)},
		"nothing": {sefin.Fault{Kind: sefin.Status, Status: 404},
			fact.ADNAnsweredNoBatch.With("status", 404)},
		"a refusal": {sefin.Fault{Kind: sefin.Status, Status: 400, Body: "erros", Code: "E2243"},
			fact.ADNAnsweredCode.With("status", 400, "code", "E2243")},
		"half an answer": {sefin.Fault{Kind: sefin.HalfAnswer}, fact.AnswerBrokeOff.Fact()},
		"a pause":        {sefin.Fault{Kind: sefin.Status, Status: 429}, fact.ADNAsksForPause.Fact()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newExternal(t)
			id, key := n.issued(t)
			c.fault.Scope = sefin.Distribution
			n.faults(t, c.fault)
			testkit.Eventually(t, "the problem is on record", func() bool {
				return n.Count(t, `SELECT count(*) FROM distributions WHERE problem @> $1`, c.problem) == 1
			})
			position := n.Count(t, `SELECT position FROM distributions`)
			n.register(t, key, "305101", sefin.EventDetails{})
			if after := n.Count(t, `SELECT position FROM distributions`); after != position {
				t.Errorf("the position was %d and is %d", position, after)
			}
			n.faults(t)
			if c.fault.Status == http.StatusTooManyRequests { // all workers wait for half a minute
				if n.Count(t, `SELECT count(*) FROM distribution_leases
					WHERE paused_until > now() + interval '20 s'`) != 1 {
					t.Error("nobody pauses")
				}
				return
			}
			n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
		})
	}
}

// The worker is gone after the event was stored, and before it was applied.
func TestExternalEvents_StoppedBetweenStoringAndApplying(t *testing.T) {
	t.Parallel()
	n := newExternalIn(t, testkit.Options{RowPauses: testkit.QuickPauses})
	id, key := n.issued(t)
	n.Exec(t, `ALTER TABLE external_events ADD CONSTRAINT no CHECK (applied_at IS NULL)`) // applying fails
	n.register(t, key, "305101", sefin.EventDetails{})
	testkit.Eventually(t, "the run tries to apply it", func() bool {
		return n.Count(t, `SELECT count(*) FROM external_events WHERE note_id IS NOT NULL`) == 1
	})
	n.Worker.Stop()
	n.Exec(t, `ALTER TABLE external_events DROP CONSTRAINT no`)
	n.StartWorker(t)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	n.cancelledOnce(t, id)
}

// Of two organizations behind one address, one asks at a time.
func TestExternalEvents_OneAtATime(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	second, _, _ := n.NewOrganization(t, "Outra Clínica")
	profile := nfse.FiscalProfile{
		OrganizationID: second.ID, Authority: national.Name, TaxID: "42498733000148", MunicipalityCode: "3304557",
		Simples: nfse.SimplesNone, Series: 1,
	}
	n.SetProfile(t, profile)
	n.certify(t, second.ID, "42498733000148")
	n.faults(t, sefin.Fault{Kind: sefin.Latency, Scope: sefin.Distribution,
		Delay: sefin.Duration(30 * time.Millisecond)})
	asked := func() uint64 { return callsOf(t, n.System, "distribution") }
	before := asked()
	testkit.Eventually(t, "both are asked about", func() bool {
		return asked() > before+6 && n.Count(t, `SELECT count(*) FROM distributions
			WHERE succeeded_at IS NOT NULL`) == 2
	})
	if most := n.authority.MostAtOnce(sefin.Distribution); most != 1 {
		t.Errorf("%d were asked at once", most)
	}
}

// A document of our series that is not on record, as after the restore of a backup:
// it is kept, and an alarm says so; where its correlation id proves whose it is, the
// note says so too.
func TestExternalEvents_UnknownDocument(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	testkit.Eventually(t, "the document has come back", func() bool { // and is not being read meanwhile
		return n.Count(t, `SELECT count(*) FROM distributions WHERE position > 0`) == 1
	})
	n.Exec(t, `DELETE FROM ledger_entries`)
	n.Exec(t, `DELETE FROM note_documents`)
	n.Exec(t, `DELETE FROM fiscal_messages`)
	n.Exec(t, `DELETE FROM fiscal_exchanges`)
	n.Exec(t, `UPDATE fiscal_sequences SET last_number = 0`)
	n.Exec(t, `DELETE FROM fiscal_profiles`) // so that it is not issued again
	n.Exec(t, `UPDATE notes SET status = 'queued', issued_at = NULL, authority_issued_at = NULL, access_key = NULL`)
	n.NewProfile(t, national.Name)
	n.Exec(t, `UPDATE distributions SET position = 0, start_after = now()`)
	testkit.Eventually(t, "the document is on record", func() bool {
		return n.Count(t, `SELECT count(*) FROM external_documents WHERE access_key = $1 AND series = 1 AND number = 1
			AND note_id = $2 AND linked_by = 'correlation_id'`, key, id) == 1
	})
	if alarms := n.Count(t, `SELECT count(*) FROM note_steps WHERE note_id = $1 AND fact ->> 'code' = 'alarm'
		AND fact #>> '{arguments,what,code}' = 'external_document_not_on_record'`,
		id); alarms != 1 {
		t.Errorf("%d alarms", alarms)
	}
}

// Notes in which an organization is only taker are counted, and not kept.
func TestExternalEvents_Taken(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	second, _, _ := n.NewOrganization(t, "Tomadora")
	profile := nfse.FiscalProfile{
		OrganizationID: second.ID, Authority: national.Name, TaxID: "42498733000148", MunicipalityCode: "3304557",
		Simples: nfse.SimplesNone, Series: 1,
	}
	n.SetProfile(t, profile)
	n.certify(t, second.ID, "42498733000148")
	body := testkit.Issuance(n.service, "order")
	body["customer"].(testkit.Body)["document"] = "42.498.733/0001-48"
	id := n.Issue(t, n.LiveKey, body)
	key := n.Await(t, n.LiveKey, id, nfse.StatusIssued).Text("authority", "access_key")
	n.register(t, key, "305101", sefin.EventDetails{})
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	testkit.Eventually(t, "the taker's are counted", func() bool {
		return n.Count(t, `SELECT count(*) FROM distributions WHERE tax_id = '42498733000148' AND taken = 2`) == 1
	})
	if kept := n.Count(t, `SELECT count(*) FROM external_events e JOIN distributions d ON d.id = e.distribution_id
		WHERE d.tax_id = '42498733000148'`); kept != 0 {
		t.Errorf("%d of them are kept", kept)
	}
}

// Without a certificate nobody is asked, and it says why; without a profile the run
// ends.
func TestExternalEvents_NothingToAskWith(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	testkit.Eventually(t, "it is asked", func() bool {
		return n.Count(t, `SELECT count(*) FROM distributions WHERE succeeded_at IS NOT NULL`) == 1
	})
	n.Exec(t, `UPDATE certificates SET removed_at = now()`)
	testkit.Eventually(t, "it says why it is not", func() bool {
		return n.Count(t, `SELECT count(*) FROM distributions
			WHERE problem ->> 'code' = 'no_usable_certificate'`) == 1
	})
	n.Exec(t, `DELETE FROM fiscal_profiles`)
	run := n.Text(t, `SELECT id FROM distributions`)
	testkit.Eventually(t, "the run ends", func() bool {
		described, err := n.Temporal.DescribeWorkflow(t.Context(), run, "")
		return err == nil && fmt.Sprint(described.Status) == "Completed"
	})
}

// callsOf counts the calls of a kind to authorities.
func callsOf(t *testing.T, s *testkit.System, call string) (count uint64) {
	t.Helper()
	families, err := s.Metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.Metric {
			for _, label := range metric.Label {
				if family.GetName() == "emissor_authority_call_seconds" && label.GetName() == "call" &&
					label.GetValue() == call {
					count += metric.GetHistogram().GetSampleCount()
				}
			}
		}
	}
	return count
}
