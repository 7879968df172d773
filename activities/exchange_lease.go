package activities

import (
	"context"
	"time"

	"emissor/store"
)

// exchangeLease is the lease of a note's exchange, which one attempt has at a time.
type exchangeLease struct {
	store interface {
		KeepExchange(ctx context.Context, noteID string, lease store.Lease) error
		ReleaseExchange(ctx context.Context, noteID string, lease store.Lease) error
	}
	noteID string
	lease  store.Lease
	leased bool
}

// keep prolongs the lease while something takes long, until ctx ends.
func (h *exchangeLease) keep(ctx context.Context) {
	ticker := time.NewTicker(leaseKept)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_ = h.store.KeepExchange(ctx, h.noteID, h.lease) // tried again at the next tick; at worst the lease is lost
		}
	}
}

// release gives the lease back, if it is there.
func (h *exchangeLease) release(ctx context.Context) {
	if h.leased {
		_ = h.store.ReleaseExchange(ctx, h.noteID, h.lease)
	}
}
