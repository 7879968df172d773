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
	Store     *store.Store
	Retention store.Retention
	Logger    *slog.Logger
}

// RequeueNotes starts again notes that have not moved, at most limit of them.
func (a *Housekeeping) RequeueNotes(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.requeue(ctx, "notes", limit, a.Store.RequeueNotes)
}

// RequeueDeliveries starts again deliveries that have not moved, at most limit of
// them.
func (a *Housekeeping) RequeueDeliveries(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.requeue(ctx, "deliveries", limit, a.Store.RequeueDeliveries)
}

// RequeueEmails starts again e-mails that have not moved, at most limit of them.
func (a *Housekeeping) RequeueEmails(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.requeue(ctx, "e-mails", limit, a.Store.RequeueEmails)
}

func (a *Housekeeping) requeue(ctx context.Context, what string, limit int,
	requeue func(context.Context, int) (looked, requeued int, err error)) (workflows.Batch, error) {
	looked, requeued, err := requeue(ctx, limit)
	if requeued > 0 {
		a.Logger.WarnContext(ctx, what+" that had not moved are started again", "count", requeued)
	}
	return workflows.Batch{Looked: looked, Done: requeued}, failure(ctx, a.Logger, err)
}

// RetireExpiredServices puts away test services whose time is over, at most
// limit of them.
func (a *Housekeeping) RetireExpiredServices(ctx context.Context, limit int) (workflows.Batch, error) {
	retired, err := a.Store.RetireExpiredServices(ctx, limit)
	return workflows.Batch{Looked: retired, Done: retired}, failure(ctx, a.Logger, err)
}

// ForgetPreviousSecrets erases the webhook secrets of rotations that are over, at
// most limit of them.
func (a *Housekeeping) ForgetPreviousSecrets(ctx context.Context, limit int) (workflows.Batch, error) {
	forgotten, err := a.Store.ForgetPreviousSecrets(ctx, limit)
	return workflows.Batch{Looked: forgotten, Done: forgotten}, failure(ctx, a.Logger, err)
}

// RemoveOldCopies removes what is older than it is to be kept, and looks at limit
// rows of each kind at most.
func (a *Housekeeping) RemoveOldCopies(ctx context.Context, limit int) (workflows.Batch, error) {
	looked, removed, err := a.Store.RemoveOldCopies(ctx, a.Retention, limit)
	return workflows.Batch{Looked: looked, Done: removed}, failure(ctx, a.Logger, err)
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
