package store

import (
	"context"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// What changes a table waits for its lock so briefly that those behind it hardly notice, and is tried again after a
// pause in which they go on: five minutes of pauses in all.
const lockTries, lockPause = 600, 500 * time.Millisecond

// untilHad does what needs locks until it has them, or is not met by another that waits for it; and, where it bounds
// its statements so that they wait briefly, until they end in time. What is tried must change nothing where it fails.
func untilHad(ctx context.Context, do func() error, or ...pqerror.Code) error {
	again := append([]pqerror.Code{pqerror.LockNotAvailable, pqerror.TRDeadlockDetected}, or...)
	for try := 0; ; try++ {
		err := do()
		if err == nil || pq.As(err, again...) == nil || try == lockTries {
			return err
		}
		if err := sleep(ctx, lockPause); err != nil {
			return err
		}
	}
}
