package nfse_test

import (
	"testing"

	"emissor/nfse"
)

// The table of the contract: what a request to cancel means for each state of a
// note and of the cancellation before it.
func TestNote_Cancellable(t *testing.T) {
	last := func(status nfse.CancellationStatus) *nfse.Cancellation {
		return &nfse.Cancellation{Status: status, Origin: nfse.CancelledByCaller,
			ReasonCode: new("1"), ReasonText: new("emitida com erro")}
	}
	for name, test := range map[string]struct {
		note      nfse.Note
		same      bool
		start     bool
		code      nfse.Code
		retryable bool
	}{
		"queued":                {note: nfse.Note{Status: "queued"}, start: true},
		"processing":            {note: nfse.Note{Status: "processing"}, start: true},
		"issued":                {note: nfse.Note{Status: "issued"}, start: true},
		"queued, pending, same": {note: nfse.Note{Status: "queued", Cancellation: last("pending")}, same: true},
		"processing, pending, same": {note: nfse.Note{Status: "processing", Cancellation: last("pending")},
			same: true},
		"issued, pending, same": {note: nfse.Note{Status: "issued", Cancellation: last("pending")}, same: true},
		"queued, pending, other": {note: nfse.Note{Status: "queued", Cancellation: last("pending")},
			code: nfse.CodeCancellationInProgress, retryable: true},
		"processing, pending, other": {note: nfse.Note{Status: "processing", Cancellation: last("pending")},
			code: nfse.CodeCancellationInProgress, retryable: true},
		"issued, pending, other": {note: nfse.Note{Status: "issued", Cancellation: last("pending")},
			code: nfse.CodeCancellationInProgress, retryable: true},
		"issued, refused, same": {note: nfse.Note{Status: "issued", Cancellation: last("refused")}, same: true,
			start: true},
		"issued, refused, other": {note: nfse.Note{Status: "issued", Cancellation: last("refused")}, start: true},
		"cancelled, same": {note: nfse.Note{Status: "cancelled", Cancellation: last("accepted")},
			same: true},
		"cancelled, other": {note: nfse.Note{Status: "cancelled", Cancellation: last("accepted")},
			code: nfse.CodeNoteAlreadyCancelled},
		"cancelled outside, by the same reason": {same: true, code: nfse.CodeNoteAlreadyCancelled,
			note: nfse.Note{Status: "cancelled", Cancellation: &nfse.Cancellation{Status: "accepted",
				Origin: nfse.CancelledByAuthority, ReasonCode: new("1"), ReasonText: new("emitida com erro")}}},
		"cancelled outside, without a reason": {code: nfse.CodeNoteAlreadyCancelled, note: nfse.Note{
			Status:       "cancelled",
			Cancellation: &nfse.Cancellation{Status: "accepted", Origin: nfse.CancelledByAuthority}}},
		"rejected": {note: nfse.Note{Status: "rejected"}, code: nfse.CodeNoteNotCancellable},
		"rejected, not needed, same": {note: nfse.Note{Status: "rejected", Cancellation: last("not_needed")},
			same: true, code: nfse.CodeNoteNotCancellable},
	} {
		t.Run(name, func(t *testing.T) {
			text := "uma outra razão"
			if test.same {
				text = "emitida com erro"
			}
			start, err := test.note.Cancellable("1", text)
			if start != test.start || (err != nil) != (test.code != "") {
				t.Fatalf("start %v, %v", start, err)
			}
			if failure, ok := err.(*nfse.Error); ok &&
				(failure.Code != test.code || failure.Retryable != test.retryable) {
				t.Errorf("%+v", failure)
			}
		})
	}
}
