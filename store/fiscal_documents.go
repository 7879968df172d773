package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/nfse"
)

// DocumentState is where a fiscal document stands: the words of fiscal.State.
type DocumentState string

// The states that statements name.
const (
	DocumentNumbered DocumentState = "numbered"
	DocumentReady    DocumentState = "ready"
	DocumentAsking   DocumentState = "asking"
	DocumentIssued   DocumentState = "issued"
	DocumentRejected DocumentState = "rejected"
	DocumentTaken    DocumentState = "taken"
)

// FiscalDocument is a number taken for a note, and what became of it.
type FiscalDocument struct {
	ID               int64           `db:"id"`
	NoteID           string          `db:"note_id"`
	Authority        string          `db:"authority"`
	Number           int64           `db:"number"`
	State            DocumentState   `db:"state"`
	DocumentID       *string         `db:"document_id"` // at the authority; nil before the first rendering
	Layout           string          `db:"layout"`      // that an answer asked for
	Doubtful         bool            `db:"doubtful"`
	SinceSent        time.Duration   `db:"since_sent"` // by the database's clock; 0 when nothing was sent
	AccessKey        *string         `db:"access_key"`
	AuthorityNumber  *string         `db:"authority_number"`
	VerificationCode *string         `db:"verification_code"`
	IssuedAt         *nfse.Timestamp `db:"issued_at"`
	XML              []byte          `db:"xml"`
	Treatment        string          `db:"refusal_treatment"`
	Renderings       int             `db:"renderings"`

	Profile nfse.FiscalProfile // of the organization when the number was taken
	Refusal *nfse.Rejection    // the last
}

type documentRow struct {
	FiscalDocument
	Profile []byte `db:"profile"`
	Refusal []byte `db:"refusal"`
}

const documentColumns = `id, note_id, authority, number, state, document_id, layout, doubtful,
	coalesce(extract(epoch FROM clock_timestamp() - last_sent_at) * 1000000000, 0)::bigint AS since_sent,
	access_key, authority_number, verification_code, issued_at, xml, coalesce(refusal_treatment, '') AS refusal_treatment,
	(SELECT count(*) FROM fiscal_renderings r WHERE r.document_id = fiscal_documents.id) AS renderings, profile, refusal`

func (r documentRow) document() (FiscalDocument, error) {
	document := r.FiscalDocument
	err := json.Unmarshal(r.Profile, &document.Profile)
	if r.Refusal != nil {
		err = errors.Join(err, json.Unmarshal(r.Refusal, &document.Refusal))
	}
	return document, err
}

func (s *Store) currentDocument(ctx context.Context, noteID string) (FiscalDocument, error) {
	var row documentRow
	if err := s.db.GetContext(ctx, &row, `SELECT `+documentColumns+` FROM fiscal_documents
		WHERE note_id = $1 AND state <> 'taken'`, noteID); err != nil {
		return FiscalDocument{}, err
	}
	return row.document()
}

// TakeNumber takes the next number of the profile's sequence for a note, in one
// statement: no number without a document that tells what became of it, and none
// skipped. A note that has a document already, or is not to be issued, takes
// none.
func (s *Store) TakeNumber(ctx context.Context, noteID string, profile nfse.FiscalProfile) (taken bool, err error) {
	encoded, err := nfse.Marshal(profile)
	if err != nil {
		return false, err
	}
	rows, err := affected(s.db.ExecContext(ctx, `
		WITH note AS (
			SELECT id FROM notes
			WHERE id = $1 AND livemode AND status = 'processing' AND `+notCancelledFirst+`
				AND NOT EXISTS (SELECT FROM fiscal_documents WHERE note_id = $1 AND state <> 'taken')
			FOR NO KEY UPDATE
		), sequence AS (
			INSERT INTO fiscal_sequences (authority, production, issuer, municipality_code, series, last_number)
			SELECT $2, $3, $4, $5, $6, 1 FROM note
			ON CONFLICT (authority, production, issuer, municipality_code, series)
				DO UPDATE SET last_number = fiscal_sequences.last_number + 1
			RETURNING last_number
		)
		INSERT INTO fiscal_documents (note_id, authority, production, issuer, municipality_code, series, number, profile)
		SELECT note.id, $2, $3, $4, $5, $6, last_number, $7 FROM note, sequence`,
		noteID, profile.Authority, profile.Production, profile.TaxID, profile.MunicipalityCode, profile.Series, string(encoded)))
	if refusal := pq.As(err, pqerror.UniqueViolation); refusal != nil && refusal.Constraint == "fiscal_documents_current" {
		return false, nil // another run of the note was faster, and the sequence was rolled back
	}
	return rows > 0, err
}

// SetNextNumber lets the profile's sequence go on from a number: for a company
// that continues the series of another program. It never goes back to one that
// was taken, which is an error.
func (s *Store) SetNextNumber(ctx context.Context, profile nfse.FiscalProfile, number int64) error {
	set, err := affected(s.db.ExecContext(ctx, `
		INSERT INTO fiscal_sequences (authority, production, issuer, municipality_code, series, last_number)
		VALUES ($1, $2, $3, $4, $5, $6::bigint - 1)
		ON CONFLICT (authority, production, issuer, municipality_code, series) DO UPDATE SET last_number = EXCLUDED.last_number
			WHERE fiscal_sequences.last_number <= EXCLUDED.last_number`,
		profile.Authority, profile.Production, profile.TaxID, profile.MunicipalityCode, profile.Series, number))
	if err == nil && set == 0 {
		err = nfse.Invalid("next_number", "numbers from %d on are taken in this series", number)
	}
	return err
}

// TakenNumbers counts the numbers of the profile's sequence that the note took
// and found in use by another system.
func (s *Store) TakenNumbers(ctx context.Context, noteID string, profile nfse.FiscalProfile) (taken int, err error) {
	err = s.db.GetContext(ctx, &taken, `
		SELECT count(*) FROM fiscal_documents WHERE note_id = $1 AND state = 'taken'
			AND (authority, production, issuer, municipality_code, series) = ($2, $3, $4, $5, $6)`,
		noteID, profile.Authority, profile.Production, profile.TaxID, profile.MunicipalityCode, profile.Series)
	return taken, err
}

// Rendering is a signed document as it is sent.
type Rendering struct {
	DocumentID    string `db:"document_id"` // at the authority
	Layout        string `db:"layout"`
	Digest        string `db:"digest"`
	XML           []byte `db:"xml"`
	CertificateID string `db:"certificate_id"`
}

// SaveRendering keeps a rendering of a numbered document, which may then be
// sent. A document that has moved on keeps what it has.
func (s *Store) SaveRendering(ctx context.Context, documentID int64, rendering Rendering) error {
	_, err := s.db.ExecContext(ctx, `
		WITH rendered AS (
			UPDATE fiscal_documents SET state = 'ready', document_id = $2, refusal = NULL, refusal_treatment = NULL, updated_at = now()
			WHERE id = $1 AND state = 'numbered'
			RETURNING id
		)
		INSERT INTO fiscal_renderings (document_id, layout, digest, xml, certificate_id)
		SELECT id, $3, $4, $5, $6 FROM rendered`,
		documentID, rendering.DocumentID, rendering.Layout, rendering.Digest, rendering.XML, rendering.CertificateID)
	return err
}

// LastRendering is the one that is sent.
func (s *Store) LastRendering(ctx context.Context, documentID int64) (Rendering, error) {
	var rendering Rendering
	err := s.db.GetContext(ctx, &rendering, `
		SELECT d.document_id, r.layout, r.digest, r.xml, r.certificate_id
		FROM fiscal_renderings r JOIN fiscal_documents d ON d.id = r.document_id
		WHERE r.document_id = $1 ORDER BY r.id DESC LIMIT 1`, documentID)
	return rendering, err
}

// IsOurs reports whether a digest is that of one of the document's renderings.
func (s *Store) IsOurs(ctx context.Context, documentID int64, digest string) (ours bool, err error) {
	err = s.db.GetContext(ctx, &ours,
		`SELECT EXISTS (SELECT FROM fiscal_renderings WHERE document_id = $1 AND digest = $2)`, documentID, digest)
	return ours, err
}

// Lease makes its holder the only sender of a document or cancellation.
type Lease struct {
	Token uuid.UUID
	For   time.Duration
}

// LeaseDocument gives the lease of a note's document to one sender, who may take
// it again. ok is false while another holds it, or there is nothing to send or
// ask.
func (s *Store) LeaseDocument(ctx context.Context, noteID string, lease Lease) (document FiscalDocument, ok bool, err error) {
	var row documentRow
	err = s.db.GetContext(ctx, &row, `
		UPDATE fiscal_documents SET lease_token = $2, lease_until = clock_timestamp() + make_interval(secs => $3)
		WHERE note_id = $1 AND state IN ('ready', 'asking')
			AND (lease_token IS NULL OR lease_token = $2 OR lease_until <= clock_timestamp())
		RETURNING `+documentColumns, noteID, lease.Token, lease.For.Seconds())
	if errors.Is(err, sql.ErrNoRows) {
		return FiscalDocument{}, false, nil
	}
	if err != nil {
		return FiscalDocument{}, false, err
	}
	document, err = row.document()
	return document, err == nil, err
}

// ReleaseDocument gives the lease back.
func (s *Store) ReleaseDocument(ctx context.Context, noteID string, lease Lease) error {
	_, err := s.db.ExecContext(ctx, `UPDATE fiscal_documents SET lease_token = NULL, lease_until = NULL
		WHERE note_id = $1 AND lease_token = $2`, noteID, lease.Token)
	return err
}

// StartSending records, before the first byte leaves, that a document may exist
// from now on, and fences the note: from here it is not cancelled without the
// authority. ok is false when the lease is lost or a cancellation came first; then
// nothing may be sent.
func (s *Store) StartSending(ctx context.Context, document FiscalDocument, lease Lease) (callID int64, ok bool, err error) {
	err = s.db.GetContext(ctx, &callID, `
		WITH note AS (
			SELECT id FROM notes WHERE id = $2 AND status = 'processing' AND `+notCancelledFirst+` FOR NO KEY UPDATE
		), mine AS (
			SELECT id FROM fiscal_documents
			WHERE id = $1 AND state = 'ready' AND lease_token = $3 AND lease_until > clock_timestamp() AND EXISTS (SELECT FROM note)
			FOR NO KEY UPDATE
		), fenced AS (
			UPDATE notes SET sent_at = coalesce(sent_at, now()), `+requeueLater+`
			WHERE id IN (SELECT id FROM note) AND EXISTS (SELECT FROM mine)
		), document AS (
			UPDATE fiscal_documents SET state = 'asking', doubtful = true, doubtful_since = coalesce(doubtful_since, clock_timestamp()), refusal = NULL, refusal_treatment = NULL,
				last_sent_at = clock_timestamp(), updated_at = now()
			WHERE id IN (SELECT id FROM mine)
			RETURNING note_id
		)
		INSERT INTO fiscal_calls (note_id, what) SELECT note_id, 'issue' FROM document
		RETURNING id`, document.ID, document.NoteID, lease.Token)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return callID, err == nil, err
}

// DocumentProgress is what an answer made of a document.
type DocumentProgress struct {
	State         DocumentState
	Doubtful      bool
	Layout        string
	Refusal       *nfse.Rejection
	Treatment     string
	AccessKey     string
	Issued        *nfse.Authorization // when issued
	XML           []byte              // when issued
	NothingExists bool                // the note may be cancelled without the authority again
	Alarm         string              // something a person should look at; kept with the note's steps
}

// SaveProgress ends a call and stores what it made of the document, if the lease
// is still held. ok is false when it is not: the document is then as the call's
// start left it, and the next holder asks. cancelled reports that the note may
// now be cancelled, and is to be.
func (s *Store) SaveProgress(ctx context.Context, document FiscalDocument, lease Lease, call Call, progress DocumentProgress) (ok, cancelled bool, err error) {
	var refusal *string
	if progress.Refusal != nil {
		words, err := nfse.Marshal(progress.Refusal)
		if err != nil {
			return false, false, err
		}
		text := string(words)
		refusal = &text
	}
	var issued nfse.Authorization
	var issuedAt *nfse.Timestamp
	if progress.Issued != nil {
		issued, issuedAt = *progress.Issued, &progress.Issued.IssuedAt
	}
	err = s.inTransaction(ctx, func(tx *sqlx.Tx) error {
		if err := endCall(ctx, tx, call); err != nil {
			return err
		}
		saved, err := affected(tx.ExecContext(ctx, `
			UPDATE fiscal_documents SET state = $3, doubtful = $4, doubtful_since = CASE WHEN $4 THEN doubtful_since END, layout = $5, refusal = $6, refusal_treatment = nullif($7, ''),
				access_key = nullif($8, ''), authority_number = $9, verification_code = $10, issued_at = $11, xml = $12, updated_at = now()
			WHERE id = $1 AND lease_token = $2 AND lease_until > clock_timestamp() AND state IN ('ready', 'asking')`,
			document.ID, lease.Token, progress.State, progress.Doubtful, progress.Layout, refusal, progress.Treatment,
			progress.AccessKey, issued.Number, issued.VerificationCode, issuedAt, progress.XML))
		if ok = saved > 0; err != nil || !ok {
			return err
		}
		if progress.NothingExists {
			err := tx.GetContext(ctx, &cancelled, `UPDATE notes SET sent_at = NULL WHERE id = $1 AND status = 'processing'
				RETURNING cancellation_status IS NOT DISTINCT FROM 'pending'`, document.NoteID)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		return alarm(ctx, tx, document.NoteID, progress.Alarm)
	})
	return ok && err == nil, cancelled, err
}

// alarm keeps what a person should look at with the note, once.
func alarm(ctx context.Context, tx *sqlx.Tx, noteID, what string) error {
	if what == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO note_steps (note_id, what) SELECT $1, $2
		WHERE NOT EXISTS (SELECT FROM note_steps WHERE note_id = $1 AND what = $2)`, noteID, "ALARM: "+what)
	return err
}
