package postgres

import (
	"context"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/internal/retry"
)

// What changes a table waits for its lock so briefly that those behind it hardly notice, and is tried again after a
// pause in which they go on: five minutes of pauses in all.
const LockTries, LockPause = 600, 500 * time.Millisecond

// RetriedWhileBusy does something again that waited too long for a lock, or met another that waited for it. What is
// tried must change nothing where it fails.
func RetriedWhileBusy(ctx context.Context, do func() error) error {
	for try := 0; ; try++ {
		err := do()
		if pq.As(err, pqerror.LockNotAvailable, pqerror.TRDeadlockDetected) == nil || try == LockTries {
			return err
		}
		if retry.Sleep(ctx, LockPause) != nil {
			return ctx.Err()
		}
	}
}
