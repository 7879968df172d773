package fiscal

import (
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Objection is why a declaration is not sent as it is, found before a number is
// taken. One of its parts is set.
type Objection struct {
	Rejection *nfse.Rejection // the authority would certainly refuse it: the note ends by this
	Hold      fact.Fact       // what a person must give or settle first: the note waits

	// Unclassified says, beside Hold, that it waits for the classification of its
	// service, which may have been given since the note was accepted.
	Unclassified bool
	// Untaxed says, beside Hold, that it waits for what can be set for its service or customer
	// (nfse.Taxation), which may have been since.
	Untaxed bool
}
