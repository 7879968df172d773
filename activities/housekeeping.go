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

// RequeueNotes starts again notes that have not moved, at most limit of them.
func (a *Housekeeping) RequeueNotes(ctx context.Context, limit int) (workflows.Batch, error) {
	looked, requeued, err := a.Store.RequeueNotes(ctx, limit)
	if requeued > 0 {
		a.Logger.WarnContext(ctx, "notes that had not moved are started again", "notes", requeued)
	}
	return workflows.Batch{Looked: looked, Done: requeued}, failure(ctx, a.Logger, err)
}

// RequeueDeliveries starts again deliveries that have not moved, at most limit of
// them.
func (a *Housekeeping) RequeueDeliveries(ctx context.Context, limit int) (workflows.Batch, error) {
	looked, requeued, err := a.Store.RequeueDeliveries(ctx, limit)
	if requeued > 0 {
		a.Logger.WarnContext(ctx, "deliveries that had not moved are started again", "deliveries", requeued)
	}
	return workflows.Batch{Looked: looked, Done: requeued}, failure(ctx, a.Logger, err)
}

// RetireExpiredServices puts away test services whose time is over, at most
// limit of them.
func (a *Housekeeping) RetireExpiredServices(ctx context.Context, limit int) (workflows.Batch, error) {
	retired, err := a.Store.RetireExpiredServices(ctx, limit)
	return workflows.Batch{Looked: retired, Done: retired}, failure(ctx, a.Logger, err)
}

// RequeueEmails starts again e-mails that have not moved, at most limit of them.
func (a *Housekeeping) RequeueEmails(ctx context.Context, limit int) (workflows.Batch, error) {
	looked, requeued, err := a.Store.RequeueEmails(ctx, limit)
	if requeued > 0 {
		a.Logger.WarnContext(ctx, "e-mails that had not moved are started again", "emails", requeued)
	}
	return workflows.Batch{Looked: looked, Done: requeued}, failure(ctx, a.Logger, err)
}

// WarnOfCertificates warns once at each threshold before a certificate expires.
func (a *Housekeeping) WarnOfCertificates(ctx context.Context, _ int) (workflows.Batch, error) {
	expiring, err := a.Store.CertificatesToWarn(ctx, time.Now(), store.ExpiryWarnings)
	for _, c := range expiring {
		a.Logger.WarnContext(ctx, "a certificate expires soon: add its successor with emissor certificate add",
			"organization_id", c.OrganizationID,
			"certificate_id", c.ID, "expires_at", c.NotAfter, "days", int(time.Until(c.NotAfter.Time).Hours()/24))
	}
	return workflows.Batch{Done: len(expiring)}, failure(ctx, a.Logger, err)
}
