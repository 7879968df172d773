package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
)

// What a database of before needs to get the new form, and what is left to do after it has it, is done beside the
// work, note by note in the order of their ids. How far it has come is in retention_progress, so that it goes on
// anywhere.
const (
	walkNames   = "names of notes"
	walkPacking = "packing of documents" // also its loop in row_failures

	walkDone = "~" // above every id
)

// NameNotes adds the references of at most limit notes of before to the table that a database in the new form looks
// them up in. Those of other notes are added with them.
func (s *Store) NameNotes(ctx context.Context, limit int) (looked int, err error) {
	contracted, err := s.contracted(ctx)
	if err != nil || contracted {
		return 0, err
	}
	err = s.inTransaction(ctx, func(tx *sqlx.Tx) error {
		upTo, err := walked(ctx, tx, walkNames)
		if err != nil || upTo == walkDone {
			return err
		}
		var next struct {
			Looked int    `db:"looked"`
			UpTo   string `db:"up_to"`
		}
		err = tx.GetContext(ctx, &next, `
			WITH next AS (
				SELECT id, organization_id, livemode, reference, payload_hash, payload_version FROM notes
				WHERE id > $1 ORDER BY id LIMIT $2
			), named AS (
				INSERT INTO note_references (organization_id, livemode, reference, note_id, payload_hash, payload_version)
				SELECT organization_id, livemode, reference, id, payload_hash, payload_version FROM next
				ON CONFLICT DO NOTHING
			)
			SELECT count(*) AS looked, coalesce(max(id), '') AS up_to FROM next`, upTo, limit)
		if err != nil {
			return err
		}
		// It has come to the end though notes are accepted all the time: those name themselves.
		if looked = next.Looked; looked < limit {
			next.UpTo = walkDone
		}
		_, err = tx.ExecContext(ctx, advanceRetention, walkNames, next.UpTo)
		return err
	})
	return looked, err
}

// notesNamed says what is left to do of NameNotes, in words; empty where it is done.
func (s *Store) notesNamed(ctx context.Context) (left string, err error) {
	var done bool
	err = s.db.GetContext(ctx, &done, `SELECT NOT EXISTS (SELECT FROM notes)
		OR EXISTS (SELECT FROM retention_progress WHERE what = $1 AND up_to = $2)`, walkNames, walkDone)
	if err == nil && !done {
		left = "the references of the notes are being added by the workers' maintenance"
	}
	return left, err
}

// walked is the last note that a walk has looked at. It locks the record.
func walked(ctx context.Context, tx *sqlx.Tx, walk string) (upTo string, err error) {
	return retentionProgress(ctx, tx, copies{what: walk, keyType: `text`})
}

// PackDocuments packs what is stored of at most limit notes that were there before the database had its new form: each
// document is then stored once. looked is how many notes it looked at.
func (s *Store) PackDocuments(ctx context.Context, limit int) (looked int, err error) {
	var ids []string
	err = s.inTransaction(ctx, func(tx *sqlx.Tx) error {
		upTo, err := walked(ctx, tx, walkPacking)
		if err != nil || upTo == walkDone {
			return err
		}
		var until time.Time
		if err := tx.GetContext(ctx, &until, `SELECT coalesce(contracted_at, 'epoch') FROM storage_form`); err != nil {
			return err
		}
		if until.Unix() == 0 {
			return nil
		}
		// Those that are accepted while it gets the form are packed from the start, or here.
		err = tx.SelectContext(ctx, &ids, `SELECT id FROM notes WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3`, upTo,
			nfse.FirstID(nfse.PrefixNote, until.Add(time.Hour)), limit)
		if err == nil && len(ids) == 0 && time.Since(until) > time.Hour {
			_, err = tx.ExecContext(ctx, advanceRetention, walkPacking, walkDone)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	if len(ids) > 0 {
		if looked, err = s.apart(ctx, walkPacking, ids, s.rowTimeout(), s.packNote); looked > 0 {
			if _, failed := s.db.ExecContext(ctx, advanceRetention, walkPacking, ids[looked-1]); failed != nil {
				return looked, failed
			}
		}
		if looked < len(ids) {
			looked = limit // as if full: there are more
		}
	}
	if err != nil {
		return looked, err
	}
	return looked, s.doAside(ctx, walkPacking, func(ctx context.Context, tx *sqlx.Tx, id string) (again bool, err error) {
		return false, s.packNote(ctx, tx, id)
	})
}

// storedBytes is a row with bytes of a note.
type storedBytes struct {
	ID     string `db:"id"`
	Bytes  []byte `db:"bytes"`
	Digest string `db:"digest"` // of a message
	Issued bool   `db:"issued"` // an exchange that has issued the note, or a message of it
}

// isPacked says in SQL what packed.Is does.
func isPacked(column string) string { return `substr(` + column + `, 1, 4) = '\x28b52ffd'` }

// packNote packs all that is stored of a note.
func (s *Store) packNote(ctx context.Context, tx *sqlx.Tx, id string) error {
	var documents, exchanges, messages, events []storedBytes
	for _, part := range []struct {
		rows  *[]storedBytes
		query string
	}{
		{&documents, `SELECT note_id AS id, xml AS bytes FROM note_documents WHERE note_id = $1 AND xml <> ''
			AND (digest IS NULL OR NOT ` + isPacked(`xml`) + `)`},
		{&exchanges, `SELECT id, xml AS bytes, kind = 'issue' AND state = 'accepted' AS issued FROM fiscal_exchanges
			WHERE note_id = $1 AND xml <> '' FOR NO KEY UPDATE`},
		{&messages, `SELECT m.id, m.xml AS bytes, m.digest, f.kind = 'issue' AND f.state = 'accepted' AS issued
			FROM fiscal_messages m JOIN fiscal_exchanges f ON f.id = m.exchange_id WHERE f.note_id = $1 AND m.xml <> ''
			FOR NO KEY UPDATE OF m`},
		{&events, `SELECT id, payload AS bytes FROM events WHERE note_id = $1 AND payload <> ''
			AND (payload_digest IS NULL OR NOT ` + isPacked(`payload`) + `) FOR NO KEY UPDATE`},
	} {
		if err := tx.SelectContext(ctx, part.rows, part.query, id); err != nil {
			return err
		}
	}
	var document []byte
	for _, row := range documents {
		plain, err := s.unpack(ctx, row.Bytes)
		if err != nil {
			return err
		}
		document = plain
		stored, err := s.pack(ctx, plain)
		if err != nil {
			return err
		}
		digest := sha256.Sum256(plain)
		if _, err := tx.ExecContext(ctx, `SELECT pack_document($1, $2, $3, $4)`, row.ID, row.Bytes, stored,
			digest[:]); err != nil {
			return err
		}
	}
	for _, row := range exchanges {
		stored, err := s.packOther(ctx, row, func(plain []byte) bool { return bytes.Equal(document, plain) })
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE fiscal_exchanges SET xml = $2 WHERE id = $1`, row.ID, stored); err != nil {
			return err
		}
	}
	for _, row := range messages {
		stored, err := s.packOther(ctx, row, func(plain []byte) bool {
			return embeds(document, fiscal.Message{XML: plain, Digest: row.Digest})
		})
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE fiscal_messages SET xml = $2, embedded = $3 WHERE id = $1`, row.ID, stored,
			len(stored) == 0); err != nil {
			return err
		}
	}
	for _, row := range events {
		body, err := s.unpack(ctx, row.Bytes)
		if err != nil {
			return err
		}
		stored, err := s.packEvent(body)
		if err != nil {
			return err
		}
		digest := sha256.Sum256(body)
		if _, err := tx.ExecContext(ctx, `UPDATE events SET payload = $2, payload_digest = $3 WHERE id = $1`, row.ID,
			stored, digest[:]); err != nil {
			return err
		}
	}
	return nil
}

// packOther packs bytes beside the document of a note; empty where the document has them.
func (s *Store) packOther(ctx context.Context, row storedBytes, inDocument func(plain []byte) bool) ([]byte, error) {
	plain, err := s.unpack(ctx, row.Bytes)
	if err != nil {
		return nil, err
	}
	if row.Issued && inDocument(plain) {
		return []byte{}, nil
	}
	return s.pack(ctx, plain)
}
