package store

import (
	"context"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/internal/retry"
)

// What changes a table waits for its lock so briefly that those behind it hardly notice, and is tried again after a
// pause in which they go on: five minutes of pauses in all.
const lockTries, lockPause = 600, 500 * time.Millisecond

// retriedWhileBusy does something again that waited too long for a lock, or met another that waited for it. What is
// tried must change nothing where it fails.
func retriedWhileBusy(ctx context.Context, do func() error) error {
	for try := 0; ; try++ {
		err := do()
		if pq.As(err, pqerror.LockNotAvailable, pqerror.TRDeadlockDetected) == nil || try == lockTries {
			return err
		}
		if retry.Sleep(ctx, lockPause) != nil {
			return ctx.Err()
		}
	}
}
