package fiscal

import (
	"context"

	"emissor/nfse"
)

// Canceller simulates the authority when a note of the test environment is cancelled.
// Asking twice for the same note is the same as asking once.
type Canceller interface {
	// Cancel returns the authority's refusal, or nil when it has cancelled. An
	// error means that the outcome is not known, and the question is asked again.
	Cancel(ctx context.Context, note nfse.Note) (*nfse.Refusal, error)
}
