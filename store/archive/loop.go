package archive

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"emissor/internal/panics"
	"emissor/internal/retry"
)

const (
	archiveInterval = 5 * time.Minute

	// archiveRoundTime is after how long a round begins nothing more; what it has begun may take some minutes.
	archiveRoundTime = 2 * time.Minute
)

// KeepArchived does what is to be done about the archive again and again until ctx ends: see KeepArchive. It runs
// beside everything else, so that an archive that is slow or away holds up nothing. Of several processes one works at
// a time.
func (s *Store) KeepArchived(ctx context.Context, age time.Duration, logger *slog.Logger) {
	if s.db.Archive.Objects == nil {
		return
	}
	for {
		pause := archiveInterval/2 + rand.N(archiveInterval) // so that not all processes ask at once
		var round ArchiveRound
		err := panics.Within(ctx, archiveLease-time.Minute, func(ctx context.Context) (err error) {
			round, err = s.KeepArchive(ctx, age, time.Now().Add(archiveRoundTime))
			return errors.Join(err, s.forgetArchiveFailures(ctx))
		})
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			logger.ErrorContext(ctx, "the archive could not be kept; it is tried again", "loop", loopArchive,
				"problem", ArchiveProblem(err), "wait", pause.String(), "error", err)
		case round.Moved+round.Erased+round.Deleted > 0:
			logger.InfoContext(ctx, "documents were moved into the archive, or erased there", "moved", round.Moved,
				"segments", round.Segments, "erased", round.Erased, "segments_deleted", round.Deleted)
		}
		if err == nil && round.More {
			pause = time.Second
		}
		if retry.Sleep(ctx, pause) != nil {
			return
		}
	}
}
