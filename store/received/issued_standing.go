package received

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/notes"
	"emissor/store/outbox"
)

// PolledDocument is an issued document whose standing is to be asked for.
type PolledDocument struct {
	ExchangeID     int64              `db:"id"`
	NoteID         string             `db:"note_id"`
	OrganizationID string             `db:"organization_id"`
	Number         string             `db:"authority_number"` // that the authority gave it
	Profile        nfse.FiscalProfile // it was issued by
}

// UnreadDocument is a document whose profile it was issued by cannot be read.
type UnreadDocument struct {
	PolledDocument
	Problem error
}

// DocumentsToPoll lists documents of an authority whose standing is to be asked for now,
// ordered by issuer, at most limit of them. Documents that cannot be asked about, as their
// profile cannot be read, are in unread.
func (s *Store) DocumentsToPoll(ctx context.Context, authority string, limit int) (due []PolledDocument,
	unread []UnreadDocument, err error) {
	var rows []struct {
		PolledDocument
		Encoded []byte `db:"profile"`
	}
	err = s.db.All(ctx, &rows, `
		SELECT * FROM (
			SELECT f.id, f.note_id, n.organization_id, f.authority_number, `+notes.ExchangeProfile+` AS profile
			FROM fiscal_exchanges f JOIN notes n ON n.id = f.note_id
			WHERE f.authority = $1 AND f.poll_standing_at <= now() AND f.authority_number IS NOT NULL
			ORDER BY f.poll_standing_at LIMIT $2) due
		ORDER BY organization_id, profile ->> 'tax_id', profile ->> 'municipal_registration', id`, authority, limit)
	for _, row := range rows {
		if problem := json.Unmarshal(row.Encoded, &row.Profile); problem != nil {
			unread = append(unread, UnreadDocument{row.PolledDocument, problem})
			continue
		}
		due = append(due, row.PolledDocument)
	}
	return due, unread, err
}

// PostponeStanding has the standing of a document asked for later, as it could not be now.
func (s *Store) PostponeStanding(ctx context.Context, document PolledDocument, after time.Duration) error {
	_, err := s.db.Exec(ctx, `UPDATE fiscal_exchanges SET poll_standing_at = now() + make_interval(secs => $2)
		WHERE id = $1 AND poll_standing_at IS NOT NULL`, document.ExchangeID, after.Seconds())
	return err
}

// SaveStandings stores what the authority said of documents of one issuer, and returns how
// many of them were cancelled outside. Those that stand are asked about again after every,
// those that it said nothing of sooner, until duration after they were issued. A document
// that was cancelled outside is an event of its note, whose run is woken up.
func (s *Store) SaveStandings(ctx context.Context, asked []PolledDocument, found fiscal.Standings,
	every, duration time.Duration) (cancelled int, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		cancelled = 0
		for _, document := range asked {
			cancellation, isCancelled := found.Cancelled[document.Number]
			if isCancelled {
				fresh, err := saveFoundCancellation(ctx, tx, document, cancellation)
				if err != nil {
					return err
				}
				cancelled += fresh
				continue
			}
			after := every / 4
			for _, number := range found.Standing {
				if number == document.Number {
					after = every
				}
			}
			if _, err := tx.ExecContext(ctx, `
				UPDATE fiscal_exchanges e SET poll_standing_at = CASE WHEN n.status = 'issued'
					AND e.issued_at + make_interval(secs => $3) > now() THEN now() + make_interval(secs => $2) END
				FROM notes n WHERE n.id = e.note_id AND e.id = $1`,
				document.ExchangeID, after.Seconds(), duration.Seconds()); err != nil {
				return err
			}
		}
		return nil
	})
	return cancelled, err
}

// saveFoundCancellation stores that a document was cancelled outside, unless it was
// cancelled here. The document is not asked about any more.
func saveFoundCancellation(ctx context.Context, tx *sqlx.Tx, document PolledDocument,
	found fiscal.FoundCancellation) (fresh int, err error) {
	at, content := found.At, found.Document
	if at.IsZero() {
		at = time.Now()
	}
	hash := sha256.Sum256(content)
	err = tx.GetContext(ctx, &fresh, `
		WITH asked AS (
			UPDATE fiscal_exchanges SET poll_standing_at = CASE WHEN EXISTS (SELECT FROM notes
				WHERE id = $2 AND status = 'processing') THEN now() + interval '1 hour' END WHERE id = $1
		), found AS (
			INSERT INTO external_events (position, access_key, type, title, effect, happened_at, content,
				content_hash, note_id)
			SELECT 0, coalesce(access_key, ''), 'asked', $6::jsonb, 'cancels', $3, $4, $5, id
			FROM notes WHERE id = $2 AND status = 'issued'
			ON CONFLICT DO NOTHING
			RETURNING note_id
		), told AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
			SELECT 'resume', id, organization_id, livemode, reference FROM notes
			WHERE id IN (SELECT note_id FROM found) `+outbox.AskAgain+`
		)
		SELECT count(*) FROM found`, document.ExchangeID, document.NoteID, nfse.Timestamp{Time: at}, content, hash[:],
		fact.ExternalFoundCancelled.Fact())
	return fresh, err
}
