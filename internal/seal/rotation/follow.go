package rotation

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/google/uuid"

	"emissor/internal/metrics"
	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/internal/seal"
	"emissor/store"
	"emissor/store/operate"
)

const (
	// followInterval is how often a process reads its keyset again and reports which keys it holds: soon enough for a
	// person who rotates it step by step.
	followInterval = 10 * time.Second

	// followLongest is what a report, or sealing some secrets again, may take; the next round goes on.
	followLongest = time.Minute
)

// Follower lets a process that runs follow the rotations of its keyset.
type Follower struct {
	Store   *store.Store
	Sealer  *seal.Sealer
	Metrics *metrics.Metrics
	Logger  *slog.Logger

	ProcessID string // a UUID, of this run
}

// Run keeps the process's keyset up to date until ctx ends, reports what it holds, and seals again what older keys
// sealed. Without a keyset it does nothing.
func (f Follower) Run(ctx context.Context) {
	if len(f.Sealer.Keys()) == 0 {
		return
	}
	host, _ := os.Hostname()
	report := operate.KeysetReport{ProcessID: cmp.Or(f.ProcessID, uuid.NewString()),
		Process: fmt.Sprintf("%s/%d", host, os.Getpid())}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = f.Store.Operate.ForgetKeysetReport(ctx, report.ProcessID)
	}()
	resealing := newResealing(f.Store.Operate, f.Sealer)
	for {
		if err := f.Sealer.Reload(); err != nil {
			f.Logger.Warn("the keyset cannot be read again; the one from before stays in use", "error", err)
		}
		keys := f.Sealer.Keys()
		report.KeyIDs, report.PrimaryKeyID = numbers(keys.IDs()), int64(keys.Primary())
		err := panics.Within(ctx, followLongest, func(ctx context.Context) error {
			return f.Store.Operate.ReportKeyset(ctx, report)
		})
		if err != nil && ctx.Err() == nil {
			f.Logger.Warn("the process could not report which keys it holds", "error", err)
		} else if err == nil {
			f.reseal(ctx, resealing)
		}
		if retry.Sleep(ctx, followInterval) != nil {
			return
		}
	}
}

// reseal seals some secrets again, in the background of what the process does.
func (f Follower) reseal(ctx context.Context, resealing *resealing) {
	var result resealed
	err := panics.Within(ctx, followLongest, func(ctx context.Context) (err error) {
		result, err = resealing.run(ctx, resealBatch)
		return err
	})
	if err != nil && ctx.Err() == nil {
		f.Logger.Warn("secrets could not be sealed anew", "error", err)
	}
	for _, failure := range result.failed {
		f.Metrics.RowFailed("keyset")
		f.Logger.Error("a secret could not be sealed anew; it is tried again", "loop", "keyset", "row_id",
			failure.place, "wait", resealPause.String(), "error", failure.err)
	}
	if result.done > 0 {
		f.Logger.Info("secrets were sealed anew", "secrets", result.done, "key", f.Sealer.Keys().Primary())
	}
}
