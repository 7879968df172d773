package store

import (
	"context"
	"database/sql"
	"errors"

	"emissor/nfse"
)

// NoteDocument is what the printed form of a note is drawn from.
type NoteDocument struct {
	Status nfse.Status `db:"status"`
	XML    []byte      `db:"xml"`
	Events [][]byte    // registered by the authority, in their order
}

// NoteDocument reads the document of an issued note, of any organization, and the
// events that end it.
func (s *Store) NoteDocument(ctx context.Context, id string) (NoteDocument, error) {
	var document NoteDocument
	err := s.db.GetContext(ctx, &document, `
		SELECT notes.status, note_documents.xml
		FROM notes LEFT JOIN note_documents ON note_documents.note_id = notes.id WHERE notes.id = $1`, id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return NoteDocument{}, nfse.NewError(nfse.CodeNoteNotFound, "note", "there is no note %q", id)
	case err != nil:
		return NoteDocument{}, err
	case document.XML == nil:
		return NoteDocument{}, withoutXML(document.Status)
	}
	err = s.db.SelectContext(ctx, &document.Events, `
		SELECT xml FROM fiscal_exchanges
		WHERE note_id = $1 AND kind = 'cancel' AND state = 'accepted' AND xml IS NOT NULL ORDER BY id`, id)
	return document, err
}
