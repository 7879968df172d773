package activities

import (
	"context"
	"log/slog"
	"time"

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

// HealEmails starts again e-mails that have not moved, at most limit of them.
func (a *Housekeeping) HealEmails(ctx context.Context, limit int) (workflows.Batch, error) {
	looked, healed, err := a.Store.HealEmails(ctx, limit)
	if healed > 0 {
		a.Logger.WarnContext(ctx, "e-mails that had not moved are started again", "emails", healed)
	}
	return workflows.Batch{Looked: looked, Done: healed}, failure(ctx, a.Logger, err)
}

// WarnOfCertificates warns once at each threshold before a certificate expires.
func (a *Housekeeping) WarnOfCertificates(ctx context.Context, _ int) (workflows.Batch, error) {
	expiring, err := a.Store.CertificatesToWarn(ctx, time.Now(), store.ExpiryWarnings)
	for _, c := range expiring {
		a.Logger.WarnContext(ctx, "a certificate expires soon: add its successor with emissor certificate add", "organization_id", c.OrganizationID,
			"certificate_id", c.ID, "expires_at", c.NotAfter, "days", int(time.Until(c.NotAfter.Time).Hours()/24))
	}
	return workflows.Batch{Done: len(expiring)}, failure(ctx, a.Logger, err)
}
