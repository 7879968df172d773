package fiscal

import (
	"context"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// ExistenceFinder is an Authority that says of a declaration whether anything was made of it without showing what, to
// who may not see it too.
type ExistenceFinder interface {
	Authority
	// Exists asks about a number of an issuer's series: OutcomeAccepted, which names no document, OutcomeNotFound or
	// OutcomeUnknown.
	Exists(ctx context.Context, access Access, issuer nfse.FiscalProfile, number int64) Answer
}

// RegistrationFinder is an Authority that says under which municipal registrations it knows an issuer.
type RegistrationFinder interface {
	Authority
	// Registrations are those of an issuer. reason says why nothing is known; none when it is, also that there is none.
	Registrations(ctx context.Context, access Access, issuer nfse.FiscalProfile) (list []Registration, reason fact.Fact)
}

// Registration is one under which an authority knows a tax id.
type Registration struct {
	Number string // without zeros before it
	Issues bool   // notes: the company has the city's permission
}
