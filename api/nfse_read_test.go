package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/testkit"
)

// begin moves a note to processing, as a worker does.
func begin(t *testing.T, s *testkit.System, id string) {
	t.Helper()
	if _, err := s.Store.Lifecycle.BeginNote(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

// settleIssued ends a processing note as issued, as a worker does.
func settleIssued(t *testing.T, s *testkit.System, id, xml string) {
	t.Helper()
	number := "42"
	authority := nfse.Authorization{Number: &number,
		IssuedAt: nfse.Timestamp{Time: time.Date(2026, 8, 25, 9, 31, 1, 0, time.UTC)}}
	if _, err := s.Store.Lifecycle.SettleIssued(t.Context(), id, authority, []byte(xml)); err != nil {
		t.Fatal(err)
	}
}

// settleRejected ends a processing note as rejected, as a worker does.
func settleRejected(t *testing.T, s *testkit.System, id string) {
	t.Helper()
	field := "customer.address.zip_code"
	_, err := s.Store.Lifecycle.SettleRejected(t.Context(), id, nfse.Rejection{
		Source: nfse.RejectedByAuthority, Code: "E0240", Message: "O CEP informado não existe.", Field: &field,
		Explanation: "It does not exist.", Action: "Correct it.",
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestNote_StatesAndRetryAfter(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	issued := s.Issue(t, s.TestKey, testkit.Issuance(service, "order-1"))
	rejected := s.Issue(t, s.TestKey, testkit.Issuance(service, "order-2"))
	// expect reads a note and says which of its moments are set.
	expect := func(id, status, again string, moments ...string) testkit.Answer {
		t.Helper()
		note := get(t, s, "/v1/nfse/"+id).Expect(t, http.StatusOK)
		same(t, "status", note.Text("status"), status)
		same(t, "Retry-After while "+status, note.Header.Get("Retry-After"), again)
		set := []string{}
		for _, moment := range []string{"processing_at", "issued_at", "rejected_at", "cancelled_at"} {
			if note.At(moment) != nil {
				set = append(set, moment)
			}
		}
		same(t, "moments while "+status, set, append([]string{}, moments...))
		return note
	}
	expect(issued, "queued", "1")
	begin(t, s, issued)
	expect(issued, "processing", "1", "processing_at")
	settleIssued(t, s, issued, "<nfse/>")
	note := expect(issued, "issued", "", "processing_at", "issued_at")
	same(t, "authority", note.At("authority"), any(Body{"number": "42", "verification_code": nil, "access_key": nil,
		"issued_at": "2026-08-25T09:31:01.000Z", "totals": nil}))
	same(t, "updated_at", note.Text("updated_at"), note.Text("issued_at"))

	begin(t, s, rejected)
	settleRejected(t, s, rejected)
	note = expect(rejected, "rejected", "", "processing_at", "rejected_at")
	same(t, "rejection", note.At("rejection"), any(Body{
		"source": "authority", "code": "E0240", "message": "O CEP informado não existe.",
		"field":       "customer.address.zip_code",
		"explanation": "It does not exist.", "action": "Correct it.",
	}))
	same(t, "the list", ids(get(t, s, "/v1/nfse")), []string{rejected, issued})
}

func TestNote_OfElsewhere(t *testing.T) {
	s := newSystem(t)
	_, otherKey, _ := s.NewOrganization(t, "Outra")
	expected := get(t, s, "/v1/nfse/"+unknownID(nfse.PrefixNote)).
		ExpectError(t, http.StatusNotFound, nfse.CodeNoteNotFound, "")
	notes := malformedIDs(nfse.PrefixNote)
	for _, key := range []string{s.LiveKey, otherKey} {
		notes = append(notes, s.Issue(t, key, testkit.Issuance(s.NewService(t, key), "order-1")))
	}
	for _, id := range notes {
		sameAnswer(t, "GET "+id, get(t, s, "/v1/nfse/"+id), expected)
		sameAnswer(t, "GET the XML of "+id, get(t, s, "/v1/nfse/"+id+"/xml"), expected)
	}
}

func TestXML_ExactBytes(t *testing.T) {
	s := newSystem(t)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-1"))
	begin(t, s, id)
	xml := "\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n" +
		"<NFSe a='1'>Consulta m\u00e9dica &amp; <b></b>\x00\xff</NFSe>\n\n"
	settleIssued(t, s, id, xml)
	sum := sha256.Sum256([]byte(xml))
	tag := `"` + hex.EncodeToString(sum[:]) + `"`

	answer := get(t, s, "/v1/nfse/"+id+"/xml").Expect(t, http.StatusOK)
	same(t, "the bytes", string(answer.Raw), xml)
	for name, value := range map[string]string{
		"Content-Type":        "application/xml; charset=utf-8",
		"Content-Disposition": `attachment; filename="` + id + `.xml"`,
		"ETag":                tag, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Retry-After": "",
		"Last-Modified": "",
	} {
		same(t, name, answer.Header.Get(name), value)
	}

	ask := func(name, value string) testkit.Answer {
		header := http.Header{"Authorization": {"Bearer " + s.TestKey}, name: {value}}
		return s.Send(t, "GET", "/v1/nfse/"+id+"/xml", header, nil)
	}
	for _, match := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
		unchanged := ask("If-None-Match", match).Expect(t, http.StatusNotModified)
		same(t, "the body of a 304", len(unchanged.Raw), 0)
		same(t, "the ETag of a 304", unchanged.Header.Get("ETag"), tag)
	}
	for name, value := range map[string]string{
		"If-None-Match": `"other"`, "If-Match": `"other"`, "Range": "bytes=0-3",
		"If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT", "If-Modified-Since": "Mon, 01 Jan 2035 00:00:00 GMT",
	} {
		same(t, name, string(ask(name, value).Expect(t, http.StatusOK).Raw), xml)
	}
	same(t, "a range out of range", string(ask("Range", "bytes=999999-").Expect(t, http.StatusOK).Raw), xml)

	// Documents belong to their notes: another note's tag does not count.
	other := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-2"))
	s.Send(t, "GET", "/v1/nfse/"+other+"/xml", http.Header{"Authorization": {"Bearer " + s.TestKey},
		"If-None-Match": {tag}}, nil).
		ExpectError(t, http.StatusConflict, nfse.CodeXMLNotAvailable, "")
}

func TestXML_NotAvailable(t *testing.T) {
	s := newSystem(t)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-1"))
	expect := func(status string, again bool) {
		t.Helper()
		answer := get(t, s, "/v1/nfse/"+id+"/xml").ExpectError(t, http.StatusConflict, nfse.CodeXMLNotAvailable, "")
		same(t, "retryable while "+status, retryable(answer), again)
	}
	expect("queued", true)
	begin(t, s, id)
	expect("processing", true)
	settleRejected(t, s, id)
	expect("rejected", false)
	s.Exec(t, `
		UPDATE notes SET status = 'cancelled', rejection = NULL, cancelled_at = now(),
			cancellation_status = 'accepted', cancellation_reason_code = '1',
			cancellation_reason_text = 'emitida com erro',
			cancellation_requested_at = now(), cancellation_resolved_at = now()
		WHERE id = $1`, id)
	expect("cancelled before it was sent", false)

	// A document survives the cancellation of its note.
	s.Exec(t, `INSERT INTO note_documents (note_id, xml) VALUES ($1, '<nfse/>')`, id)
	cancelled := get(t, s, "/v1/nfse/"+id+"/xml").Expect(t, http.StatusOK)
	same(t, "the XML of a cancelled note", string(cancelled.Raw), "<nfse/>")
}
