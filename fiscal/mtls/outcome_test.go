package mtls_test

import (
	"bytes"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse/fact"
)

// A message is in doubt as soon as a byte of it may have left, regardless of the status.
func TestReply_OfMessage(t *testing.T) {
	t.Parallel()
	reason := fact.TLSHandshakeFailed.Fact()
	for name, c := range map[string]struct {
		reply mtls.Reply
		want  fiscal.Outcome
	}{
		"no byte left":   {mtls.Reply{Reason: reason}, fiscal.OutcomeNotDelivered},
		"a byte left":    {mtls.Reply{Reason: reason, Sent: true}, fiscal.OutcomeUnknown},
		"a whole answer": {mtls.Reply{Sent: true, Status: 200}, fiscal.OutcomeUnknown},
		"a refusal":      {mtls.Reply{Sent: true, Status: 403}, fiscal.OutcomeUnknown},
	} {
		if got := c.reply.OfMessage(); got.Outcome != c.want || !got.Reason.Equal(c.reply.Reason) {
			t.Errorf("%s: %+v", name, got)
		}
		if got := c.reply.OfQuestion(); got.Outcome != fiscal.OutcomeUnknown {
			t.Errorf("%s, of a question: %+v", name, got)
		}
	}
}

func TestReply_OfQuestionKeepsWhatIsWorthIt(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("a"), 1<<20)
	person := fact.AnswerTooLarge.With("status", 200, "mib", 1)
	got := mtls.Reply{Status: 503, RetryAfter: time.Minute, NeedsPerson: person, Body: body}.OfQuestion()
	if len(got.Body) != 16<<10 || got.Status != 503 || got.RetryAfter != time.Minute || !got.NeedsPerson.Equal(person) {
		t.Errorf("%d bytes of %+v", len(got.Body), got.Reason)
	}
	if body[0] = 'b'; got.Body[0] != 'a' {
		t.Error("what is kept is not a copy")
	}
}

func TestReply_Status(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]struct{ successful, shutOut, refusedUnread, elsewhere bool }{
		0: {}, 199: {}, 200: {successful: true}, 299: {successful: true}, 300: {}, 400: {}, 404: {}, 500: {}, 503: {},
		401: {shutOut: true, refusedUnread: true, elsewhere: true},
		403: {shutOut: true, refusedUnread: true, elsewhere: true},
		429: {refusedUnread: true, elsewhere: true}, 426: {elsewhere: true},
	} {
		r := mtls.Reply{Status: status}
		if r.Successful() != want.successful || r.ShutOut() != want.shutOut ||
			r.RefusedUnread() != want.refusedUnread ||
			r.RefusedUnread(426) != want.elsewhere {
			t.Errorf("%d is read wrong", status)
		}
	}
}
