package notes

import (
	"context"
	"database/sql"
	"errors"

	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/postgres"
)

// NoteDocument is what the printed form of a note is drawn from.
type NoteDocument struct {
	Status   nfse.Status             `db:"status"`
	Replaced bool                    `db:"replaced"` // cancelled as another has replaced it, be its event known or not
	XML      []byte                  `db:"-"`
	Stored   postgres.StoredDocument `db:"stored"` // what XML is made of
	Events   pq.ByteaArray           `db:"events"` // the XML of those that the authority registered

	IssuedBy         IssuedBy `db:"issued_by"`
	Number           *string  `db:"authority_number"` // nil when the authority gives none
	VerificationCode *string  `db:"verification_code"`
}

// NoteEvents are the events by which a note n has ended, no matter who made them. The sandbox cancels without one.
const NoteEvents = `ARRAY(
		SELECT f.xml FROM fiscal_exchanges f
		WHERE f.note_id = n.id AND f.kind = 'cancel' AND f.state = 'accepted' AND f.xml <> ''
		UNION
		SELECT o.content FROM external_events o
		WHERE o.note_id = n.id AND o.effect IN ('cancels', 'replaces') AND o.applied_at IS NOT NULL
			AND o.content <> '' AND o.type <> 'asked')`

// IsReplaced says of a note n that another, which is issued, has replaced it.
const IsReplaced = `(n.status = 'cancelled' AND n.replaced_by IS NOT NULL)`

// NoteDocument reads the document of an issued note, of any organization, and its
// events.
func (s *Store) NoteDocument(ctx context.Context, id string) (NoteDocument, error) {
	var document NoteDocument
	err := s.db.Get(ctx, &document, `
		SELECT n.status, `+IsReplaced+` AS replaced, `+postgres.DocumentColumns("stored.")+`, `+NoteEvents+` AS events,
			`+IssuedBySQL+` AS issued_by, n.authority_number, n.verification_code
		FROM notes n LEFT JOIN note_documents x ON x.note_id = n.id WHERE n.id = $1`, id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return NoteDocument{}, nfse.NewError(nfse.CodeNoteNotFound, "note", "there is no note %q", id)
	case err != nil:
		return NoteDocument{}, err
	case !document.Stored.Exists():
		return NoteDocument{}, withoutXML(document.Status)
	}
	return document, s.UnpackNoteDocument(ctx, id, &document)
}

// UnpackNoteDocument makes what was read of a document the plain bytes.
func (s *Store) UnpackNoteDocument(ctx context.Context, noteID string, document *NoteDocument) (err error) {
	if document.XML, err = s.db.Plain(ctx, noteID, document.Stored); err != nil {
		return err
	}
	return s.db.UnpackAll(ctx, document.Events)
}
