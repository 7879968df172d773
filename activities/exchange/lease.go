package exchange

import (
	"context"

	"emissor/internal/retry"
	"emissor/store/exchanges"
)

// exchangeLease is the lease of a note's exchange, which one attempt has at a time.
type exchangeLease struct {
	store interface {
		KeepExchange(ctx context.Context, noteID string, lease exchanges.Lease) error
		ReleaseExchange(ctx context.Context, noteID string, lease exchanges.Lease) error
	}
	noteID string
	lease  exchanges.Lease
	leased bool
}

// keep prolongs the lease while something takes long, until ctx ends.
func (h *exchangeLease) keep(ctx context.Context) {
	retry.Every(ctx, leaseKept, func() {
		_ = h.store.KeepExchange(ctx, h.noteID, h.lease) // tried again the next time; at worst the lease is lost
	})
}

// release gives the lease back, if it is there.
func (h *exchangeLease) release(ctx context.Context) {
	if h.leased {
		_ = h.store.ReleaseExchange(ctx, h.noteID, h.lease)
	}
}
