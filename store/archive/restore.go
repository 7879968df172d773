package archive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/internal/archive"
	"emissor/nfse"
	"emissor/store/audit"
)

// errNoArchive says that there is nothing to read from.
var errNoArchive = nfse.NewError(nfse.CodeInvalidRequest, "",
	"EMISSOR_ARCHIVE_URL does not say where the archive is")

// RestoredMonth is what came of bringing a month back.
type RestoredMonth struct {
	Segments  int `json:"segments"`  // that were read
	Documents int `json:"documents"` // that came back; those that are in the database already count for nothing
	Left      int `json:"segments_left"`
}

// RestoreMonth brings the documents of a month back into the database, each checked. A segment that cannot be read
// stops no other: it is left in the archive, and the error names it. Repeated, it goes on with what is left. The
// workers delete the segments that are empty then.
func (c *Changes) RestoreMonth(ctx context.Context, month nfse.Month) (restored RestoredMonth, err error) {
	s := c.store
	var failures []error
	err = s.underArchiveLease(ctx, func(string) error {
		segments, err := s.segmentsOf(ctx, month)
		if err == nil && len(segments) > 0 && s.db.Archive.Objects == nil {
			err = errNoArchive
		}
		if err != nil {
			return err
		}
		for _, segment := range segments {
			documents, err := s.restoreSegment(ctx, segment)
			restored.Documents += documents
			if err != nil {
				restored.Left++
				failures = append(failures, fmt.Errorf("%s: %w", segment.Key, err))
			}
			restored.Segments++
			if stopsArchive(ctx, err) {
				break
			}
		}
		return nil
	})
	if err == nil {
		err = c.ChangeOne(context.WithoutCancel(ctx), func(*sqlx.Tx) (audit.Record, error) {
			return audit.Record{Action: audit.DocumentsRestore, SubjectID: string(month), After: map[string]any{
				"documents": restored.Documents, "segments_left": restored.Left}}, nil
		})
	}
	return restored, errors.Join(append(failures, err)...)
}

// segmentsOf lists the segments of a month, or of all where it is empty.
func (s *Store) segmentsOf(ctx context.Context, month nfse.Month) (segments []segmentRow, err error) {
	err = s.db.SelectContext(ctx, &segments, `SELECT `+segmentColumns+` FROM archive_segments
		WHERE state = 'stored' AND ($1 = '' OR to_char(month, 'YYYY-MM') = $1) ORDER BY month, id`, month)
	return segments, err
}

// restoreSegment brings the documents of a segment back, some hundreds in a transaction.
func (s *Store) restoreSegment(ctx context.Context, segment segmentRow) (restored int, err error) {
	stored, err := s.readSegment(ctx, segment.Key, segment.Size, segment.Digest)
	if err != nil {
		return 0, err
	}
	for begin := 0; begin < len(stored.Entries); begin += archiveRows {
		entries := stored.Entries[begin:min(begin+archiveRows, len(stored.Entries))]
		var notes []string
		var frames pq.ByteaArray
		for _, entry := range entries {
			if err := s.knowsDictionary(ctx, stored.With(entry)); err != nil {
				return restored, err
			}
			notes, frames = append(notes, entry.NoteID), append(frames, stored.Frame(entry))
		}
		var moved int
		err := s.db.GetContext(ctx, &moved, `SELECT documents_out_of_segment($1, $2, $3)`, segment.ID, pq.Array(notes),
			frames)
		restored += moved
		if err != nil {
			return restored, err
		}
	}
	return restored, nil
}

// knowsDictionary is an error where the database would not unpack what a segment has packed.
func (s *Store) knowsDictionary(ctx context.Context, with archive.Dictionary) error {
	_, err := s.db.Dictionary(ctx, with.ID)
	return err
}

// VerifiedSegment is what was found of a segment.
type VerifiedSegment struct {
	Key       string     `json:"key"`
	Month     nfse.Month `json:"month"`
	Documents int        `json:"documents"`
	Problem   string     `json:"problem"` // empty: it is what was written
}

// VerifyArchive reads the segments of a month, or all of them where it is empty, and tells of each whether it is what
// was written and has the documents that the database looks for in it. It stops where the archive is away.
func (s *Store) VerifyArchive(ctx context.Context, month nfse.Month, tell func(VerifiedSegment) error) error {
	if s.db.Archive.Objects == nil {
		return errNoArchive
	}
	segments, err := s.segmentsOf(ctx, month)
	if err != nil {
		return err
	}
	for _, segment := range segments {
		found := VerifiedSegment{Key: segment.Key, Month: nfse.Month(segment.Month)}
		found.Documents, err = s.verifySegment(ctx, segment)
		if stopsArchive(ctx, err) {
			return err
		}
		if err != nil {
			found.Problem = err.Error()
		}
		if err := tell(found); err != nil {
			return err
		}
	}
	return nil
}

// verifySegment also compares the index with the places on record.
func (s *Store) verifySegment(ctx context.Context, segment segmentRow) (documents int, err error) {
	stored, err := s.readSegment(ctx, segment.Key, segment.Size, segment.Digest)
	if err != nil {
		return 0, err
	}
	var rows []struct {
		NoteID string `db:"note_id"`
		From   int64  `db:"frame_from"`
		Length int    `db:"frame_length"`
	}
	err = s.db.SelectContext(ctx, &rows, `SELECT note_id, frame_from, frame_length FROM note_documents
		WHERE note_id >= $1 AND note_id <= $2 AND segment_id = $3`, stored.First(), stored.Last(), segment.ID)
	if err != nil {
		return 0, err
	}
	entries := map[string]archive.Entry{}
	for _, entry := range stored.Entries {
		entries[entry.NoteID] = entry
	}
	for _, row := range rows {
		entry, known := entries[row.NoteID]
		if !known || entry.From != row.From || entry.Length != row.Length {
			return len(rows), fmt.Errorf("%w: the document of %s is not where it is looked for", archive.ErrBroken,
				row.NoteID)
		}
	}
	return len(rows), nil
}

// RunArchive is KeepArchive again and again until nothing is left to do, for a command.
func (s *Store) RunArchive(ctx context.Context, age time.Duration) (all ArchiveRound, err error) {
	if s.db.Archive.Objects == nil {
		return all, errNoArchive
	}
	for {
		round, err := s.KeepArchive(ctx, age, time.Now().Add(archiveLease/2))
		all.Moved, all.Segments = all.Moved+round.Moved, all.Segments+round.Segments
		all.Erased, all.Deleted = all.Erased+round.Erased, all.Deleted+round.Deleted
		if err != nil || !round.More {
			return all, err
		}
	}
}
