//go:build planted

package planted

import "os"

// Bugs are the names of all bugs, and what each breaks.
var Bugs = map[string]string{
	"outbox-row-skipped":            "an accepted note gets no row in the outbox: nobody ever starts it",
	"replay-makes-second-note":      "a reference is stored changed, so that the same request again is another note",
	"replay-ignores-body":           "another request under a used reference is answered as if it were the same",
	"cancelled-first-ignored":       "a note whose cancellation came first is settled all the same",
	"settled-twice":                 "a settlement is told twice, by two events (which the schema forbids, too)",
	"event-forgotten":               "a settlement is told by no event",
	"event-not-sent":                "a delivery counts as made without a call",
	"event-bytes-differ":            "an event is not sent as the bytes that are on record",
	"event-to-another-organization": "an event goes to the first endpoint there is, whoever owns it",
	"fence-not-raised":              "a note that was sent counts as not sent: it is cancelled without the authority",
	"resent-without-asking":         "after a sending of unknown outcome the message is sent again, without a question",
	"outbox-row-kept":               "a row of the outbox is not deleted when the engine has it",
	"poison-row-stops-others":       "a row that the engine does not take is taken for an engine that is away",
	"newest-first":                  "the outbox hands out the newest rows first",
}

var chosen = os.Getenv("EMISSOR_PLANTED")

// Bug reports whether the process has the bug.
func Bug(name string) bool { return name == chosen }
