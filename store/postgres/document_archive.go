package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"emissor/internal/archive"
	"emissor/nfse"
)

// DocumentArchive is where the documents of closed months are, besides the database.
type DocumentArchive struct {
	Objects ArchiveObjects // nil: there is none

	// Failed is called with each reading that failed, for the log and a metric; it may be nil.
	Failed func(ctx context.Context, noteID string, err error)

	ReadTimeout time.Duration // of one document; archiveReadTime when zero
}

// ArchiveObjects keeps the archive's files.
type ArchiveObjects interface {
	Put(ctx context.Context, key string, content []byte) error
	Read(ctx context.Context, key string, from int64, length int) ([]byte, error)
	Delete(ctx context.Context, key string) error
}

// A document is small: where reading one takes long, the archive is away. Few wait at once, so that an archive that
// is slow holds no more than these of the process's requests, pages and runs.
const (
	archiveReadTime = 5 * time.Second
	archiveReaders  = 16
	archiveWait     = time.Second // for the turn to read
)

// archiveReader reads from the archive, a few documents at once.
type archiveReader struct {
	DocumentArchive
	turns chan struct{}
}

func newArchiveReader(archive DocumentArchive) archiveReader {
	if archive.ReadTimeout == 0 {
		archive.ReadTimeout = archiveReadTime
	}
	return archiveReader{archive, make(chan struct{}, archiveReaders)}
}

// errArchiveAway is what a caller is told: it is worth another try.
func errArchiveAway() error {
	return nfse.Unavailable(nfse.CodeServiceUnavailable, "",
		"the note's XML is in the archive, which does not answer now; repeat the request")
}

// IsArchiveAway reports whether a document could not be read because the archive did not hand it over: it is there
// later.
func IsArchiveAway(err error) bool {
	return nfse.IsCode(err, nfse.CodeServiceUnavailable) && !archive.IsBroken(err)
}

var (
	errNoObjects   = errors.New("store: documents are in an archive, and EMISSOR_ARCHIVE_URL does not say where it is")
	errManyReaders = errors.New("store: too much is read from the archive at once")
)

// archivedAt is where a document is that is not in the database.
type archivedAt struct {
	Key    *string `db:"key"` // nil: it is in the database, or nowhere
	From   *int64  `db:"from"`
	Length *int    `db:"length"`
}

// placeColumns are the columns of archivedAt, of a document x, under a prefix of their names.
func placeColumns(prefix string) string {
	return fmt.Sprintf(`(SELECT g.key FROM archive_segments g WHERE g.id = x.segment_id) AS "%[1]skey",
		x.frame_from AS "%[1]sfrom", x.frame_length AS "%[1]slength"`, prefix)
}

// StoredDocument is a document as its row has it.
type StoredDocument struct {
	XML    []byte     `db:"xml"`
	Digest []byte     `db:"digest"` // SHA-256 of the plain bytes
	Place  archivedAt `db:"place"`
}

// DocumentColumns are the columns of StoredDocument, of a document x, under a prefix of their names.
func DocumentColumns(prefix string) string {
	return fmt.Sprintf(`x.xml AS "%[1]sxml", x.digest AS "%[1]sdigest", `, prefix) + placeColumns(prefix+"place.")
}

// Exists reports whether there is a document.
func (d StoredDocument) Exists() bool { return d.XML != nil || d.Place.Key != nil }

// Plain returns the bytes of the document of a note, wherever they are; nil where there is none.
func (s *DB) Plain(ctx context.Context, noteID string, document StoredDocument) ([]byte, error) {
	if !document.Exists() {
		return nil, nil
	}
	if document.Place.Key == nil {
		return s.UnpackDocument(ctx, document.XML, document.Digest)
	}
	plain, err := s.fetch(ctx, noteID, document)
	if err == nil || ctx.Err() != nil {
		return plain, err
	}
	if s.Archive.Failed != nil {
		s.Archive.Failed(ctx, noteID, err)
	}
	var ofArchive archiveError
	switch {
	case IsUnavailable(err) && !errors.As(err, &ofArchive): // the database's
		return nil, err
	case archive.IsBroken(err): // a caller is told the same; who goes through many goes on without it
		return nil, fmt.Errorf("%w (%w)", errArchiveAway(), err)
	}
	return nil, errArchiveAway()
}

// fetch reads the document of a note from the archive. Where it is not at its place, it may have been moved since the
// place was read.
func (s *DB) fetch(ctx context.Context, noteID string, document StoredDocument) ([]byte, error) {
	frame, err := s.Archive.read(ctx, document.Place)
	// Who may not list a bucket is refused what is not there.
	if errors.Is(err, archive.ErrNotThere) || errors.Is(err, archive.ErrRefused) {
		var now StoredDocument
		again := s.pool.GetContext(ctx, &now, `SELECT `+DocumentColumns("")+`
			FROM note_documents x WHERE x.note_id = $1`, noteID)
		switch {
		case errors.Is(again, sql.ErrNoRows):
			return nil, err
		case again != nil:
			return nil, again
		case now.Place.Key == nil:
			return s.UnpackDocument(ctx, now.XML, now.Digest)
		case *now.Place.Key == *document.Place.Key:
			return nil, err
		}
		document = now
		frame, err = s.Archive.read(ctx, now.Place)
	}
	if err != nil {
		return nil, err
	}
	return s.UnpackDocument(ctx, frame, document.Digest)
}

// read reads a frame when it is its turn.
func (a archiveReader) read(ctx context.Context, place archivedAt) ([]byte, error) {
	if a.Objects == nil {
		return nil, errNoObjects
	}
	turn := time.NewTimer(archiveWait)
	defer turn.Stop()
	select {
	case a.turns <- struct{}{}:
		defer func() { <-a.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-turn.C:
		return nil, errManyReaders
	}
	within, cancel := context.WithTimeout(ctx, a.ReadTimeout)
	defer cancel()
	frame, err := a.Objects.Read(within, *place.Key, *place.From, *place.Length)
	if err != nil {
		return nil, archiveError{err}
	}
	return frame, nil
}

// archiveError is an error of the archive, not of the database.
type archiveError struct{ error }

// Unwrap returns the error.
func (e archiveError) Unwrap() error { return e.error }
