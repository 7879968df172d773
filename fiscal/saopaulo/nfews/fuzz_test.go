package nfews

import (
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/saopaulo/rps"
)

// Nothing panics on any answer; nothing is found without a note that is read, and nothing free unless the city says so.
func FuzzAnswer(f *testing.F) {
	for _, what := range []operation{sendRPS, findNFe, cancelNFe} {
		for _, document := range []string{
			retornoOf(what, okHeader, pair(9)), retornoOf(what, okHeader, noteOf(9, "N"), noteOf(8, "C")),
			retornoOf(what, noHeader, failure("1106", "x")), retornoOf(what, okHeader, alert("217", "NF-e (8)"),
				pair(9)),
			"", "<a/>",
		} {
			f.Add(200, enveloped(what, document))
		}
	}
	f.Add(500, "<Envelope><Body><Fault><faultstring>x</faultstring></Fault></Body></Envelope>")
	request := issuing(f)
	f.Fuzz(func(t *testing.T, status int, body string) {
		got := mtls.Reply{Sent: true, Status: status, Body: []byte(body)}
		sent := interpretSent(readReply(sendRPS, got), key)
		found := interpretFound(readReply(findNFe, got), request)
		cancelled := interpretCancelled(readReply(cancelNFe, got), 1)
		standing := interpretStanding(readReply(findNFe, got), rps.NoteKey{Registration: "31000000", Number: 9})
		for _, answer := range []fiscal.Answer{sent, found, cancelled, standing} {
			if (answer.Outcome == rejectedWord) != (answer.Rejection != nil) ||
				answer.Outcome == unknownWord && answer.Reason.None() || answer.Outcome == "" {
				t.Errorf("%+v", answer)
			}
		}
		if found.Outcome == undelivered || standing.Outcome == undelivered || found.Outcome == rejectedWord {
			t.Errorf("%+v", found)
		}
		if sent.Outcome == accepted && (sent.Document == nil || sent.Document.AccessKey == "" ||
			sent.Document.XML != nil) {
			t.Errorf("%+v", sent)
		}
		if found.Outcome == accepted && (found.Document == nil || len(found.Document.XML) == 0 ||
			found.Document.Authorization.IssuedAt.IsZero()) {
			t.Errorf("%+v", found)
		}
		numbers := interpretNumbers(readReply(findNFe, got), []rps.Key{key})
		if len(numbers.Free)+len(numbers.Used) == 0 && numbers.Reason.None() {
			t.Errorf("%+v", numbers)
		}
	})
}
