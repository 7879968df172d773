package fiscal

import (
	"context"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// StandingFinder is an Authority that does not report by itself what others do to
// documents: it is asked about them, for a while after they were issued.
type StandingFinder interface {
	// MaxNumbers is how many documents one question may be about.
	MaxNumbers() int
	// FindStandings asks whether documents of an issuer were cancelled, by whomever,
	// by the numbers that the authority gave them: at most MaxNumbers.
	FindStandings(ctx context.Context, access Access, issuer nfse.FiscalProfile, numbers []string) Standings
	// PollInterval is how often a document is asked about, and for how long after it was issued.
	PollInterval() (every, duration time.Duration)
}

// Standings says how documents stand, by their numbers. Of one that is in neither list
// nothing is known.
type Standings struct {
	Standing  []string
	Cancelled map[string]FoundCancellation

	Reason fact.Fact // why nothing is known of the others, or of all; without personal data
}

// FoundCancellation is a cancellation that was found by asking.
type FoundCancellation struct {
	At       time.Time // zero where the authority does not say
	Document []byte    // what the authority shows of this one document
}
