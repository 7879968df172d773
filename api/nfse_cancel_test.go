package api_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

var cancelBody = Body{"reason_code": "1", "reason_text": "emitida com o valor errado"}

func cancelPath(id string) string { return "/v1/nfse/" + id + "/cancel" }

func TestCancellation_WrongFields(t *testing.T) {
	s := newSystem(t)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-1"))
	for name, test := range map[string]struct {
		change Body
		field  string
	}{
		"no code":              {Body{"reason_code": absent}, "reason_code"},
		"null code":            {Body{"reason_code": nil}, "reason_code"},
		"a number":             {Body{"reason_code": 1}, "reason_code"},
		"an unknown code":      {Body{"reason_code": "3"}, "reason_code"},
		"no text":              {Body{"reason_text": absent}, "reason_text"},
		"too short":            {Body{"reason_text": strings.Repeat("é", 14)}, "reason_text"},
		"too short but spaces": {Body{"reason_text": "  " + strings.Repeat("é", 14) + "  "}, "reason_text"},
		"too long":             {Body{"reason_text": strings.Repeat("é", 256)}, "reason_text"},
		"two lines":            {Body{"reason_text": "emitida com\no valor errado"}, "reason_text"},
		"both wrong":           {Body{"reason_code": "x", "reason_text": "x"}, "reason_code"},
		"an unknown field":     {Body{"reason": "x"}, "reason"},
	} {
		t.Run(name, func(t *testing.T) {
			s.Call(t, http.MethodPost, cancelPath(id), s.TestKey, with(cancelBody, test.change)).
				ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, test.field)
		})
	}
	s.Call(t, http.MethodPost, cancelPath(id), s.TestKey, "").
		ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "")
	if n := s.Count(t, `SELECT count(*) FROM notes WHERE cancellation_status IS NOT NULL`); n != 0 {
		t.Error("a refused request was recorded")
	}
}

func TestCancellation_ReasonLimits(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	for reference, text := range map[string]string{
		"15": strings.Repeat("é", 15), "255": strings.Repeat("é", 255), "decomposed": decomposed(120),
		"trimmed": "  " + strings.Repeat("é", 255) + "  ",
	} {
		id := s.Issue(t, s.TestKey, testkit.Issuance(service, reference))
		answer := s.Call(t, http.MethodPost, cancelPath(id), s.TestKey, with(cancelBody, Body{"reason_text": text})).
			Expect(t, http.StatusAccepted)
		same(t, "the text of "+reference, answer.Text("cancellation", "reason_text"), strings.TrimSpace(text))
	}
}

// The answer is the note, with the request in it, and the workflow is told by
// exactly one row.
func TestCancellation_RecordedOnce(t *testing.T) {
	s := newSystem(t)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-1"))
	for range 3 {
		answer := s.Call(t, http.MethodPost, cancelPath(id), s.TestKey, cancelBody).Expect(t, http.StatusAccepted)
		same(t, "the status", answer.Text("status"), "queued")
		same(t, "the cancellation", answer.Text("cancellation", "status"), "pending")
		if answer.At("cancellation", "requested_at") == nil || answer.At("cancellation", "resolved_at") != nil ||
			answer.At("cancellation", "refusal") != nil {
			t.Errorf("the cancellation is %v", answer.At("cancellation"))
		}
	}
	same(t, "rows", s.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'cancellation' AND subject_id = $1`, id), 1)
	note := get(t, s, "/v1/nfse/"+id).Expect(t, http.StatusOK)
	if note.Header.Get("Retry-After") == "" {
		t.Error("a client is not told to poll on")
	}
	answer := s.Call(t, http.MethodPost, cancelPath(id), s.TestKey, with(cancelBody, Body{"reason_code": "2"})).
		ExpectError(t, http.StatusConflict, nfse.CodeCancellationInProgress, "")
	same(t, "retryable", retryable(answer), true)
	list := get(t, s, "/v1/nfse").Expect(t, http.StatusOK)
	if !strings.Contains(string(list.Raw), `"cancellation":{"status":"pending"`) {
		t.Errorf("the list shows %s", list.Raw)
	}
}

// While the authority is asked, an issued note stays issued, and a client polls.
func TestCancellation_OfIssuedNote(t *testing.T) {
	s := newSystem(t)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-1"))
	begin(t, s, id)
	settleIssued(t, s, id, "<nfse/>")
	same(t, "told to poll before", get(t, s, "/v1/nfse/"+id).Header.Get("Retry-After"), "")
	answer := s.Call(t, http.MethodPost, cancelPath(id), s.TestKey, cancelBody).Expect(t, http.StatusAccepted)
	same(t, "the status", answer.Text("status"), "issued")
	if get(t, s, "/v1/nfse/"+id).Header.Get("Retry-After") == "" {
		t.Error("a client is not told to poll on")
	}
	get(t, s, "/v1/nfse/"+id+"/xml").Expect(t, http.StatusOK)
}

func TestCancellation_NoteOfElsewhere(t *testing.T) {
	s := newSystem(t)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-1"))
	_, strangersKey, _ := s.NewOrganization(t, "Outra")
	for name, call := range map[string]struct{ key, id string }{
		"another organization": {strangersKey, id}, "the other environment": {s.LiveKey, id},
		"malformed": {s.TestKey, "nfse_x"}, "unknown": {s.TestKey, nfse.NewID(nfse.PrefixNote)},
	} {
		t.Run(name, func(t *testing.T) {
			s.Call(t, http.MethodPost, cancelPath(call.id), call.key, cancelBody).
				ExpectError(t, http.StatusNotFound, nfse.CodeNoteNotFound, "")
		})
	}
	same(t, "cancellations", s.Count(t, `SELECT count(*) FROM notes WHERE cancellation_status IS NOT NULL`), 0)
}

// Many at once: one is recorded, the equal ones agree, the others are refused.
func TestCancellation_Concurrent(t *testing.T) {
	s := newSystem(t)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-1"))
	answers := make(chan testkit.Answer, 20)
	for i := range cap(answers) {
		go func() {
			answers <- s.Call(t, http.MethodPost, cancelPath(id), s.TestKey,
				with(cancelBody, Body{"reason_code": []string{"1", "2"}[i%2]}))
		}()
	}
	accepted := 0
	for range cap(answers) {
		answer := <-answers
		if answer.Status == http.StatusAccepted {
			accepted++
			continue
		}
		answer.ExpectError(t, http.StatusConflict, nfse.CodeCancellationInProgress, "")
	}
	same(t, "accepted", accepted, cap(answers)/2)
	same(t, "rows", s.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'cancellation'`), 1)
}
