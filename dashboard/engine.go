package dashboard

import (
	"context"
	"time"

	"emissor/nfse"
)

// Engine is what the dashboard asks the workflow engine where its process is connected to
// it. It only reads.
type Engine interface {
	// Check returns an error if the engine does not answer, or does not know our namespace.
	Check(ctx context.Context) error
	// NextAttempt is when the workflow of a note tries again; zero when no attempt is planned.
	NextAttempt(ctx context.Context, scope nfse.Scope, reference string) (time.Time, error)
}

// engineDeadline is how long a page waits for the engine: without its answer the page is
// shown all the same.
const engineDeadline = 500 * time.Millisecond
