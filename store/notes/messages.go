package notes

import (
	"context"

	"emissor/internal/packed"
	"emissor/nfse"
)

// NoteMessage is what was sent to an authority about a note, or what it answered. XML are the exact
// bytes; an answer may be none. Nothing of a certificate's key is in either.
type NoteMessage struct {
	ID        string         `db:"id"` // within the note: m1 was sent, r1 came of it, c1 is an unexpected answer
	At        nfse.Timestamp `db:"at"`
	What      string         `db:"what"`    // the call: issue, find, cancel and so on
	Sent      bool           `db:"sent"`    // by us; otherwise it was received
	Outcome   string         `db:"outcome"` // of the call, or the state of the exchange
	Authority string         `db:"authority"`
	Bytes     int            `db:"bytes"`    // 0: it is not kept any longer, or in the document
	Embedded  bool           `db:"embedded"` // it is not kept beside the document, which embeds it
	XML       []byte         `db:"xml"`      // of a single one

	Head     []byte `db:"head"`     // the first bytes as they are stored
	Archived *int   `db:"archived"` // bytes of the document that it is, which is in the archive; nil: it is not
}

// mostMessages is how many messages of a note are listed, the latest.
const mostMessages = 200

const (
	// isDocument says that what the authority made of an exchange f is the document of the note, x.
	isDocument = `f.xml = '' AND f.kind = 'issue' AND f.state = 'accepted'`
	// exchangeXML is what it made, and exchangeArchived how many bytes that has where it is in the archive.
	exchangeXML      = `CASE WHEN ` + isDocument + ` THEN coalesce(x.xml, '') ELSE f.xml END`
	exchangeArchived = `CASE WHEN ` + isDocument + ` THEN x.plain_length END`
)

// messagesOf are the messages of a note $3 of an organization $1 in an environment $2.
const messagesOf = `
	SELECT * FROM (
		SELECT 'm' || m.id AS id, m.created_at AS at, f.kind AS what, true AS sent, f.state AS outcome, f.authority,
			m.xml, m.embedded, NULL::integer AS archived
		FROM fiscal_messages m JOIN fiscal_exchanges f ON f.id = m.exchange_id WHERE f.note_id = $3
		UNION ALL
		SELECT 'r' || f.id, f.updated_at, f.kind, false, f.state, f.authority, ` + exchangeXML + `, false,
			` + exchangeArchived + `
		FROM fiscal_exchanges f LEFT JOIN note_documents x ON x.note_id = $3
		WHERE f.note_id = $3 AND f.xml IS NOT NULL
		UNION ALL
		SELECT 'c' || c.id, coalesce(c.ended_at, c.started_at), c.what, false, coalesce(c.outcome, ''), '', c.body, false,
			NULL
		FROM fiscal_calls c WHERE c.note_id = $3 AND c.body IS NOT NULL
	) message
	WHERE EXISTS (SELECT FROM notes WHERE id = $3 AND organization_id = $1 AND livemode = $2)`

// NoteMessages lists the messages of a note and the answers that are kept, oldest first, without their
// bytes.
func (s *Store) NoteMessages(ctx context.Context, scope nfse.Scope, noteID string) (messages []NoteMessage, err error) {
	err = s.db.All(ctx, &messages, `SELECT * FROM (
		SELECT id, at, what, sent, outcome, authority, embedded, octet_length(xml) AS bytes, substr(xml, 1, $5) AS head,
			archived
		FROM (`+messagesOf+`) all_of_it
		ORDER BY at DESC, id DESC LIMIT $4) latest ORDER BY at, sent DESC, id`,
		scope.OrganizationID, scope.Livemode, noteID, mostMessages, packed.HeadBytes)
	for i, message := range messages {
		if messages[i].Bytes = packed.Size(message.Head, message.Bytes); message.Archived != nil {
			messages[i].Bytes = *message.Archived
		}
	}
	return messages, err
}

// NoteMessage reads one of them.
func (s *Store) NoteMessage(ctx context.Context, scope nfse.Scope, noteID, id string) (message NoteMessage, err error) {
	found := []NoteMessage{}
	err = s.db.All(ctx, &found, `SELECT id, at, what, sent, outcome, authority, embedded, xml, archived
		FROM (`+messagesOf+`) all_of_it WHERE id = $4`, scope.OrganizationID, scope.Livemode, noteID, id)
	if err != nil {
		return message, err
	}
	if len(found) == 0 {
		return message, nfse.NewError(nfse.CodeNotFound, "message", "there is no message %q of the note", id)
	}
	message = found[0]
	if message.Archived != nil {
		message.XML, err = s.NoteXML(ctx, scope, noteID)
	} else {
		message.XML, err = s.db.Unpack(ctx, message.XML)
	}
	message.Bytes = len(message.XML)
	return message, err
}
