package operate

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/store/lifecycle"
	"emissor/store/numbers"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// RecoveredState says what became of a document of which the database knew nothing.
type RecoveredState string

// The states of recovered documents.
const (
	// RecoveredTakenOver is a document whose note has it now, or will after its next question.
	RecoveredTakenOver RecoveredState = "taken_over"
	// RecoveredMissing is a document whose note is not on record: a person decides.
	RecoveredMissing RecoveredState = "missing"
	// RecoveredUnclear is a document of a note that cannot take it as it stands: a person decides.
	RecoveredUnclear RecoveredState = "unclear"
	// RecoveredLeft is a document that a person has left as it is.
	RecoveredLeft RecoveredState = "left"
)

// RecoveredDocument is a document that an authority has under a number of which the database knew nothing
// when it was checked.
type RecoveredDocument struct {
	nfse.SeriesKey
	Number          int64           `db:"number" json:"number"`
	State           RecoveredState  `db:"state" json:"state"`
	NoteID          *string         `db:"note_id" json:"note_id"`
	CorrelationID   string          `db:"correlation_id" json:"correlation_id"`
	AccessKey       string          `db:"access_key" json:"access_key"`
	AuthorityNumber string          `db:"authority_number" json:"authority_number"`
	Taker           string          `db:"taker" json:"taker"`
	TakerTaxID      string          `db:"taker_tax_id" json:"taker_tax_id"`
	AmountCents     *int64          `db:"amount_cents" json:"amount_cents"`
	Competence      *nfse.Day       `db:"competence" json:"competence"`
	FoundAt         nfse.Timestamp  `db:"found_at" json:"found_at"`
	DecidedAt       *nfse.Timestamp `db:"decided_at" json:"decided_at"`
}

// Undecided reports whether a person is to decide about it.
func (d RecoveredDocument) Undecided() bool {
	return d.State == RecoveredMissing || d.State == RecoveredUnclear
}

const recoveredColumns = companies.SeriesColumns +
	`, number, state, note_id, correlation_id, access_key, authority_number,
	taker, taker_tax_id, amount_cents, competence, found_at, decided_at`

// RecoveredDocuments lists them, of the issuers that an organization may use or, with an empty one, all.
func (s *Store) RecoveredDocuments(ctx context.Context, organizationID string) ([]RecoveredDocument, error) {
	all := []RecoveredDocument{}
	err := s.db.All(ctx, &all, `SELECT `+recoveredColumns+` FROM recovered_documents d
		WHERE $1 = '' OR `+companies.Claimed(`$1`, `d.authority`, `d.production`, `d.tax_id`)+`
		ORDER BY `+companies.SequenceColumns+`, number`, organizationID)
	return all, err
}

// SaveRecovered stores a document that was found under a number of a sequence, and gives it to its note
// where that is certain: the note is on record, has not ended, and the document embeds a declaration
// that names it. The declaration is then that of the note's exchange, and the next step is a question,
// which ends the note by the document. A document of a message that is on record was not lost: nothing is
// stored of it, and the state is empty.
func (s *Store) SaveRecovered(ctx context.Context, series nfse.SeriesKey, number int64, found fiscal.FoundDocument,
	certificateID string) (state RecoveredState, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		var known bool
		err := tx.GetContext(ctx, &known, `SELECT EXISTS (SELECT FROM fiscal_exchanges e
			JOIN fiscal_messages m ON m.exchange_id = e.id
			WHERE e.kind = 'issue' AND `+companies.ThisSequence+` AND e.number = $6 AND m.digest = $7 AND $7 <> '')`,
			companies.SequenceArguments(series, number, found.Message.Digest)...)
		if err != nil || known {
			return err
		}
		note, err := recoveredNote(ctx, tx, series, found)
		if err != nil {
			return err
		}
		state = RecoveredMissing
		if note != nil {
			state = RecoveredUnclear
			taken, err := takeOver(ctx, tx, series, number, *note, found.Message, certificateID)
			if err != nil {
				return err
			}
			if taken {
				state, found.Taker, found.TakerTaxID = RecoveredTakenOver, "", ""
			}
		}
		return insertRecovered(ctx, tx, series, number, state, note, found)
	})
	return state, err
}

// noteOfDocument is what is known of the note whose a document may be.
type noteOfDocument struct {
	ID             string   `db:"id"`
	OrganizationID string   `db:"organization_id"`
	Competence     nfse.Day `db:"competence"`
	Open           bool     `db:"open"`
}

const noteOfDocumentColumns = `n.id, n.organization_id, n.competence,
	n.status IN ('queued', 'processing') AS open`

// recentlyAccepted is how long before its document a note that has ended by now was accepted at most.
const recentlyAccepted = 48 * time.Hour

// recoveredNote is the note that a document names, of an organization that may use the issuer: one that has
// not ended, or else one that was accepted not long before. It is nil where none is on record.
func recoveredNote(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey, found fiscal.FoundDocument) (
	*noteOfDocument, error) {
	if !found.Read || len(found.CorrelationID) < minCorrelationID {
		return nil, nil
	}
	const named = `SELECT ` + noteOfDocumentColumns + ` FROM tax_id_claims k
			JOIN notes n ON n.organization_id = k.organization_id AND n.livemode
		WHERE (k.authority, k.production, k.tax_id) = ($1, $2, $3) AND right(n.id, 20) = $4 AND `
	issued := found.Document.Authorization.IssuedAt.Time
	for _, query := range []struct {
		which     string
		arguments []any
	}{
		{`n.status IN ('queued', 'processing')`, nil},
		{`n.id BETWEEN $5 AND $6`, []any{nfse.FirstID(nfse.PrefixNote, issued.Add(-recentlyAccepted)),
			nfse.FirstID(nfse.PrefixNote, issued.Add(time.Hour))}},
	} {
		var note noteOfDocument
		err := tx.GetContext(ctx, &note, named+query.which+` LIMIT 1`,
			append(companies.IssuerArguments(series.IssuerKey, found.CorrelationID), query.arguments...)...)
		if !errors.Is(err, sql.ErrNoRows) {
			return &note, err
		}
	}
	return nil, nil
}

// minCorrelationID is the length of a correlation id that names one note: see fiscal.CorrelationID.
const minCorrelationID = 20

// takeOver gives a number of a sequence, under which the authority has a document, to the document's note, with the
// message that was sent; without one the message is signed again before the authority is asked. It reports false, and
// changes nothing, where the note has ended, or has sent something under another number.
func takeOver(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey, number int64, note noteOfDocument,
	message fiscal.Message, certificateID string) (taken bool, err error) {
	if !note.Open || message.ID != "" && (message.Digest == "" || message.XML == nil) {
		return false, nil
	}
	profile, err := sequenceProfile(ctx, tx, series, note)
	if err != nil {
		return false, err
	}
	if may, err := mayTakeOver(ctx, tx, series, number, note.ID); err != nil || !may {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE fiscal_exchanges SET state = 'unused', updated_at = now()
		WHERE note_id = $6 AND `+underWay+` AND NOT (`+companies.ThisSequence+` AND number = $7)`,
		companies.SequenceArguments(series, note.ID, number)...); err != nil {
		return false, err
	}
	var exchangeID int64
	err = tx.GetContext(ctx, &exchangeID, `
		WITH known AS (
			UPDATE fiscal_exchanges SET `+recoveredExchange+`
			WHERE note_id = $6 AND `+underWay+` AND `+companies.ThisSequence+` AND number = $7
			RETURNING id
		), added AS (
			INSERT INTO fiscal_exchanges (note_id, kind, `+companies.SequenceColumns+
		`, number, profile, state, message_id, ambiguous,
				ambiguous_since, last_sent_at, takes_turns)
			SELECT $6, 'issue', $1, $2, $3, $4, $5, $7, $9, 'in_doubt', nullif($8, ''), true, clock_timestamp(),
				clock_timestamp(), $8 = ''
			WHERE NOT EXISTS (SELECT FROM fiscal_exchanges WHERE note_id = $6 AND kind = 'issue'
					AND state NOT IN ('number_conflict', 'unused', 'spent'))
				AND NOT EXISTS (SELECT FROM fiscal_exchanges WHERE kind = 'issue' AND `+companies.ThisSequence+
		` AND number = $7)
			RETURNING id
		)
		SELECT id FROM known UNION ALL SELECT id FROM added`,
		companies.SequenceArguments(series, note.ID, number, message.ID, string(profile))...)
	if err != nil {
		return false, postgres.NoRow(err, nil)
	}
	if message.ID != "" {
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO fiscal_messages (exchange_id, message_id, layout, digest, xml, certificate_id)
			SELECT $1, $2, $3, $4, $5, $6
			WHERE NOT EXISTS (SELECT FROM fiscal_messages WHERE exchange_id = $1 AND digest = $4)`,
			exchangeID, message.ID, message.Layout, message.Digest, message.XML, certificateID); err != nil {
			return false, err
		}
	}
	_, err = tx.ExecContext(ctx, `
		WITH note AS (
			UPDATE notes SET sent_at = coalesce(sent_at, now()), `+lifecycle.SetBegun+`, held_reason = NULL, `+
		outbox.RequeueLater+`
			WHERE id = $1 AND status IN ('queued', 'processing')
			RETURNING id, organization_id, livemode, reference
		)
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM note `+outbox.AskAgain, note.ID)
	return true, err
}

// ErrBeingWorkedAt says that a worker has the lease of a note's exchange: what is to be done is tried again.
var ErrBeingWorkedAt = errors.New("a worker is at the note: try again in a moment")

// underWay are exchanges by which a note may still come to a document.
const underWay = `kind = 'issue' AND state IN ('unsigned', 'signed', 'in_doubt')`

// mayTakeOver locks a note's exchanges, and reports whether the note may have a number of a sequence: no other note has
// taken it, and the note has sent nothing under another one and has no document. ErrBeingWorkedAt says that this is not
// known yet.
func mayTakeOver(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey, number int64, noteID string) (bool, error) {
	var is struct {
		Leased   bool `db:"leased"`
		Excluded bool `db:"excluded"`
	}
	err := tx.GetContext(ctx, &is, `
		WITH own AS (
			SELECT state, ambiguous, lease_until > clock_timestamp() AS leased,
				`+companies.ThisSequence+` AND number = $7 AS same
			FROM fiscal_exchanges
			WHERE note_id = $6 AND kind = 'issue' AND state NOT IN ('number_conflict', 'unused', 'spent')
			FOR NO KEY UPDATE
		)
		SELECT coalesce(bool_or(leased), false) AS leased,
			coalesce(bool_or(NOT same AND (ambiguous OR state NOT IN ('unsigned', 'signed'))), false)
				OR EXISTS (SELECT FROM fiscal_exchanges
					WHERE kind = 'issue' AND `+companies.ThisSequence+` AND number = $7 AND note_id <> $6) AS excluded
		FROM own`, companies.SequenceArguments(series, noteID, number)...)
	if err == nil && is.Leased {
		err = ErrBeingWorkedAt
	}
	return !is.Excluded, err
}

// recoveredExchange has an exchange go on by a question: something exists under its number.
const recoveredExchange = `state = 'in_doubt', message_id = coalesce(nullif($8, ''), message_id), ambiguous = true,
	ambiguous_since = coalesce(ambiguous_since, clock_timestamp()), rejection = NULL, disposition = NULL,
	access_key = NULL, not_found = 0, not_found_at = NULL, last_sent_at = clock_timestamp(), updated_at = now()`

// sequenceProfile is the profile by which a note's organization issues under a sequence, encoded.
func sequenceProfile(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey, note noteOfDocument) ([]byte, error) {
	profile, err := companies.DecodeProfile(func(target any) error {
		return tx.GetContext(ctx, target, `SELECT profile FROM fiscal_profiles WHERE organization_id = $1`,
			note.OrganizationID)
	})
	if err != nil {
		return nil, err
	}
	profile = profile.On(note.Competence)
	profile.Authority, profile.Production, profile.TaxID = series.Authority, series.Production, series.TaxID
	profile.MunicipalityCode, profile.Series = series.MunicipalityCode, series.Series
	return nfse.Marshal(profile)
}

func insertRecovered(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey, number int64, state RecoveredState,
	note *noteOfDocument, found fiscal.FoundDocument) error {
	var noteID, amount, competence any
	if note != nil {
		noteID = note.ID
	}
	if found.AmountCents > 0 {
		amount = found.AmountCents
	}
	if _, err := time.Parse(time.DateOnly, string(found.Competence)); err == nil {
		competence = string(found.Competence)
	}
	accessKey, authorityNumber := "", ""
	if document := found.Document; document != nil {
		accessKey, authorityNumber = document.AccessKey, nfse.OrEmpty(document.Authorization.Number)
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO recovered_documents (`+companies.SeriesColumns+`, number, state, note_id, correlation_id, access_key,
			authority_number, taker, taker_tax_id, amount_cents, competence)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
		ON CONFLICT (`+companies.SequenceColumns+`, number) DO UPDATE
			SET state = EXCLUDED.state, note_id = EXCLUDED.note_id, correlation_id = EXCLUDED.correlation_id,
				access_key = EXCLUDED.access_key, authority_number = EXCLUDED.authority_number, taker = EXCLUDED.taker,
				taker_tax_id = EXCLUDED.taker_tax_id, amount_cents = EXCLUDED.amount_cents, competence = EXCLUDED.competence
			WHERE recovered_documents.`+numbers.Undecided,
		companies.SeriesArguments(series, number, string(state), noteID, found.CorrelationID, accessKey, authorityNumber,
			shortened(found.Taker), shortened(found.TakerTaxID), amount, competence)...)
	return err
}

// SaveUsed stores that an authority has a document under a number of a series, where it does not say whose. Where a
// note of ours has taken the number, it is probably that note's.
func (s *Store) SaveUsed(ctx context.Context, series nfse.SeriesKey, number int64, document string) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO recovered_documents (`+companies.SeriesColumns+`, number, state, note_id, correlation_id, access_key,
			authority_number, taker, taker_tax_id)
		SELECT $1, $2, $3, $4, $5, $6, $7, CASE WHEN e.note_id IS NULL THEN 'missing' ELSE 'unclear' END, e.note_id, '', '',
			$8, '', ''
		FROM (SELECT) one LEFT JOIN fiscal_exchanges e ON e.kind = 'issue'
			AND (`+companies.Qualified(`e`, companies.SequenceColumns)+`) = ($1, $2, $3, $4, $5) AND e.number = $7
		ON CONFLICT DO NOTHING`, companies.SeriesArguments(series, number, document)...)
	return err
}

// shortened is a name of a document from outside, cut to what is worth keeping.
func shortened(name string) string {
	runes := []rune(name)
	return string(runes[:min(len(runes), 150)])
}
