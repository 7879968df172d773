package api

import (
	"net/http"
	"time"

	"emissor/internal/web"
	"emissor/nfse"
)

// pollAfter is when a client that polls should come back, in seconds.
const pollAfter = "1"

func (a *API) listNotes(w http.ResponseWriter, r *http.Request) error {
	page, err := readPage(r, nfse.PrefixNote)
	if err != nil {
		return err
	}
	notes, more, err := a.store.Notes.Notes(r.Context(), requestOf(r.Context()).key.Scope, page)
	if err != nil {
		return err
	}
	return writePage(w, notes, more, func() string { return notes[len(notes)-1].ID })
}

func (a *API) getNote(w http.ResponseWriter, r *http.Request) error {
	id, err := noteID(r)
	if err != nil {
		return err
	}
	note, err := a.store.Notes.Note(r.Context(), requestOf(r.Context()).key.Scope, id)
	if err != nil {
		return err
	}
	if note.Moving() {
		w.Header().Set("Retry-After", pollAfter)
	}
	return web.WriteJSON(w, http.StatusOK, note)
}

// getNoteXML serves the document's exact bytes.
func (a *API) getNoteXML(w http.ResponseWriter, r *http.Request) error {
	id, err := noteID(r)
	if err != nil {
		return err
	}
	document, err := a.store.Notes.NoteXML(r.Context(), requestOf(r.Context()).key.Scope, id)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/xml; charset=utf-8")
	header.Set("Content-Disposition", `attachment; filename="`+id+`.xml"`)
	header.Set("ETag", etag(document))
	serveWhole(w, r, time.Time{}, document)
	return nil
}

func noteID(r *http.Request) (string, error) {
	id, err := pathID(r, nfse.PrefixNote, nfse.CodeNoteNotFound)
	if err == nil {
		requestOf(r.Context()).noteID = id
	}
	return id, err
}
