package archive

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"emissor/internal/archive"
	"emissor/nfse"
	"emissor/store/postgres"
)

// archiveLease is for how long a process may work on the archive before another does. Rounds are shorter.
const archiveLease = 15 * time.Minute

// ErrArchiveBusy says that another process works on the archive.
var ErrArchiveBusy = nfse.Unavailable(nfse.CodeServiceUnavailable, "",
	"another process works on the archive; try again in some minutes")

// underArchiveLease does something that one process does at a time, and gives the right back.
func (s *Store) underArchiveLease(ctx context.Context, do func(token string) error) error {
	token := uuid.NewString()
	taken, err := postgres.Affected(s.db.ExecContext(ctx, `UPDATE archive_state
		SET token = $1, lease_until = clock_timestamp() + make_interval(secs => $2)
		WHERE coalesce(lease_until <= clock_timestamp(), true)`, token, archiveLease.Seconds()))
	if err != nil {
		return err
	}
	if taken == 0 {
		return ErrArchiveBusy
	}
	failed := do(token)
	_, err = s.db.ExecContext(context.WithoutCancel(ctx),
		`UPDATE archive_state SET token = NULL, lease_until = NULL WHERE token = $1`, token)
	return errors.Join(failed, err)
}

// recordArchiveRound keeps how a round of work on the archive ended.
func (s *Store) recordArchiveRound(ctx context.Context, failed error) error {
	if failed == nil {
		_, err := s.db.ExecContext(ctx,
			`UPDATE archive_state SET succeeded_at = now(), failing_since = NULL, problem = NULL`)
		return err
	}
	_, err := s.db.ExecContext(ctx, `UPDATE archive_state SET failing_since = coalesce(failing_since, now()),
		problem = $1`, ArchiveProblem(failed))
	return err
}

// ArchiveProblem is the word for what went wrong. The log has the rest.
func ArchiveProblem(err error) string {
	switch {
	case errors.Is(err, archive.ErrBroken):
		return "broken"
	case errors.Is(err, archive.ErrNotThere):
		return "missing"
	case errors.Is(err, archive.ErrRefused):
		return "refused"
	case archive.IsAway(err):
		return "away"
	}
	return "other"
}

// ArchiveState is how the archive is getting on.
type ArchiveState struct {
	Segments     int             `db:"segments" json:"segments"`
	Documents    int64           `db:"documents" json:"documents"` // in them
	Bytes        int64           `db:"bytes" json:"bytes"`
	Leaving      int             `db:"leaving" json:"segments_to_delete"`
	Writing      int             `db:"writing" json:"segments_unfinished"`
	Erasures     int             `db:"erasures" json:"erasures_waiting"`
	ErasedSince  *nfse.Timestamp `db:"erased_since" json:"erasures_waiting_since"`
	SetAside     int             `db:"set_aside" json:"documents_set_aside"`
	UpTo         string          `db:"up_to" json:"up_to"` // the last note whose document was looked at
	SucceededAt  *nfse.Timestamp `db:"succeeded_at" json:"succeeded_at"`
	FailingSince *nfse.Timestamp `db:"failing_since" json:"failing_since"`
	Problem      *string         `db:"problem" json:"problem"`
}

// ArchiveState reads how the archive is getting on.
func (s *Store) ArchiveState(ctx context.Context) (state ArchiveState, err error) {
	err = s.db.GetContext(ctx, &state, `
		SELECT g.*, up_to, succeeded_at, failing_since, problem,
			(SELECT count(*) FROM archive_erasures) AS erasures,
			(SELECT min(asked_at) FROM archive_erasures) AS erased_since,
			(SELECT count(*) FROM row_failures WHERE loop IN ('`+loopArchive+`', '`+loopSegments+`')) AS set_aside
		FROM archive_state, (
			SELECT count(*) FILTER (WHERE state = 'stored') AS segments,
				coalesce(sum(documents) FILTER (WHERE state = 'stored'), 0)::bigint AS documents,
				coalesce(sum(size) FILTER (WHERE state = 'stored'), 0)::bigint AS bytes,
				count(*) FILTER (WHERE state = 'leaving') AS leaving,
				count(*) FILTER (WHERE state = 'writing') AS writing
			FROM archive_segments) g`)
	return state, err
}

// ArchivedMonth is what the archive has of a month.
type ArchivedMonth struct {
	Month     nfse.Month `db:"month" json:"month"`
	Segments  int        `db:"segments" json:"segments"`
	Documents int64      `db:"documents" json:"documents"`
	Bytes     int64      `db:"bytes" json:"bytes"`
}

// ArchivedMonths lists the months of which the archive has something.
func (s *Store) ArchivedMonths(ctx context.Context) (months []ArchivedMonth, err error) {
	err = s.db.SelectContext(ctx, &months, `
		SELECT to_char(month, 'YYYY-MM') AS month, count(*) AS segments, sum(documents)::bigint AS documents,
			sum(size)::bigint AS bytes
		FROM archive_segments WHERE state = 'stored' GROUP BY month ORDER BY month`)
	return months, err
}
