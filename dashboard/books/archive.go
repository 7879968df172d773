package books

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/store/books"
)

// makeArchive has the ZIP of a month made.
func makeArchive(r *frame.Request) error {
	form, month := monthOf(r)
	if !form.Good() {
		return r.Redirect(r.Link("/closing", "month", form.Value("month")), "")
	}
	err := r.Changes().Books.MakeArchive(r.Context(), r.Scope, month)
	if books.IsManyArchives(err) {
		return r.Redirect(r.Link("/closing", "month", string(month), "many", "1")+"#archive", "")
	}
	if err != nil {
		return err
	}
	return r.Redirect(r.Link("/closing", "month", string(month))+"#archive", "closing.archive.asked")
}

// downloadArchive sends the ZIP of a month, or the range of it that is asked for.
func downloadArchive(r *frame.Request) error {
	archive, err := r.D.Store.Books.Archive(r.Context(), r.Scope, r.PathValue("id"))
	if errors.Is(err, books.ErrNoArchive) || err == nil && archive.Status != books.ArchiveReady {
		return notepages.ErrNotKnown
	}
	if err != nil {
		return err
	}
	if r.Method != http.MethodHead {
		if err := r.Changes().Books.DownloadArchive(r.Context(), archive, r.Header.Get("Range") != ""); err != nil {
			return err
		}
	}
	header := r.W.Header()
	header.Set("Content-Type", "application/zip")
	header.Set("Content-Disposition", `attachment; filename="nfse-`+archive.Environment()+"-"+string(archive.Month)+
		`.zip"`)
	header.Set("ETag", `"`+archive.Digest+`"`)
	content := &archiveReader{ctx: r.Context(), r: r, archive: archive}
	http.ServeContent(r.W, r.Request, "", time.Time{}, content)
	if content.failed != nil && r.Context().Err() == nil {
		r.D.Logger.WarnContext(r.Context(), "a download broke off", "request_id", r.ID, "error", content.failed)
	}
	return nil
}

// archiveReader reads a ZIP part by part: it has one of them in memory. Before each, it sees whether
// who asked for it may still see it, and gives the reader another minute.
type archiveReader struct {
	ctx     context.Context
	r       *frame.Request
	archive books.Archive
	offset  int64

	part   []byte
	begin  int64 // of the part
	failed error
}

// Seek moves to a place, for ranges.
func (a *archiveReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += a.offset
	case io.SeekEnd:
		offset += a.archive.Size
	}
	if offset < 0 {
		return 0, errors.New("dashboard: a place before the beginning")
	}
	a.offset = offset
	return offset, nil
}

// Read reads what is left of the present part.
func (a *archiveReader) Read(into []byte) (int, error) {
	if a.offset >= a.archive.Size {
		return 0, io.EOF
	}
	if a.offset < a.begin || a.offset >= a.begin+int64(len(a.part)) {
		if err := a.next(); err != nil {
			a.failed = err
			return 0, err
		}
	}
	n := copy(into, a.part[a.offset-a.begin:])
	a.offset += int64(n)
	return n, nil
}

func (a *archiveReader) next() (err error) {
	if err := a.r.StillMay(a.ctx); err != nil {
		return err
	}
	if err := http.NewResponseController(a.r.W).SetWriteDeadline(time.Now().Add(frame.DownloadStall)); err != nil {
		return err
	}
	a.part, a.begin, err = a.r.D.Store.Books.ArchiveAt(a.ctx, a.archive.ID, a.offset)
	if err == nil && a.offset >= a.begin+int64(len(a.part)) {
		err = io.ErrUnexpectedEOF
	}
	return err
}
