package store_test

import (
	"bytes"
	"fmt"
	"testing"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

// That the notes of before have their names is reached while notes are accepted all the time, which name themselves.
func TestNameNotes_MeanwhileAccepted(t *testing.T) {
	n := newTenant(t)
	n.KeepOldForm(t)
	for order := range 4 {
		n.begin(t, fmt.Sprint("order ", order))
	}
	n.Exec(t, `DELETE FROM note_references`)
	for round, wantLeft := range []bool{true, false} {
		looked, err := n.Store.NameNotes(t.Context(), 3)
		must(t, err)
		n.begin(t, fmt.Sprint("meanwhile ", round))
		status, err := n.Store.StorageStatus(t.Context())
		if err != nil || len(status.Left) > 0 != wantLeft {
			t.Errorf("after round %d of %d notes there is left %q, %v", round, looked, status.Left, err)
		}
	}
	if named := n.Count(t, `SELECT count(*) FROM note_references`); named != n.Count(t, `SELECT count(*) FROM notes`) {
		t.Errorf("%d notes have names", named)
	}
}

// What a database of before has stored is packed once it has the new form: each document is then there once, and
// everything reads as it did. A note that cannot be packed stops no other.
func TestPackDocuments(t *testing.T) {
	n, certificate := newIssuer(t)
	n.KeepOldForm(t)
	n.SetProfile(t, n.issuer())
	ids := map[string]string{}
	for _, reference := range []string{"first", "poison", "neighbour"} {
		n.settleAtAuthority(t, certificate, reference)
		ids[reference] = n.Text(t, `SELECT id FROM notes WHERE reference = $1`, reference)
	}
	// As the authority's documents do, it embeds what was sent; and a message of another certificate does not.
	n.Exec(t, `UPDATE fiscal_messages SET xml = convert_to('<?xml version="1.0"?><DPS>ação</DPS>', 'UTF8')`)
	const document = `<NFSe><DPS>ação</DPS><X509Certificate>MIIação</X509Certificate></NFSe>`
	n.Exec(t, `UPDATE note_documents SET xml = convert_to($1, 'UTF8'), digest = NULL`, document)
	n.Exec(t, `UPDATE fiscal_exchanges SET xml = convert_to($1, 'UTF8') WHERE kind = 'issue'`, document)
	n.Exec(t, `UPDATE note_documents SET xml = '\x28b52ffd00'::bytea, digest = NULL WHERE note_id = $1`, ids["poison"])
	bodies := map[string][]byte{}
	for _, event := range []string{ids["first"], ids["neighbour"]} {
		var body []byte
		must(t, n.SQL.Get(&body, `SELECT payload FROM events WHERE note_id = $1 ORDER BY id LIMIT 1`, event))
		bodies[event] = body
	}
	if looked, err := n.Store.PackDocuments(t.Context(), 10); looked != 0 || err != nil {
		t.Errorf("in the old form it packs %d, %v", looked, err)
	}

	n.Exec(t, `UPDATE storage_form SET contracted_at = now()`)
	for looked, rounds := 1, 0; looked > 0 && rounds < 10; rounds++ {
		var err error
		looked, err = n.Store.PackDocuments(t.Context(), 2)
		must(t, err)
	}
	if aside := n.Text(t, `SELECT coalesce(string_agg(row_id, ' '), '') FROM row_failures`); aside != ids["poison"] {
		t.Errorf("set aside are %s, not the poison %s", aside, ids["poison"])
	}
	for _, id := range []string{ids["first"], ids["neighbour"]} {
		if plain := n.Count(t, `SELECT (SELECT count(*) FROM note_documents WHERE note_id = $1 AND (digest IS NULL
					OR substr(xml, 1, 4) <> '\x28b52ffd'))
				+ (SELECT count(*) FROM fiscal_exchanges WHERE note_id = $1 AND kind = 'issue' AND xml <> '')
				+ (SELECT count(*) FROM fiscal_messages m JOIN fiscal_exchanges f ON f.id = m.exchange_id
					WHERE f.note_id = $1 AND f.kind = 'issue' AND (m.xml <> '' OR NOT embedded))
				+ (SELECT count(*) FROM events WHERE note_id = $1 AND (payload_digest IS NULL
					OR substr(payload, 1, 4) <> '\x28b52ffd'))`, id); plain != 0 {
			t.Errorf("of %s %d are as they were", id, plain)
		}
		if xml, err := n.Store.NoteXML(t.Context(), n.scope, id); err != nil || string(xml) != document {
			t.Errorf("the document is %s, %v", xml, err)
		}
		if e := n.exchange(t, id, fiscal.Issue); string(e.Document.XML) != document {
			t.Errorf("the exchange has %s", e.Document.XML)
		}
		if body := n.Plain(t, `SELECT payload FROM events WHERE note_id = $1 ORDER BY id LIMIT 1`, id); body !=
			string(bodies[id]) {
			t.Errorf("the body of the event is %s", body)
		}
		messages, err := n.Store.NoteMessages(t.Context(), n.scope, id)
		if err != nil || len(messages) == 0 || !messages[0].Embedded || messages[0].Bytes != 0 {
			t.Errorf("the messages are %+v, %v", messages, err)
		}
	}
	if _, err := n.Store.NoteXML(t.Context(), n.scope, ids["poison"]); err == nil {
		t.Error("the poison is a document")
	}
}

// The body of an event that is no longer kept is sent as the same bytes, or not at all.
func TestEventBody_MadeAnew(t *testing.T) {
	n := newTenant(t)
	n.addEndpoint(t)
	id := n.begin(t, "issued")
	_, err := n.settleIssued(t, n.Store, id)
	must(t, err)
	delivery := n.Text(t, `SELECT id FROM deliveries`)
	sent, err := n.Store.DeliveryToSend(t.Context(), delivery)
	if err != nil || len(sent.Payload) == 0 {
		t.Fatalf("there is nothing to send: %+v, %v", sent, err)
	}
	n.Exec(t, `UPDATE events SET payload = ''`)
	n.cancel(t, id) // what comes later is not in the event
	found, err := n.Store.DeliveryToSend(t.Context(), delivery)
	if err != nil || !bytes.Equal(found.Payload, sent.Payload) {
		t.Errorf("made anew it is\n%s\nsent was\n%s\n%v", found.Payload, sent.Payload, err)
	}
	n.Exec(t, `UPDATE notes SET customer = customer || '{"name": "Outra"}'`)
	found, err = n.Store.DeliveryToSend(t.Context(), delivery)
	if err != nil || !found.EndpointState.Is(fact.DeliveryContentGone) || len(found.Payload) != 0 {
		t.Errorf("of a note that was changed it is %s, %s, %v", found.Payload, found.EndpointState, err)
	}
}
