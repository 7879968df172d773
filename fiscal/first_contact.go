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
	// Registrations returns the registrations of an issuer. reason says why they are not known; it is none where they
	// are, also where the list is empty.
	Registrations(ctx context.Context, access Access, issuer nfse.FiscalProfile) (list []Registration, reason fact.Fact)
}

// Registration is one under which an authority knows a tax id.
type Registration struct {
	Number string // without zeros before it
	Issues bool   // notes: the company has the city's permission
}
