package webhooks

import (
	"bytes"
	"context"
	"crypto/sha256"

	"emissor/nfse"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// StoredBody is the body of an event e as it is read.
type StoredBody struct {
	EventID string `db:"event_id"`
	Payload []byte `db:"payload"`
	Digest  []byte `db:"payload_digest"`
}

// BodyKept says of an event e that its body is stored, or can be made again.
const BodyKept = `(e.payload <> '' OR e.payload_digest IS NOT NULL)`

// EventBody is the body of an event: as it is stored, or made again from its note. It is empty where neither is
// possible any more: every attempt sends the same bytes, or none is made.
func (s *Store) EventBody(ctx context.Context, stored StoredBody) ([]byte, error) {
	if len(stored.Payload) > 0 {
		return s.db.Unpack(ctx, stored.Payload)
	}
	if stored.Digest == nil {
		return nil, nil
	}
	var event struct {
		Type      nfse.EventType `db:"type"`
		NoteID    string         `db:"note_id"`
		CreatedAt nfse.Timestamp `db:"created_at"`
	}
	err := s.db.GetContext(ctx, &event, `SELECT type, note_id, created_at FROM events WHERE id = $1`, stored.EventID)
	if err != nil {
		return nil, err
	}
	var row notes.Row
	err = s.db.GetContext(ctx, &row, `SELECT `+notes.Columns+` FROM notes WHERE id = $1`, event.NoteID)
	if err != nil {
		return nil, postgres.NoRow(err, nil)
	}
	note, err := row.Note()
	if err != nil {
		return nil, err
	}
	body, err := nfse.EventBody(stored.EventID, event.Type, note, event.CreatedAt)
	if sum := sha256.Sum256(body); err != nil || !bytes.Equal(sum[:], stored.Digest) {
		return nil, err
	}
	return body, nil
}
