package archive

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/internal/archive"
	"emissor/internal/packed"
	"emissor/nfse"
	"emissor/store/postgres"
)

// The loops over the archive, in row_failures, the log and the metric: documents that are to be moved, and segments
// that are to be changed or deleted.
const (
	loopArchive  = "archive"
	loopSegments = "archive segments"
)

const (
	// archiveRows is how many documents are read at once.
	archiveRows = 500

	// archiveCall is how long writing or reading a segment may take.
	archiveCall = 2 * time.Minute

	// abandonedAfter is when a segment that is not finished is one whose process has died: the lease is shorter.
	abandonedAfter = time.Hour
)

// ArchiveRound is what one round of work on the archive did.
type ArchiveRound struct {
	Moved    int  `json:"documents_moved"`
	Segments int  `json:"segments_stored"`
	Erased   int  `json:"documents_erased"`
	Deleted  int  `json:"segments_deleted"`
	More     bool `json:"more"` // its time was over before its work
}

// KeepArchive does what is to be done about the archive, until a moment after which it begins nothing more: it deletes
// segments that nothing is in any more, erases what is to be erased in others, and moves the documents of live notes
// of months that have been over for some time; zero moves none. What fails in one part stops no other, unless the
// archive or the database is away. Where another process does it, nothing is done.
func (s *Store) KeepArchive(ctx context.Context, age time.Duration, until time.Time) (round ArchiveRound, err error) {
	if s.db.Archive.Objects == nil {
		return round, nil
	}
	err = s.underArchiveLease(ctx, func(token string) error {
		var failures []error
		for _, part := range []func() error{
			func() error { return s.clearSegments(ctx, &round, until) },
			func() error { return s.eraseInSegments(ctx, &round, until) },
			func() error {
				if age == 0 {
					return nil
				}
				return s.moveDocuments(ctx, &round, time.Now().Add(-age), until)
			},
		} {
			err := part()
			if err != nil {
				failures = append(failures, err)
			}
			if ctx.Err() != nil || err != nil && (postgres.IsOutage(err) || ArchiveProblem(err) == "away") {
				break
			}
		}
		failed := errors.Join(failures...)
		if ctx.Err() != nil {
			return failed // it was stopped, which says nothing of the archive
		}
		return errors.Join(failed, s.recordArchiveRound(ctx, failed))
	})
	if errors.Is(err, ErrArchiveBusy) {
		return round, nil
	}
	return round, err
}

// ArchiveAgain has the documents of a month and of those after it looked at again, as after a restore of them.
func (s *Store) ArchiveAgain(ctx context.Context, month nfse.Month) error {
	_, err := s.db.ExecContext(ctx, `UPDATE archive_state SET up_to = least(up_to, $1)`, firstOf(month))
	return err
}

// firstOf is below the ids of the notes of a month and of those after it.
func firstOf(month nfse.Month) string {
	return nfse.FirstID(nfse.PrefixNote, month.FirstDay().Begin())
}

// moveDocuments makes segments of the documents of months that were over at a moment.
func (s *Store) moveDocuments(ctx context.Context, round *ArchiveRound, over, until time.Time) error {
	end := nfse.MonthOf(nfse.DayOf(over)) // the month of that moment is not over
	for {
		if time.Now().After(until) {
			round.More = true
			return nil
		}
		made, err := s.nextSegment(ctx, firstOf(end))
		if err != nil || made.done() {
			return err
		}
		moved, err := s.storeSegment(ctx, made)
		if err != nil {
			return err
		}
		if moved > 0 {
			round.Segments, round.Moved = round.Segments+1, round.Moved+moved
		}
	}
}

// segment is one that is to be stored.
type segment struct {
	*archive.Segment
	month nfse.Month
	from  *int64 // the segment that it takes the place of; nil: the documents are in the database
	upTo  string // where the next one begins, if it is one of new documents
	moved bool   // upTo is another than before
}

func (m segment) done() bool { return len(m.Entries()) == 0 && !m.moved }

// candidate is a row that may have a document to be moved.
type candidate struct {
	NoteID string `db:"note_id"`
	Live   bool   `db:"live"`
	XML    []byte `db:"xml"`
	Digest []byte `db:"digest"`
}

// nextSegment reads the next documents into a segment, up to the end of their month or a note.
func (s *Store) nextSegment(ctx context.Context, before string) (next segment, err error) {
	if err := s.db.GetContext(ctx, &next.upTo, `SELECT up_to FROM archive_state`); err != nil {
		return next, err
	}
	next.Segment = archive.NewSegment("")
	dictionaries, end := map[uint32]archive.Dictionary{}, before
	for !next.Full() {
		var rows []candidate
		// Documents that are no live note's are looked at without their bytes.
		err := s.db.SelectContext(ctx, &rows, `
			SELECT x.note_id, live, CASE WHEN live THEN x.xml END AS xml, x.digest
			FROM note_documents x CROSS JOIN LATERAL (
				SELECT coalesce((SELECT n.livemode FROM notes n WHERE n.id = x.note_id), false) AS live) kind
			WHERE x.note_id > $1 AND x.note_id < $2 ORDER BY x.note_id LIMIT $3`, next.upTo, end, archiveRows)
		if err != nil {
			return next, err
		}
		for _, row := range rows {
			if row.Live && row.XML != nil {
				at, dated := nfse.TimeOf(nfse.PrefixNote, row.NoteID)
				if next.month == "" && dated {
					next.month = nfse.MonthOf(nfse.DayOf(at))
					end = min(before, firstOf(next.month.Next()))
					next.Segment = archive.NewSegment(string(next.month))
				}
				if row.NoteID >= end { // the next month begins among these rows
					return next, nil
				}
				err := errUndated
				if dated {
					err = s.addTo(ctx, next.Segment, row, dictionaries)
				}
				if err != nil {
					if postgres.IsOutage(err) || ctx.Err() != nil {
						return next, err
					}
					if err := s.db.SetAside(ctx, loopArchive, row.NoteID, err); err != nil {
						return next, err
					}
				}
			}
			next.upTo, next.moved = row.NoteID, true
			if next.Full() {
				return next, nil
			}
		}
		if len(rows) < archiveRows {
			return next, nil
		}
		if len(next.Entries()) == 0 { // what was passed need not be passed again
			return next, nil
		}
	}
	return next, nil
}

// errUndated sets a document aside.
var errUndated = errors.New("store: a note's id says no time")

// addTo adds a document to a segment, packed, after it was checked.
func (s *Store) addTo(ctx context.Context, to *archive.Segment, row candidate,
	dictionaries map[uint32]archive.Dictionary) error {
	plain, err := s.db.UnpackDocument(ctx, row.XML, row.Digest)
	if err != nil {
		return err
	}
	frame := row.XML
	if !packed.Is(frame) {
		if frame, err = s.db.Pack(ctx, plain); err != nil {
			return err
		}
	}
	id, err := packed.DictionaryOf(frame)
	if err != nil {
		return err
	}
	if _, known := dictionaries[id]; !known {
		with := archive.Dictionary{ID: id, Version: int(id)}
		if id >= packed.FirstOwnID {
			err := s.db.QueryRowxContext(ctx, `SELECT version, certificates FROM document_dictionaries WHERE id = $1`,
				int64(id)).Scan(&with.Version, &with.Certificates)
			if err != nil {
				return err
			}
		}
		dictionaries[id] = with
	}
	_, err = to.Add(archive.Document{NoteID: row.NoteID, Frame: frame, Plain: plain}, dictionaries[id])
	return err
}

// storeSegment puts a segment into the archive, reads it back, and only then lets go of the documents where they were.
// It returns how many are in it. Where one of them was erased or removed meanwhile, none is moved, and it is to be
// made again.
func (s *Store) storeSegment(ctx context.Context, made segment) (moved int, err error) {
	entries := made.Entries()
	if len(entries) == 0 {
		return 0, s.passDocuments(ctx, s.db, made)
	}
	content, err := made.Content()
	if err != nil {
		return 0, err
	}
	digest := sha256.Sum256(content)
	key := fmt.Sprintf("documents/%s/%s.segment", made.month, uuid.Must(uuid.NewV7()))
	var id int64
	// It is on record before it is written, so that none is left behind in the archive.
	err = s.db.GetContext(ctx, &id, `INSERT INTO archive_segments (key, month, state, first_note, last_note, documents,
			size, digest) VALUES ($1, $2::date, 'writing', $3, $4, $5, $6, $7) RETURNING id`,
		key, postgres.FirstDay(made.month), entries[0].NoteID, entries[len(entries)-1].NoteID, len(entries), len(content),
		digest[:])
	if err != nil {
		return 0, err
	}
	err = s.inArchive(ctx, func(ctx context.Context) error { return s.db.Archive.Objects.Put(ctx, key, content) })
	if err == nil {
		err = s.verifyObject(ctx, key, len(content), digest[:])
	}
	var done bool
	if err == nil {
		done, err = s.letGo(ctx, id, made)
	}
	if done {
		return len(entries), nil
	}
	_, left := s.db.ExecContext(context.WithoutCancel(ctx),
		`UPDATE archive_segments SET state = 'leaving' WHERE id = $1 AND state = 'writing'`, id)
	return 0, errors.Join(err, left)
}

// passDocuments records up to where documents were looked at.
func (s *Store) passDocuments(ctx context.Context, db sqlx.ExecerContext, made segment) error {
	if made.from != nil {
		return nil
	}
	_, err := db.ExecContext(ctx, `UPDATE archive_state SET up_to = $1`, made.upTo)
	return err
}

// inArchive does something with a whole segment in the archive.
func (s *Store) inArchive(ctx context.Context, do func(context.Context) error) error {
	within, cancel := context.WithTimeout(ctx, archiveCall)
	defer cancel()
	return do(within)
}

// readObject reads a whole segment.
func (s *Store) readObject(ctx context.Context, key string, size int) (content []byte, err error) {
	err = s.inArchive(ctx, func(ctx context.Context) error {
		content, err = s.db.Archive.Objects.Read(ctx, key, 0, size)
		return err
	})
	return content, err
}

// verifyObject reads a segment back, and unpacks every document of it.
func (s *Store) verifyObject(ctx context.Context, key string, size int, digest []byte) error {
	_, err := s.readSegment(ctx, key, size, digest)
	return err
}

// readSegment reads a segment and checks all that is in it.
func (s *Store) readSegment(ctx context.Context, key string, size int, digest []byte) (*archive.Stored, error) {
	content, err := s.readObject(ctx, key, size)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(content); string(sum[:]) != string(digest) {
		return nil, fmt.Errorf("%w: %s has another digest", archive.ErrBroken, key)
	}
	stored, err := archive.Read(content)
	if err == nil {
		err = stored.Check()
	}
	return stored, err
}

// letGo gives the documents of a segment their places in it, in one transaction, and reports whether all of them were
// still where they had been.
func (s *Store) letGo(ctx context.Context, id int64, made segment) (done bool, err error) {
	entries := made.Entries()
	var notes []string
	var froms, lengths, plains []int64
	var digests pq.ByteaArray
	for _, entry := range entries {
		digest, err := entry.Digest()
		if err != nil {
			return false, err
		}
		notes, froms = append(notes, entry.NoteID), append(froms, entry.From)
		lengths, plains = append(lengths, int64(entry.Length)), append(plains, int64(entry.Bytes))
		digests = append(digests, digest)
	}
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		stored, err := postgres.Affected(tx.ExecContext(ctx,
			`UPDATE archive_segments SET state = 'stored', stored_at = now()
			WHERE id = $1 AND state = 'writing'`, id))
		if err != nil || stored == 0 {
			return err
		}
		var moved int
		err = tx.GetContext(ctx, &moved, `SELECT documents_into_segment($1, $2, $3, $4, $5::integer[], $6::integer[], $7)`,
			id, made.from, pq.Array(notes), pq.Array(froms), pq.Array(lengths), pq.Array(plains), digests)
		if err != nil {
			return err
		}
		if done = moved == len(entries); !done {
			return errMovedAway
		}
		if made.from != nil {
			_, err = tx.ExecContext(ctx, `UPDATE archive_segments SET state = 'leaving' WHERE id = $1`, *made.from)
			return err
		}
		return s.passDocuments(ctx, tx, made)
	})
	if errors.Is(err, errMovedAway) {
		return false, nil
	}
	return done && err == nil, err
}

// errMovedAway rolls back: a document is not where it was.
var errMovedAway = errors.New("store: a document was erased or removed while it was archived")
