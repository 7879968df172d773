package activities

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"emissor/internal/metrics"
	"emissor/internal/panics"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/companies"
	"emissor/store/operate"
	"emissor/workflows"
)

// Maintenance are the activities of the maintenance.
type Maintenance struct {
	Store     *store.Store
	Retention operate.Retention
	Metrics   *metrics.Metrics
	Logger    *slog.Logger
	Now       func() time.Time // nil: time.Now
}

// maintenanceLoop names the maintenance in the log and the metric, where a whole chore
// fails. For a row that fails they name its own loop, in package store.
const maintenanceLoop = "maintenance"

// RequeueNotes starts again notes that have not moved, at most limit of them.
func (a *Maintenance) RequeueNotes(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.requeue(ctx, "notes", limit, a.Store.Outbox.RequeueNotes)
}

// RequeueDeliveries starts again deliveries that have not moved, at most limit of
// them.
func (a *Maintenance) RequeueDeliveries(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.requeue(ctx, "deliveries", limit, a.Store.Outbox.RequeueDeliveries)
}

// RequeueEmails starts again e-mails that have not moved, at most limit of them.
func (a *Maintenance) RequeueEmails(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.requeue(ctx, "e-mails", limit, a.Store.Outbox.RequeueEmails)
}

// RequeueBatches starts again spreadsheets that have not moved, at most limit of them.
func (a *Maintenance) RequeueBatches(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.requeue(ctx, "spreadsheets", limit, a.Store.Batches.RequeueBatches)
}

// oldBatches is how many spreadsheets are removed at once: each may have 10,000 lines.
const oldBatches = 20

// RemoveOldBatches removes old spreadsheets, a few at a time.
func (a *Maintenance) RemoveOldBatches(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.do(ctx, min(limit, oldBatches), a.Store.Batches.RemoveOldBatches)
}

// StartRecurring starts runs for the recurring notes whose day it is, and has people asked about those
// whose day has passed, at most limit of them.
func (a *Maintenance) StartRecurring(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.do(ctx, limit, func(ctx context.Context, limit int) (looked, started int, err error) {
		return a.Store.Batches.StartRecurring(ctx, nfse.DayOf(a.now()), limit)
	})
}

func (a *Maintenance) now() time.Time {
	if a.Now != nil {
		return a.Now()
	}
	return time.Now()
}

// RequeueRecurring starts again recurring notes that have not moved, at most limit of them.
func (a *Maintenance) RequeueRecurring(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.requeue(ctx, "recurring notes", limit, a.Store.Batches.RequeueRecurring)
}

func (a *Maintenance) requeue(ctx context.Context, what string, limit int, requeue step) (workflows.Batch, error) {
	batch, err := a.do(ctx, limit, requeue)
	if batch.Done > 0 {
		a.Logger.WarnContext(ctx, what+" that had not moved are started again", "count", batch.Done)
	}
	return batch, err
}

// RetireExpiredServices retires test services whose time is over, at most limit of them.
func (a *Maintenance) RetireExpiredServices(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.do(ctx, limit, a.Store.Catalogues.RetireExpiredServices)
}

// ForgetPreviousSecrets erases the webhook secrets of rotations that are over, at
// most limit of them.
func (a *Maintenance) ForgetPreviousSecrets(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.do(ctx, limit, a.Store.Webhooks.ForgetPreviousSecrets)
}

// RemoveOldCopies removes what is past its retention, and looks at limit rows of each
// kind at most. It also keeps the days of the request log and the parts of the tables that grow, and removes the
// endpoints of commands that listened long ago.
func (a *Maintenance) RemoveOldCopies(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.do(ctx, limit, func(ctx context.Context, limit int) (looked, removed int, err error) {
		_, days := a.Store.Operate.KeepRequestDays(ctx)
		_, parts := a.Store.Operate.KeepParts(ctx, a.Retention, a.now())
		left, forgotten, forgetting := a.Store.Webhooks.ForgetListeners(ctx, limit)
		looked, removed, err = a.Store.Operate.RemoveOldCopies(ctx, a.Retention, limit)
		return max(looked, left), removed + forgotten, errors.Join(days, parts, forgetting, err)
	})
}

// KeepArchives starts again ZIPs that have not moved, and removes those that are too old: at most
// limit of each.
func (a *Maintenance) KeepArchives(ctx context.Context, limit int) (workflows.Batch, error) {
	started, err := a.requeue(ctx, "archives", limit, a.Store.Books.RequeueArchives)
	removed, failed := a.do(ctx, limit, a.Store.Books.RemoveArchives)
	return workflows.Batch{Looked: max(started.Looked, removed.Looked), Done: started.Done + removed.Done},
		cmp.Or(err, failed)
}

// WarnOfCertificates warns once at each threshold before a certificate expires, of at
// most limit certificates.
func (a *Maintenance) WarnOfCertificates(ctx context.Context, limit int) (workflows.Batch, error) {
	return a.do(ctx, limit, func(ctx context.Context, limit int) (looked, warned int, err error) {
		expiring, looked, err := a.Store.Companies.CertificatesToWarn(ctx, time.Now(), companies.ExpiryWarnings, limit)
		for _, c := range expiring {
			if err := panics.Caught(func() error { return a.warnOf(ctx, c) }); err != nil {
				a.Metrics.RowFailed("certificates")
				a.Logger.ErrorContext(ctx, "a warning of a certificate could not be given", "loop", "certificates",
					"row_id", c.ID, "error", err)
			}
		}
		return looked, len(expiring), err
	})
}

func (a *Maintenance) warnOf(ctx context.Context, c companies.Certificate) error {
	a.Logger.WarnContext(ctx, "a certificate expires soon: add its successor with emissor certificate add",
		"organization_id", c.OrganizationID,
		"certificate_id", c.ID, "expires_at", c.NotAfter, "days", int(time.Until(c.NotAfter.Time).Hours()/24))
	return nil
}

// step is the statement of a chore, about at most limit rows.
type step func(ctx context.Context, limit int) (looked, done int, err error)

// do runs a step. A panic is returned as an error, of which the engine sees the name only.
func (a *Maintenance) do(ctx context.Context, limit int, step step) (batch workflows.Batch, err error) {
	err = panics.Caught(func() (err error) {
		batch.Looked, batch.Done, err = step(ctx, limit)
		return err
	})
	return batch, Failure(ctx, a.Logger, err)
}

// ReportFailedChore logs and counts that a chore failed at every attempt; the round goes on
// without it.
func (a *Maintenance) ReportFailedChore(ctx context.Context, chore string) error {
	a.Metrics.RowFailed(maintenanceLoop)
	a.Logger.ErrorContext(ctx, "a chore of the maintenance failed; it is tried again in the next round",
		"loop", maintenanceLoop, "chore", chore)
	return nil
}
