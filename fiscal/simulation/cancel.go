package simulation

import (
	"context"

	"emissor/nfse"
)

// Authority plays the authority's part in a cancellation.
type Authority struct{}

// Cancel accepts: a simulated note can always be cancelled.
func (Authority) Cancel(context.Context, nfse.Note) (*nfse.Refusal, error) { return nil, nil }
