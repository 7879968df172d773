package simulation

import (
	"context"

	"emissor/nfse"
)

// Authority cancels notes of the test environment.
type Authority struct{}

// Cancel accepts every cancellation.
func (Authority) Cancel(context.Context, nfse.Note) (*nfse.Refusal, error) { return nil, nil }
