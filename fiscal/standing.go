package fiscal

import (
	"context"
	"time"

	"emissor/nfse"
)

// StandingFinder is an Authority that does not tell what happens to documents outside:
// it is asked about them, for a while after they were issued.
type StandingFinder interface {
	// MaxNumbers is how many documents one question may be about.
	MaxNumbers() int
	// FindStandings asks whether documents of an issuer were cancelled, by whomever,
	// by the numbers that the authority gave them: at most MaxNumbers.
	FindStandings(ctx context.Context, session Session, issuer nfse.FiscalProfile, numbers []string) Standings
	// Watch is how often a document is asked about, and for how long after it was issued.
	Watch() (every, duration time.Duration)
}

// Standings says how documents stand, by their numbers. Of one that is in neither list
// nothing is known.
type Standings struct {
	Standing  []string
	Cancelled map[string]time.Time // when; zero where the authority does not say

	Reason string // why nothing is known of the others, or of all; without personal data
	Body   []byte // the answer, when something was cancelled
}
