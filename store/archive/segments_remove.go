package archive

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/internal/archive"
	"emissor/nfse"
	"emissor/store/postgres"
)

// segmentRow is a segment on record.
type segmentRow struct {
	ID     int64  `db:"id"`
	Key    string `db:"key"`
	Size   int    `db:"size"`
	Digest []byte `db:"digest"`
	Month  string `db:"month"`
}

const segmentColumns = `id, key, size, digest, to_char(month, 'YYYY-MM') AS month`

// segmentsAtOnce is how many segments are chosen at once.
const segmentsAtOnce = 100

// notAside leaves out segments g that failed and whose pause is not over.
const notAside = `NOT EXISTS (SELECT FROM row_failures WHERE loop = '` + loopSegments + `' AND row_id = g.id::text
	AND retry_after > now())`

// clearSegments deletes the segments that no document is in any more, because all were removed after their time, were
// brought back or are in another segment, and those that were not finished.
func (s *Store) clearSegments(ctx context.Context, round *ArchiveRound, until time.Time) error {
	_, err := s.db.ExecContext(ctx, `UPDATE archive_segments g SET state = 'leaving'
		WHERE state = 'writing' AND created_at < now() - make_interval(secs => $1)
			OR state = 'stored' AND NOT EXISTS (SELECT FROM note_documents x
				WHERE x.note_id >= g.first_note AND x.note_id <= g.last_note AND x.segment_id = g.id)`,
		abandonedAfter.Seconds())
	if err != nil {
		return err
	}
	var failures []error
	for time.Now().Before(until) {
		var leaving []segmentRow
		err := s.db.SelectContext(ctx, &leaving, `SELECT `+segmentColumns+` FROM archive_segments g
			WHERE state = 'leaving' AND `+notAside+` ORDER BY id LIMIT $1`, segmentsAtOnce)
		if err != nil || len(leaving) == 0 {
			return errors.Join(append(failures, err)...)
		}
		for _, segment := range leaving {
			err := s.aboutSegment(ctx, segment, func() error { return s.deleteSegment(ctx, segment) })
			if stopsArchive(ctx, err) {
				return errors.Join(append(failures, err)...)
			}
			if err != nil {
				failures = append(failures, err)
				continue
			}
			round.Deleted++
		}
	}
	round.More = true
	return errors.Join(failures...)
}

// deleteSegment deletes a segment, and then that there was one.
func (s *Store) deleteSegment(ctx context.Context, segment segmentRow) error {
	err := s.inArchive(ctx, func(ctx context.Context) error { return s.db.Archive.Objects.Delete(ctx, segment.Key) })
	if err != nil {
		return err
	}
	return s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM archive_segments WHERE id = $1 AND state = 'leaving'`, segment.ID)
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM archive_erasures WHERE segment_id = $1`, segment.ID)
		}
		return err
	})
}

// aboutSegment does something about one segment. One of which that fails rests.
func (s *Store) aboutSegment(ctx context.Context, segment segmentRow, do func() error) error {
	err := do()
	if stopsArchive(ctx, err) {
		return err
	}
	if err != nil {
		return errors.Join(err, s.db.SetAside(ctx, loopSegments, strconv.FormatInt(segment.ID, 10), err))
	}
	return nil
}

// forgetArchiveFailures forgets segments that were set aside and of which nothing is left to do, and documents that
// can be read now, or are gone. Documents stay in the database until the archive is run from their month again.
func (s *Store) forgetArchiveFailures(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM row_failures f WHERE loop = $1 AND NOT EXISTS (
		SELECT FROM archive_segments g WHERE g.id::text = f.row_id AND (g.state = 'leaving'
			OR g.id IN (SELECT segment_id FROM archive_erasures)))`, loopSegments)
	if err != nil {
		return err
	}
	return s.db.DoAside(ctx, loopArchive, func(ctx context.Context, tx *sqlx.Tx, id string) (again bool, err error) {
		var rows []candidate
		err = tx.SelectContext(ctx, &rows, `SELECT note_id, true AS live, xml, digest FROM note_documents
			WHERE note_id = $1 AND xml IS NOT NULL`, id)
		if err != nil || len(rows) == 0 {
			return false, err
		}
		return false, s.addTo(ctx, archive.NewSegment(""), rows[0], map[uint32]archive.Dictionary{})
	})
}

// stopsArchive reports whether an error is no single segment's.
func stopsArchive(ctx context.Context, err error) bool {
	return ctx.Err() != nil || err != nil && (postgres.IsOutage(err) || ArchiveProblem(err) == "away")
}

// eraseInSegments replaces segments by new ones without the documents that are to be erased in them.
func (s *Store) eraseInSegments(ctx context.Context, round *ArchiveRound, until time.Time) error {
	var failures []error
	for time.Now().Before(until) {
		var next []segmentRow
		err := s.db.SelectContext(ctx, &next, `SELECT `+segmentColumns+` FROM archive_segments g
			WHERE state = 'stored' AND id IN (SELECT segment_id FROM archive_erasures) AND `+notAside+`
			ORDER BY id LIMIT 1`)
		if err != nil || len(next) == 0 {
			return errors.Join(append(failures, err)...)
		}
		var erased int
		err = s.aboutSegment(ctx, next[0], func() error {
			erased, err = s.eraseInSegment(ctx, next[0])
			return err
		})
		if stopsArchive(ctx, err) {
			return errors.Join(append(failures, err)...)
		}
		if err != nil {
			failures = append(failures, err)
			continue
		}
		round.Erased += erased
	}
	round.More = true
	return errors.Join(failures...)
}

// eraseInSegment makes a new segment of the documents that are left, checks it, switches their places, and deletes
// the old segment. Repeated, it goes on where it stopped.
func (s *Store) eraseInSegment(ctx context.Context, old segmentRow) (erased int, err error) {
	stored, err := s.readSegment(ctx, old.Key, old.Size, old.Digest)
	if err != nil {
		return 0, err
	}
	var left []string
	err = s.db.SelectContext(ctx, &left, `SELECT note_id FROM note_documents
		WHERE note_id >= $1 AND note_id <= $2 AND segment_id = $3`, stored.First(), stored.Last(), old.ID)
	if err != nil {
		return 0, err
	}
	stays := map[string]bool{}
	for _, id := range left {
		stays[id] = true
	}
	made := segment{Segment: archive.NewSegment(stored.Month), month: nfse.Month(stored.Month), from: &old.ID}
	for _, entry := range stored.Entries {
		if !stays[entry.NoteID] {
			erased++
			continue
		}
		plain, err := stored.Document(entry)
		if err != nil {
			return 0, err
		}
		_, err = made.Add(archive.Document{NoteID: entry.NoteID, Frame: stored.Frame(entry), Plain: plain},
			stored.With(entry))
		if err != nil {
			return 0, err
		}
	}
	if len(made.Entries()) > 0 {
		moved, err := s.storeSegment(ctx, made)
		if err != nil || moved == 0 { // another was erased meanwhile: it is next again
			return 0, err
		}
	} else if _, err := s.db.ExecContext(ctx,
		`UPDATE archive_segments SET state = 'leaving' WHERE id = $1`, old.ID); err != nil {
		return 0, err
	}
	return erased, s.deleteSegment(ctx, old)
}

// EraseDocuments removes the documents of the notes $1, and has those in the archive erased there.
const EraseDocuments = `
	WITH gone AS (DELETE FROM note_documents WHERE note_id = ANY($1) RETURNING note_id, segment_id)
	INSERT INTO archive_erasures (note_id, segment_id) SELECT note_id, segment_id FROM gone WHERE segment_id IS NOT NULL
	ON CONFLICT (note_id) DO NOTHING`
