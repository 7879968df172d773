package dashboard

import (
	"context"
	"time"

	"emissor/nfse"
)

// Engine is what the dashboard asks the workflow engine, where its process is connected
// to it. Nothing is changed there.
type Engine interface {
	// Check asks whether it answers, and knows our namespace.
	Check(ctx context.Context) error
	// NextAttempt is when the workflow of a note tries again; zero when it does not wait
	// for that.
	NextAttempt(ctx context.Context, scope nfse.Scope, reference string) (time.Time, error)
}

// engineDeadline is how long a page waits for the engine: nothing on it depends on it.
const engineDeadline = 500 * time.Millisecond
