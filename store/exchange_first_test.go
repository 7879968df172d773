package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
)

// firstMessage is what a note is sent as that was just signed.
func firstMessage(e *exchanges.Exchange, certificateID string) lifecycle.Sending {
	return lifecycle.Sending{Message: &fiscal.Message{ID: fmt.Sprint("DOC", e.Number), Layout: "1.01",
		Digest: "digest-" + e.NoteID, XML: []byte("<DPS/>"), CertificateID: certificateID}}
}

// What was numbered at once and not sent goes on by the steps of the longer way, under
// the same number.
func TestFirst_GoesOnAfterACrash(t *testing.T) {
	n, certificate := newIssuer(t)
	e := n.leased(t, n.accept(t, "a"), issuing)
	again, err := n.Store.Lifecycle.TakeNumber(t.Context(), e.NoteID, n.issuer(), fiscal.Capabilities{}, issuing)
	if err != nil || again != nil {
		t.Fatalf("a second number was taken at once, %v", err)
	}
	if other, err := n.Store.Lifecycle.LeaseExchange(t.Context(), e.NoteID, fiscal.Issue,
		exchanges.Lease{Token: uuid.New(), For: time.Minute}); err != nil || other != nil {
		t.Fatalf("another has the lease too, %v", err)
	}
	_, err = n.Store.Lifecycle.BeginNote(t.Context(), e.NoteID)
	must(t, err)
	taken, err := n.Store.Lifecycle.TakeNumber(t.Context(), e.NoteID, n.issuer(), fiscal.Capabilities{}, issuing)
	if err != nil || taken != nil {
		t.Errorf("another number was taken, %v", err)
	}
	must(t, n.Store.Exchanges.SaveMessage(t.Context(), e.ID, "", *firstMessage(e, certificate).Message))
	if _, call := n.sending(t, n.exchange(t, e.NoteID, fiscal.Issue), issuing); call == 0 {
		t.Error("it was not sent")
	}
	if _, ok, err := n.Store.Lifecycle.StartSending(t.Context(), e, issuing, firstMessage(e, certificate)); err != nil ||
		ok {
		t.Errorf("it was sent a second time, %v", err)
	}
}

// A sending at once and a cancellation that race: one of them comes first, and the
// other knows.
func TestFirst_SendingRacesCancelling(t *testing.T) {
	n, certificate := newIssuer(t)
	for i := range 20 {
		by := exchanges.Lease{Token: uuid.New(), For: time.Minute}
		e := n.leased(t, n.accept(t, fmt.Sprint(i)), by)
		n.raceCancelling(t, e.NoteID, func() (sent bool) {
			_, sent, _ = n.Store.Lifecycle.StartSending(t.Context(), e, by, firstMessage(e, certificate))
			return sent
		})
	}
}

// The answer ends exchange and note together, once; one that came after the lease was
// lost ends neither.
func TestFirst_Settles(t *testing.T) {
	n, certificate := newIssuer(t)
	refusal := fiscal.Answer{Outcome: fiscal.OutcomeRejected, Rejection: &rejection, Handling: fiscal.Final}
	for reference, lost := range map[string]bool{"in time": false, "too late": true} {
		e := n.leased(t, n.accept(t, reference), issuing)
		call, ok, err := n.Store.Lifecycle.StartSending(t.Context(), e, issuing, firstMessage(e, certificate))
		if err != nil || !ok {
			t.Fatalf("it was not sent, %v", err)
		}
		if state, err := n.Store.Lifecycle.NoteState(t.Context(), e.NoteID); err != nil || !state.Sent ||
			state.Status != nfse.StatusProcessing {
			t.Fatalf("once sent the note is %+v, %v", state, err)
		}
		if lost {
			_, err := n.SQL.Exec(`UPDATE fiscal_exchanges SET lease_until = now() WHERE id = $1`, e.ID)
			must(t, err)
			_, err = n.Store.Lifecycle.LeaseExchange(t.Context(), e.NoteID, fiscal.Issue,
				exchanges.Lease{Token: uuid.New(), For: time.Minute})
			must(t, err)
		}
		sent := *e
		sent.State = fiscal.Signed
		saved, err := n.Store.Lifecycle.SaveDecision(t.Context(), &sent, issuing, call, refusal,
			sent.AfterSending(refusal, time.Hour), lifecycle.DecisionExtras{})
		must(t, err)
		state := n.exchange(t, e.NoteID, fiscal.Issue).State
		ended := saved.Settled != nil && saved.Settled.Ended
		if saved.Lost != lost || ended == lost || (state == fiscal.Rejected) == lost {
			t.Errorf("%s: lost %v, ended %v, the exchange is %s", reference, saved.Lost, ended, state)
		}
		if events := n.Count(t, `SELECT count(*) FROM events WHERE note_id = $1`, e.NoteID); (events == 1) == lost {
			t.Errorf("%s: %d events", reference, events)
		}
		if n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE note_id = $1 AND outcome = 'rejected'`, e.NoteID) != 1 {
			t.Errorf("%s: the answer is not on record", reference)
		}
	}
}

// What an authority has answered is kept where its note cannot be settled: nobody asks
// again, and the note ends as soon as it can.
func TestSaveDecision_NoteNotSettled(t *testing.T) {
	n, certificate := newIssuer(t)
	e := n.leased(t, n.accept(t, "a"), issuing)
	call, _, err := n.Store.Lifecycle.StartSending(t.Context(), e, issuing, firstMessage(e, certificate))
	must(t, err)
	n.Exec(t, `ALTER TABLE events ADD CONSTRAINT poison CHECK (false) NOT VALID`)
	sent := *e
	sent.State = fiscal.Signed
	refusal := fiscal.Answer{Outcome: fiscal.OutcomeRejected, Rejection: &rejection, Handling: fiscal.Final}
	decision := sent.AfterSending(refusal, time.Hour)
	saved, err := n.Store.Lifecycle.SaveDecision(t.Context(), &sent, issuing, call, refusal, decision,
		lifecycle.DecisionExtras{})
	must(t, err)
	kept := n.exchange(t, e.NoteID, fiscal.Issue)
	if saved.Settled != nil || saved.Lost || kept.State != fiscal.Rejected || kept.LeasedFor != 0 {
		t.Fatalf("%+v, the exchange is %+v", saved, kept)
	}
	if settled, err := n.Store.Lifecycle.SettleEnded(t.Context(), kept, 0); err == nil {
		t.Errorf("the poison note is settled: %+v", settled)
	}
	n.Exec(t, `ALTER TABLE events DROP CONSTRAINT poison`)
	settled, err := n.Store.Lifecycle.SettleEnded(t.Context(), kept, 0)
	if err != nil || settled.Note.Status != nfse.StatusRejected {
		t.Errorf("mended it is %s, %v", settled.Note.Status, err)
	}
}

// The totals of a document are kept with the answer, so that the note has them when it is
// settled later; an issued note keeps them.
func TestSaveDecision_TotalsOfANoteSettledLater(t *testing.T) {
	n, certificate := newIssuer(t)
	for reference, totals := range map[string]*nfse.Totals{
		"none": nil, "some": {NetCents: new(int64(918500)), CSRFCents: new(int64(46500))},
	} {
		e := n.leased(t, n.accept(t, reference), issuing)
		call, _, err := n.Store.Lifecycle.StartSending(t.Context(), e, issuing, firstMessage(e, certificate))
		must(t, err)
		n.Exec(t, `ALTER TABLE events ADD CONSTRAINT poison CHECK (false) NOT VALID`)
		sent := *e
		sent.State = fiscal.Signed
		key := "key-" + reference
		accepted := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs,
			Document: &fiscal.IssuedDocument{AccessKey: key, XML: []byte("<NFSe/>"), Authorization: nfse.Authorization{
				AccessKey: &key, IssuedAt: nfse.Timestamp{Time: time.Now()}, Totals: totals}}}
		saved, err := n.Store.Lifecycle.SaveDecision(t.Context(), &sent, issuing, call, accepted,
			sent.AfterSending(accepted, time.Hour), lifecycle.DecisionExtras{})
		must(t, err)
		kept := n.exchange(t, e.NoteID, fiscal.Issue)
		if saved.Settled != nil || !reflect.DeepEqual(kept.Document.Authorization.Totals, totals) {
			t.Fatalf("%s: %+v, the exchange is %+v", reference, saved, kept)
		}
		n.Exec(t, `ALTER TABLE events DROP CONSTRAINT poison`)
		settled, err := n.Store.Lifecycle.SettleEnded(t.Context(), kept, 0)
		if err != nil || !reflect.DeepEqual(settled.Note.Authority.Totals, totals) {
			t.Errorf("%s: mended it is %+v, %v", reference, settled.Note, err)
		}
		scope := nfse.Scope{OrganizationID: settled.OrganizationID, Livemode: true}
		if note, err := n.Store.Notes.Note(t.Context(), scope, e.NoteID); err != nil ||
			!reflect.DeepEqual(note.Authority.Totals, totals) {
			t.Errorf("%s: it is read as %+v, %v", reference, note.Authority, err)
		}
	}
}

// What was sent is given up only for a document that has it byte for byte: one that repeats its digest around
// something rewritten leaves it where it is, and what was refused before it is kept. The exchange leaves the document
// to its note.
func TestSaveDecision_MessageKeptWhereRewritten(t *testing.T) {
	n, certificate := newIssuer(t)
	for name, c := range map[string]struct {
		document string
		kept     bool
	}{
		"as it was sent": {"<NFSe><DPS>1<DigestValue>d</DigestValue></DPS></NFSe>", false},
		"rewritten":      {"<NFSe><DPS>2<DigestValue>d</DigestValue></DPS></NFSe>", true},
	} {
		e := n.leased(t, n.accept(t, name), issuing)
		sending := firstMessage(e, certificate)
		sending.Message.Digest = "d"
		sending.Message.XML = []byte(`<?xml version="1.0"?><DPS>1<DigestValue>d</DigestValue></DPS>`)
		n.Exec(t, `INSERT INTO fiscal_messages (exchange_id, message_id, layout, digest, xml, certificate_id)
			VALUES ($1, 'refused', '1.01', 'of another', '<DPS/>', $2)`, e.ID, certificate)
		call, _, err := n.Store.Lifecycle.StartSending(t.Context(), e, issuing, sending)
		must(t, err)
		sent, key := *e, "the key, "+name
		sent.State = fiscal.Signed
		accepted := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs,
			Document: &fiscal.IssuedDocument{AccessKey: key, XML: []byte(c.document),
				Authorization: nfse.Authorization{AccessKey: &key, IssuedAt: nfse.Timestamp{Time: time.Now()}}}}
		_, err = n.Store.Lifecycle.SaveDecision(t.Context(), &sent, issuing, call, accepted,
			sent.AfterSending(accepted, time.Hour), lifecycle.DecisionExtras{Sent: []fiscal.Message{*sending.Message}})
		must(t, err)
		messages, err := n.Store.Exchanges.Messages(t.Context(), e.ID)
		must(t, err)
		if len(messages) != 2 || len(messages[0].XML) == 0 || (len(messages[1].XML) > 0) != c.kept {
			t.Errorf("%s: the messages are %+v", name, messages)
		}
		if n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE id = $1 AND message_id = $2 AND xml = ''`, e.ID,
			sending.Message.ID) != 1 {
			t.Errorf("%s: the exchange has the document too, or another message than was sent", name)
		}
	}
}

// Whose a series is not, to that nothing of it is told, not that it is used up either.
func TestTakeNumber_NoneLeftOfAnother(t *testing.T) {
	n, _ := newIssuer(t)
	id, profile := n.accept(t, "a"), n.issuer()
	profile.TaxID = "99888777000166"
	_, err := n.SQL.Exec(`INSERT INTO fiscal_sequences (authority, production, tax_id, municipality_code, series,
		last_number) VALUES ($1, $2, $3, $4, $5, 7)`, profile.Authority, profile.Production, profile.TaxID,
		profile.MunicipalityCode, profile.Series)
	must(t, err)
	_, err = n.Store.Lifecycle.TakeNumber(t.Context(), id, profile, fiscal.Capabilities{GreatestNumber: 7}, issuing)
	if !errors.Is(err, companies.ErrTaxIDNotShown) || errors.Is(err, lifecycle.ErrNoNumberLeft) {
		t.Errorf("%v", err)
	}
}
