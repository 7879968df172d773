package store_test

import (
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
)

// refusedCompetence is a live note of whose day of competence the authority wants another.
func (n tenancy) refusedCompetence(t *testing.T, reference string) (id string, exchange int64) {
	t.Helper()
	id = n.begin(t, reference)
	n.ClaimIssuer(t, n.issuer())
	_, err := n.Store.Lifecycle.TakeNumber(t.Context(), id, n.issuer(), fiscal.Capabilities{}, issuing)
	must(t, err)
	must(t, n.SQL.Get(&exchange,
		`UPDATE fiscal_exchanges SET disposition = 'needs_person', rejection = '{"code": "E0016"}'
		WHERE note_id = $1 RETURNING id`, id))
	return id, exchange
}

func TestSetCompetence_WhileRefused(t *testing.T) {
	live := newTenant(t).inLive(t)
	id, exchange := live.refusedCompetence(t, "order")
	if _, code, err := live.Store.Lifecycle.RefusedBy(t.Context(), live.scope, id); err != nil || code != "E0016" {
		t.Errorf("it is refused by %q, %v", code, err)
	}
	set := func() error { return live.Changes().Lifecycle.SetCompetence(t.Context(), live.scope, id, "2026-10-31") }
	must(t, set())
	// What was being signed of the day before is not kept, and what is signed afterwards is.
	message := fiscal.Message{ID: "DPS1", Layout: "1.01", Digest: "digest", XML: []byte("<DPS/>"),
		CertificateID: live.addCertificate(t, live.certificate("EMPRESA", 365)).ID}
	must(t, live.Store.Exchanges.SaveMessage(t.Context(), exchange, fiscal.NeedsPerson, message))
	before := &exchanges.Exchange{ID: exchange, NoteID: id, Exchange: fiscal.Exchange{
		Kind: fiscal.Issue, State: fiscal.Unsigned, Handling: fiscal.NeedsPerson}}
	if _, sent, err := live.Store.Lifecycle.StartSending(t.Context(), before, issuing,
		lifecycle.Sending{Message: &message}); err != nil || sent {
		t.Errorf("a message of the day before is sent, %v", err)
	}
	if kept := live.Count(t, `SELECT count(*) FROM fiscal_messages`); kept != 0 {
		t.Error("a message of the day before is kept")
	}
	must(t, live.Store.Exchanges.SaveMessage(t.Context(), exchange, fiscal.AutoFixed, message))
	if kept := live.Count(t, `SELECT count(*) FROM fiscal_messages`); kept != 1 {
		t.Error("a message of the new day is not kept")
	}
	note, err := live.Store.Notes.Note(t.Context(), live.scope, id)
	if err != nil || note.Competence != "2026-10-31" {
		t.Errorf("it is of %s, %v", note.Competence, err)
	}
	if _, code, err := live.Store.Lifecycle.RefusedBy(t.Context(), live.scope, id); err != nil || code != "" {
		t.Errorf("it is still refused by %q, %v", code, err)
	}
	if woken := live.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'resume' AND subject_id = $1`, id); woken != 1 {
		t.Error("it is not woken up")
	}
	if err := set(); !nfse.IsCode(err, nfse.CodeInvalidRequest) {
		t.Errorf("set again it is %v", err)
	}
}
