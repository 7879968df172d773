package received

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/internal/panics"
	"emissor/store/received"
)

const (
	// mostInZIP is how many notes one file may have: a month of more is downloaded in parts, as by
	// issuer or state.
	mostInZIP = 20_000
	// zipPiece is how many notes with their documents are in memory at a time.
	zipPiece = 50
)

// downloadReceivedZIP sends the notes of a month that match the list's filters, each as its XML, those
// of its events and its DANFSe, with a list (index.csv) of all files and their SHA-256. What cannot be
// drawn is named in the list. It is written while it is read. Nothing in it depends on when it is made.
func downloadReceivedZIP(r *frame.Request) error {
	form := r.NewForm(receivedFields...)
	filter := receivedFilter(form)
	if form.Good() && filter.Since == "" {
		form.AddProblem("month", "received.month.zip")
	}
	if form.Good() {
		sums, err := r.D.Store.Received.ReceivedSums(r.Context(), r.Scope, filter)
		if err != nil {
			return err
		}
		if sums.Chosen > mostInZIP {
			form.AddProblem("month", "received.zip.many")
		}
	}
	if !form.Good() {
		page := receivedPage{Form: form, Statuses: received.ReceivedStatuses, Filtered: true,
			LastMonth: r.Link("/received")}
		return r.RenderStatus(http.StatusUnprocessableEntity, "received", "section.received", page)
	}
	ctx, end := context.WithTimeout(r.Context(), frame.DownloadLimit)
	defer end()
	r.W.Header().Set("Content-Type", "application/zip")
	r.W.Header().Set("Content-Disposition", `attachment; filename="received-`+form.Trimmed("month")+`.zip"`)
	if r.Method == http.MethodHead {
		return nil
	}
	filter.Limit = zipPiece
	if err := sendReceivedZIP(r, ctx, filter); err != nil {
		r.D.Logger.WarnContext(ctx, "a download broke off", "request_id", r.ID, "error", err)
		panic(http.ErrAbortHandler) // so that the file is not taken for complete
	}
	return nil
}

// sendReceivedZIP sends the notes of a filter, with a deadline for each piece.
func sendReceivedZIP(r *frame.Request, ctx context.Context, filter received.ReceivedFilter) error {
	control, archive := http.NewResponseController(r.W), zip.NewWriter(r.W)
	var list bytes.Buffer
	index := csv.NewWriter(&list)
	if err := index.Write([]string{"file", "sha256", "problem"}); err != nil {
		return err
	}
	for more := true; more; {
		if err := control.SetWriteDeadline(time.Now().Add(frame.DownloadStall)); err != nil {
			return err
		}
		page, documents, err := receivedPiece(r, ctx, &filter)
		if err != nil {
			return err
		}
		for _, note := range documents {
			if err := addReceived(r, ctx, archive, index, note); err != nil {
				return err
			}
		}
		if more = page.Older; more {
			if err := r.StillMay(ctx); err != nil {
				return err
			}
		}
	}
	index.Flush()
	if err := addFile(archive, "index.csv", list.Bytes()); err != nil {
		return err
	}
	return archive.Close()
}

// addReceived puts a note, its events and its DANFSe into the file: what is no longer kept is left out.
func addReceived(r *frame.Request, ctx context.Context, archive *zip.Writer, index *csv.Writer,
	note received.ReceivedNoteDocument) error {
	add := func(name string, content, hash []byte) error {
		if len(content) == 0 {
			return nil
		}
		if err := index.Write([]string{name, hex.EncodeToString(hash), ""}); err != nil {
			return err
		}
		return addFile(archive, name, content)
	}
	if err := add(note.AccessKey+".xml", note.XML, note.Hash); err != nil {
		return err
	}
	for i, event := range note.Events {
		name := fmt.Sprintf("%s-event-%02d.xml", note.AccessKey, i+1)
		if err := add(name, event.Content, event.Hash); err != nil {
			return err
		}
	}
	if len(note.XML) == 0 {
		return nil
	}
	name := note.AccessKey + ".pdf"
	page, err := drawReceived(r, ctx, note)
	var busy frame.Problem
	if errors.As(err, &busy) {
		return err // the same month would not be the same file
	}
	if err != nil {
		r.D.Logger.WarnContext(ctx, "a received note is not drawn for the ZIP of its month", "request_id", r.ID,
			"access_key", note.AccessKey, "error", err)
		return index.Write([]string{name, "", r.Language.Say("problem.received_not_drawn")})
	}
	hash := sha256.Sum256(page)
	return add(name, page, hash[:])
}

// drawReceived draws the DANFSe of a note. A panic is an error of that note, so that nothing in it keeps other notes
// out of the file.
func drawReceived(r *frame.Request, ctx context.Context, note received.ReceivedNoteDocument) (page []byte, err error) {
	err = panics.Caught(func() (err error) {
		page, err = notepages.Draw(ctx, r.D, receivedDocument(note))
		return err
	})
	return page, err
}

// addFile puts a file without a time of its own into an archive.
func addFile(archive *zip.Writer, name string, content []byte) error {
	file, err := archive.Create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return err
}
