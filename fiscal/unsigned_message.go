package fiscal

import "time"

// Draft is what would be sent for a declaration, without a signature.
type Draft struct {
	Layout string
	XML    []byte
}

// Drafter is an Authority that also builds what it would send without signing it: nothing is
// sent by that, and no certificate is needed.
type Drafter interface {
	Authority
	// Draft builds the message that SignDeclaration would, as of a moment.
	Draft(declaration Declaration, at time.Time) (Draft, error)
}
