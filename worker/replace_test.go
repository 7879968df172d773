package worker_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"emissor/internal/mail"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

const replacementText = "a descrição do serviço estava errada"

// replacing makes a note that replaces another, as page and command do, without accepting it.
func (n nationally) replacing(t *testing.T, original, reference string,
	change func(*nfse.Issuance)) (lifecycle.NewNote, company.ToReplace, error) {
	t.Helper()
	scope := nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
	to, err := company.ReadToReplace(t.Context(), n.Store, scope, original)
	if err != nil {
		return lifecycle.NewNote{}, to, err
	}
	details, err := to.Details("99", replacementText)
	if err != nil {
		return lifecycle.NewNote{}, to, err
	}
	issuance := to.Again(reference)
	issuance.Description = new("Suporte técnico em informática, corrigido")
	if change != nil {
		change(&issuance)
	}
	note, _, err := catalogue.New(n.Store, n.Resolver).DraftReplacement(t.Context(), scope, to.Defaults,
		nfse.NewID(nfse.PrefixRequest), issuance, details)
	if err != nil {
		return note, to, err
	}
	_, err = to.Check(t.Context(), n.Store, note)
	return note, to, err
}

// replace asks for a replacement and returns the id of the new note.
func (n nationally) replace(t *testing.T, original, reference string) string {
	t.Helper()
	note, to, err := n.replacing(t, original, reference, nil)
	if err != nil {
		t.Fatal(err)
	}
	if refused, err := to.Check(t.Context(), n.Store, note); err != nil || refused != nil {
		t.Fatalf("%+v, %v", refused, err)
	}
	accepted, created, err := n.Changes().Lifecycle.Replace(t.Context(), note)
	if err != nil || !created {
		t.Fatalf("%+v, %v, %v", accepted, created, err)
	}
	return accepted.ID
}

// replaced expects that the new note stands and the old one is cancelled by that, here as at the
// authority, each told once.
func (n nationally) replaced(t *testing.T, original, replacement string) {
	t.Helper()
	n.Await(t, n.LiveKey, replacement, nfse.StatusIssued)
	note := n.read(t, original)
	if note.Text("status") != "cancelled" || note.Text("cancellation", "status") != "accepted" ||
		note.Text("cancellation", "origin") != "caller" || note.At("cancellation", "reason_code") != nil ||
		note.Text("cancellation", "reason_text") != replacementText {
		t.Errorf("the note that is replaced is %s", note.Raw)
	}
	n.cancelledOnce(t, original)
	if document, err := n.Store.Notes.NoteDocument(t.Context(), original); err != nil || !document.Replaced {
		t.Errorf("its page does not say that it is replaced (%v)", err)
	}
	expectEvents(t, n.System, replacement, "nfse.issued")
	if standing := n.standing(); len(standing) != 1 ||
		standing[0] != n.read(t, replacement).Text("authority", "access_key") {
		t.Errorf("at the authority stand %v", standing)
	}
}

// kept expects that the old note stands as if nothing had been asked for.
func (n nationally) kept(t *testing.T, original string) {
	t.Helper()
	note := n.read(t, original)
	if note.Text("status") != "issued" || note.At("cancellation") != nil {
		t.Errorf("the note is %s", note.Raw)
	}
	expectEvents(t, n.System, original, "nfse.issued")
	if standing := n.standing(); !slices.Equal(standing, []string{note.Text("authority", "access_key")}) {
		t.Errorf("at the authority stand %v", standing)
	}
}

// standing are the access keys of the documents that are not cancelled at the authority.
func (n nationally) standing() (keys []string) {
	for _, entry := range n.authority.Ledger() {
		if !entry.Cancelled {
			keys = append(keys, entry.AccessKey)
		}
	}
	return keys
}

// A note replaces another, which is cancelled by that; the authority's event, which comes later,
// confirms it. The one that replaces may be replaced itself.
func TestReplace_Replaced(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	replacement := n.replace(t, id, "order-2")
	n.replaced(t, id, replacement)
	if outcome := n.applied(t, "105102"); !outcome.Equal(fact.EffectConfirmsReplacement.With("note", "order-2")) {
		t.Errorf("the event did: %v", outcome)
	}
	if xml := n.xml(t, replacement); !bytes.Contains(xml, []byte("<chSubstda>"+key+"</chSubstda>")) ||
		!bytes.Contains(xml, []byte("corrigido")) {
		t.Errorf("the document is\n%s", xml)
	}
	if alarms := counter(t, n.System, "emissor_authority_alarms_total"); alarms != 0 {
		t.Errorf("%v alarms", alarms)
	}
	cancel(t, n.System, n.LiveKey, id, cancelBody).ExpectError(t, http.StatusConflict,
		nfse.CodeNoteAlreadyCancelled, "")
	third := n.replace(t, replacement, "order-3")
	n.replaced(t, replacement, third)

	// What was asked for twice is done once, and what is done cannot be replaced again.
	if _, _, err := n.replacing(t, id, "order-4", nil); !nfse.IsCode(err, nfse.CodeNoteAlreadyCancelled) {
		t.Errorf("what is cancelled: %v", err)
	}
	cancel(t, n.System, n.LiveKey, third, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, third, nfse.StatusCancelled)
	if note := n.read(t, replacement); note.Text("status") != "cancelled" || len(n.standing()) != 0 {
		t.Errorf("the note is %s, and %v stand", note.Raw, n.standing())
	}
}

// While a replacement is on its way nothing else cancels the note, and its end decides: held, it
// keeps the note waiting; cancelled before anything was sent, it leaves the note as it was.
func TestReplace_Meanwhile(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, _ := n.issued(t)
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Code: "E0038", Scope: sefin.Issue})
	replacement := n.replace(t, id, "order-2")
	testkit.Eventually(t, "the replacement is held", func() bool {
		return n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`) == 1
	})
	note := n.read(t, id)
	if note.Text("status") != "issued" || note.Text("cancellation", "status") != "pending" ||
		note.Text("cancellation", "origin") != "caller" || note.At("cancellation", "reason_code") != nil ||
		note.Text("cancellation", "reason_text") != replacementText {
		t.Errorf("the note is %s", note.Raw)
	}
	cancel(t, n.System, n.LiveKey, id, cancelBody).ExpectError(t, http.StatusConflict,
		nfse.CodeCancellationInProgress, "")
	if _, _, err := n.replacing(t, id, "order-3", nil); !nfse.IsCode(err, nfse.CodeCancellationInProgress) {
		t.Errorf("another replacement: %v", err)
	}
	scope := nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
	if _, _, err := n.Changes().Lifecycle.RequestAnalysis(t.Context(), scope, id, "req_x"); !nfse.IsCode(err,
		nfse.CodeCancellationInProgress) {
		t.Errorf("an analysis: %v", err)
	}
	cancel(t, n.System, n.LiveKey, replacement, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, replacement, nfse.StatusCancelled)
	n.kept(t, id)

	n.faults(t)
	again := n.replace(t, id, "order-4")
	n.replaced(t, id, again)
}

// A replacement that is refused leaves the note as it was, with what became of an earlier request
// to cancel it.
func TestReplace_Refused(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, _ := n.issued(t)
	n.authority.SetRegistry(sefin.Registry{Collected: []string{n.read(t, id).Text("authority", "access_key")}})
	replacement := n.replace(t, id, "order-2")
	if note := n.Await(t, n.LiveKey, replacement, nfse.StatusRejected); note.Text("rejection", "code") != "E0074" {
		t.Errorf("the replacement is %s", note.Raw)
	}
	n.kept(t, id)
	n.authority.SetRegistry(termOver)
	n.refused(t, id, "E0822")
	n.authority.SetRegistry(sefin.Registry{Collected: []string{n.read(t, id).Text("authority", "access_key")}})
	n.Await(t, n.LiveKey, n.replace(t, id, "order-3"), nfse.StatusRejected)
	n.awaitRefusal(t, id, "E0822")

	// What must stay and does not is refused here, before anything is sent.
	note, to, err := n.replacing(t, id, "order-4", func(i *nfse.Issuance) { i.Competence = "2026-10-01" })
	if err != nil {
		t.Fatal(err)
	}
	if refused, err := to.Check(t.Context(), n.Store, note); err != nil || refused == nil || refused.Code != "E0060" {
		t.Errorf("another day: %+v, %v", refused, err)
	}
}

// What a city has only to say first is waited for: that it lifts its block of the replacement.
func TestReplace_WaitsForTheCity(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.Exec(t, `UPDATE api_keys SET register_ledger = true`)
	id, key := n.issued(t)
	n.register(t, key, "305102", sefin.EventDetails{Text: "Bloqueada pela fiscalizacao", Bars: "e105102"})
	replacement := n.replace(t, id, "order-2")
	awaitReason(t, n.System, replacement, "rule E0076 (subst)")
	n.expectWaits(t, replacement)
	if note := n.read(t, id); note.Text("status") != "issued" || note.Text("cancellation", "status") != "pending" {
		t.Errorf("the note is %s", note.Raw)
	}
	n.register(t, key, "305103", sefin.EventDetails{Bars: "e105102"})
	if err := n.Changes().Lifecycle.RedriveNote(t.Context(), replacement); err != nil {
		t.Fatal(err)
	}
	n.replaced(t, id, replacement)
}

// No matter what is lost on the way, the replacement is issued once and the other note is cancelled once.
func TestReplace_LostAnswers(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]sefin.Fault{
		"done, and lost":     {{Kind: sefin.Drop, Scope: sefin.Issue, After: true, Next: 1}},
		"not done, and lost": {{Kind: sefin.Drop, Scope: sefin.Issue, Next: 1}},
		"and the question too": {{Kind: sefin.Drop, Scope: sefin.Issue, After: true, Next: 1},
			{Kind: sefin.Drop, Scope: sefin.Query, Next: 1}},
		"refused for maintenance":   {{Kind: sefin.Reject, Code: "E1217", Scope: sefin.Issue, Next: 1}},
		"done, and refused by that": {{Kind: sefin.Status, Status: 503, Scope: sefin.Issue, After: true, Next: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newExternal(t)
			id, _ := n.issued(t)
			n.faults(t, faults...)
			n.replaced(t, id, n.replace(t, id, "order-2"))
			n.applied(t, "105102")
		})
	}
}

// The event that says that the note was replaced comes before the answer to the sending was found:
// it waits for that, and cancels nothing by itself.
func TestReplace_EventFirst(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, _ := n.issued(t)
	n.faults(t, sefin.Fault{Kind: sefin.Drop, Scope: sefin.Issue, After: true, Next: 1},
		sefin.Fault{Kind: sefin.Status, Scope: sefin.Query, Status: 503})
	replacement := n.replace(t, id, "order-2")
	testkit.Eventually(t, "the event is stored", func() bool {
		return n.Count(t, `SELECT count(*) FROM external_events WHERE type = '105102' AND note_id = $1`, id) == 1
	})
	if err := n.Changes().Lifecycle.RedriveNote(t.Context(), id); err != nil { // its run looks, and applies nothing
		t.Fatal(err)
	}
	testkit.Eventually(t, "its run has looked", func() bool {
		return n.Count(t, `SELECT count(*) FROM outbox WHERE subject_id = $1`, id) == 0
	})
	if note := n.read(t, id); note.Text("status") != "issued" || note.Text("cancellation", "status") != "pending" {
		t.Errorf("the note is %s", note.Raw)
	}
	n.faults(t)
	if err := n.Changes().Lifecycle.RedriveNote(t.Context(), replacement); err != nil {
		t.Fatal(err)
	}
	n.replaced(t, id, replacement)
	if outcome := n.applied(t, "105102"); !outcome.Is(fact.EffectConfirmsReplacement) {
		t.Errorf("the event did: %v", outcome)
	}
}

// Somebody else ends the note while it is being replaced: the replacement is refused, and the note
// is cancelled as it was outside. It is told of or, where nothing is distributed, asked about.
func TestReplace_CancelledOutside(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]nationally{"distributed": newExternal(t), "asked about": newNational(t, nil, nil)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n.Exec(t, `UPDATE api_keys SET register_ledger = true`)
			id, key := n.issued(t)
			n.Worker.Stop()
			replacement := n.replace(t, id, "order-2")
			n.register(t, key, "305101", sefin.EventDetails{Text: "Cancelada de oficio pela fiscalizacao"})
			n.StartWorker(t)
			if note := n.Await(t, n.LiveKey, replacement, nfse.StatusRejected); note.Text("rejection",
				"code") != "E0046" {
				t.Errorf("the replacement is %s", note.Raw)
			}
			note := n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
			if note.Text("cancellation", "origin") != "authority" {
				t.Errorf("the note is %s", note.Raw)
			}
			n.cancelledOnce(t, id)
			if standing := n.standing(); len(standing) != 0 {
				t.Errorf("at the authority stand %v", standing)
			}
		})
	}
}

// Where nothing is distributed the event is found by asking, a day later. While it is not there a
// person is told once, and nothing is undone.
func TestReplace_Confirmed(t *testing.T) {
	t.Parallel()
	box := testkit.NewMailbox(t)
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: box.Port, From: "notas@emissor.example",
		TLS: mail.NoTLS})
	if err != nil {
		t.Fatal(err)
	}
	n := newNational(t, nil, sender)
	n.Exec(t, `UPDATE api_keys SET register_ledger = true, email_customer = true`)
	n.Call(t, http.MethodPost, "/v1/customers", n.LiveKey, testkit.Body{
		"document": "529.982.247-25", "name": "Maria da Silva", "email": "maria@example.com",
	}).Expect(t, http.StatusCreated)
	id, _ := n.issued(t)
	replacement := n.replace(t, id, "order-2")
	n.replaced(t, id, replacement)
	testkit.Eventually(t, "the e-mail names the note that is replaced", func() bool {
		return strings.Contains(strings.Join(box.Received(), "\n"), "Esta nota substitui a NFS-e n=C2=BA 1,")
	})
	due := func(days int) {
		n.Exec(t, `UPDATE fiscal_exchanges SET poll_standing_at = now()
			WHERE note_id = $1 AND poll_standing_at IS NOT NULL`, replacement)
		n.Exec(t, `UPDATE notes SET issued_at = now() - make_interval(days => $2) WHERE id = $1`, replacement, days)
		runMaintenance(t, n.System)
	}
	n.faults(t, sefin.Fault{Kind: sefin.Status, Scope: sefin.Query, Status: 503})
	due(8)
	testkit.Eventually(t, "a person is told of it", func() bool {
		return n.Count(t, `SELECT count(*) FROM note_steps WHERE note_id = $1
			AND fact::text LIKE '%replacement_unconfirmed%'`, id) == 1
	})
	n.faults(t)
	due(9)
	if outcome := n.applied(t, "105102"); !outcome.Equal(fact.EffectConfirmsReplacement.With("note", "order-2")) {
		t.Errorf("the event did: %v", outcome)
	}
	due(10)
	testkit.Eventually(t, "it is asked for no more", func() bool {
		return n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE poll_standing_at IS NOT NULL`) == 0
	})
	n.cancelledOnce(t, id)
	document, err := n.Store.Notes.NoteDocument(t.Context(), id)
	if err != nil || len(document.Events) != 1 || !bytes.Contains(document.Events[0], []byte("<e105102>")) {
		t.Errorf("its printed form is drawn from %q, %v", document.Events, err)
	}
}

// An authority without replacements refuses one, and says what to do.
func TestReplace_NotOffered(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	id, key := n.issued(t)
	n.Exec(t, `UPDATE fiscal_exchanges SET profile = profile || '{"authority": "sao-paulo"}'`)
	if _, _, err := n.replacing(t, id, "order-2", nil); !nfse.IsCode(err, nfse.CodeNoteNotCancellable) ||
		!strings.Contains(err.Error(), "City of São Paulo") {
		t.Errorf("the city's: %v", err)
	}
	n.Exec(t, `UPDATE fiscal_exchanges SET profile = profile || '{"authority": "national"}'`)
	n.Exec(t, `INSERT INTO external_events (position, access_key, type, sequence, title, effect, happened_at, content,
		content_hash, note_id) VALUES (0, $1, '203202', 1, '{"code": "external_confirmed_by_taker"}', 'none', now(),
		'x', 'x', $2)`, key, id)
	if _, _, err := n.replacing(t, id, "order-2", nil); !nfse.IsCode(err, nfse.CodeNoteNotCancellable) ||
		!strings.Contains(err.Error(), "E0070") {
		t.Errorf("a confirmed one: %v", err)
	}
}
