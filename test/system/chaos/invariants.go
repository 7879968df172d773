package main

// The invariants: what must be true when everything has ended.
const (
	acceptedEnds         = "accepted-ends"
	oneNotePerReference  = "one-note-per-reference"
	replaysChangeNothing = "replays-change-nothing"
	answersOfTheContract = "answers-of-the-contract"
	cancelledFirst       = "cancelled-first"
	oneEventPerEnd       = "one-event-per-end"
	eventsReceived       = "events-received"
	identicalBytes       = "identical-bytes"
	authorityAgrees      = "authority-agrees"
	neverSentAgain       = "never-sent-again"
	organizationsApart   = "organizations-apart"
	nothingOpen          = "nothing-open"
	oldestFirst          = "oldest-first"
)

// meanings say what each invariant demands, in the order of the table.
var meanings = []struct{ invariant, meaning string }{
	{acceptedEnds, "every note that was answered 202 exists and has reached a final state"},
	{oneNotePerReference, "each reference is one note, and there is no note that nobody asked for"},
	{replaysChangeNothing, "the same request again is the same note; another one is a conflict"},
	{answersOfTheContract, "no caller was answered what the contract does not have"},
	{cancelledFirst, "a note whose cancellation came before it was sent ended as cancelled, no other way"},
	{oneEventPerEnd, "each note has exactly the events of its way"},
	{eventsReceived, "each event was received, and taken"},
	{identicalBytes, "each event was sent as the same bytes every time"},
	{authorityAgrees, "the authorities' ledgers are ours: none doubled, none missing, no exchange open"},
	{neverSentAgain, "nothing was sent again that an authority had done already"},
	{organizationsApart, "no id, event, number or access key of an organization at another"},
	{nothingOpen, "no row of the outbox, delivery, cancellation or run is open"},
	{oldestFirst, "among notes that nobody had touched the oldest ended first"},
}

// verdict is what was found of one invariant.
type verdict struct {
	checked    int
	detail     string
	violations []string
}

// verdicts are the verdicts on all invariants.
type verdicts map[string]*verdict

func newVerdicts() verdicts {
	all := verdicts{}
	for _, m := range meanings {
		all[m.invariant] = &verdict{}
	}
	return all
}
