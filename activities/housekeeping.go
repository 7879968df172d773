package activities

import (
	"context"
	"log/slog"

	"emissor/store"
	"emissor/workflows"
)

// Housekeeping are the steps of the housekeeping.
type Housekeeping struct {
	Store  *store.Store
	Logger *slog.Logger
}

// HealNotes starts again notes that have not moved, at most limit of them.
func (a *Housekeeping) HealNotes(ctx context.Context, limit int) (workflows.Batch, error) {
	looked, healed, err := a.Store.HealNotes(ctx, limit)
	if healed > 0 {
		a.Logger.WarnContext(ctx, "notes that had not moved are started again", "notes", healed)
	}
	return workflows.Batch{Looked: looked, Done: healed}, failure(ctx, a.Logger, err)
}

// HealDeliveries starts again deliveries that have not moved, at most limit of
// them.
func (a *Housekeeping) HealDeliveries(ctx context.Context, limit int) (workflows.Batch, error) {
	looked, healed, err := a.Store.HealDeliveries(ctx, limit)
	if healed > 0 {
		a.Logger.WarnContext(ctx, "deliveries that had not moved are started again", "deliveries", healed)
	}
	return workflows.Batch{Looked: looked, Done: healed}, failure(ctx, a.Logger, err)
}

// RetireExpiredServices puts away test services whose time is over, at most
// limit of them.
func (a *Housekeeping) RetireExpiredServices(ctx context.Context, limit int) (workflows.Batch, error) {
	retired, err := a.Store.RetireExpiredServices(ctx, limit)
	return workflows.Batch{Looked: retired, Done: retired}, failure(ctx, a.Logger, err)
}
