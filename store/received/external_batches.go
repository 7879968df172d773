package received

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/internal/panics"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/lifecycle"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// StoredBatch is what of a batch was new.
type StoredBatch struct {
	Stored  bool // false when the position had changed meanwhile: nothing was stored
	Events  []fiscal.Distributed
	Flagged []fiscal.Distributed // of them, and of documents, those with a problem
	Unknown []UnknownDocument
	Woken   int     // notes whose run is woken up
	Refused []error // each of an entry, or of an earlier event, that the database did not take
}

// UnknownDocument is a document of a series that is numbered here which was not on record.
type UnknownDocument struct {
	AccessKey string
	Series    int
	Number    int64
	NoteID    string // of the note that it belongs to, where that is proved
}

// SaveBatch stores what was distributed after a position, and moves the position, in
// one transaction. A batch may come again: what is on record stays as it is, unless it
// could not be verified before and now can. One that moves nothing is stored with why. An entry that
// the database does not take is flagged and stored as it came, so that it does not stop the others.
func (s *Store) SaveBatch(ctx context.Context, d Distribution, batch fiscal.Batch) (stored StoredBatch, err error) {
	stored, err = s.saveBatchBy(ctx, d, batch, together{})
	if mayBeOneEntrys(d, err) {
		stored, err = s.saveBatchBy(ctx, d, withStorableKeys(batch), apart{})
	}
	if errors.Is(err, errMovedOn) {
		return StoredBatch{}, nil
	}
	return stored, err
}

// batchSaver stores the entries of a batch, and links events, within a transaction.
type batchSaver interface {
	entry(ctx context.Context, tx *sqlx.Tx, d Distribution, item fiscal.Distributed, stored *StoredBatch) (other int,
		err error)
	link(ctx context.Context, tx *sqlx.Tx, d Distribution, batch fiscal.Batch, stored *StoredBatch) error
}

func (s *Store) saveBatchBy(ctx context.Context, d Distribution, batch fiscal.Batch, saver batchSaver,
) (stored StoredBatch, err error) {
	err = panics.Caught(func() error {
		return s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
			stored = StoredBatch{Stored: true}
			return saveBatch(ctx, tx, d, batch, saver, &stored)
		})
	})
	return stored, err
}

func saveBatch(ctx context.Context, tx *sqlx.Tx, d Distribution, batch fiscal.Batch, saver batchSaver,
	stored *StoredBatch) error {
	position, taken, other, known := d.Position, 0, 0, map[string]bool{}
	err := tx.GetContext(ctx, &position, `SELECT position FROM distributions WHERE id = $1 FOR NO KEY UPDATE`, d.ID)
	if err == nil && position != d.Position {
		err = errMovedOn
	}
	if err == nil {
		known, err = knownDocuments(ctx, tx, batch)
	}
	if err != nil {
		return err
	}
	for _, item := range batch.Items {
		position = max(position, item.Position)
		switch {
		case item.Document != nil && !item.Foreign && known[item.AccessKey]:
		default:
			more, err := saver.entry(ctx, tx, d, item, stored)
			if err != nil {
				return err
			}
			if item.Position <= d.Position { // it will come again
				break
			}
			other += more
			if item.Foreign {
				taken++
			}
		}
	}
	if err := saver.link(ctx, tx, d, batch, stored); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE distributions SET position = $2, taken = taken + $3, other = other + $4, asked_at = now(),
			succeeded_at = now(), failures = 0, problem = $5::jsonb,
			problem_since = CASE WHEN $5 IS NOT NULL THEN coalesce(problem_since, now()) END,
			start_after = `+restartAfter+`
		WHERE id = $1`, d.ID, position, taken, other, batch.Reason)
	return err
}

// together is the ordinary batchSaver: the batch fails with the first error.
type together struct{}

// entry stores an event or a document; other is 1 where nothing of it is stored.
func (together) entry(ctx context.Context, tx *sqlx.Tx, d Distribution, item fiscal.Distributed,
	stored *StoredBatch) (other int, err error) {
	switch {
	case item.Foreign:
		return 0, saveReceived(ctx, tx, d, item)
	case item.Document != nil:
		numbered, err := saveDocument(ctx, tx, d, item, stored)
		if err == nil && !numbered {
			other = 1
		}
		return other, err
	case item.Event != nil || !item.Problem.None():
		return 0, saveEvent(ctx, tx, d, item, stored)
	}
	return 1, nil
}

func (together) link(ctx context.Context, tx *sqlx.Tx, d Distribution, batch fiscal.Batch, stored *StoredBatch) error {
	woken, err := linkEvents(ctx, tx, d, batch, nil)
	stored.Woken += woken
	return err
}

// knownDocuments are the documents of a batch whose notes are on record, by access key.
func knownDocuments(ctx context.Context, tx *sqlx.Tx, batch fiscal.Batch) (known map[string]bool, err error) {
	var asked, found []string
	for _, item := range batch.Items {
		if item.Document != nil && !item.Foreign {
			asked = append(asked, item.AccessKey)
		}
	}
	known = map[string]bool{}
	if len(asked) == 0 {
		return known, nil
	}
	err = tx.SelectContext(ctx, &found, `SELECT access_key FROM notes WHERE livemode AND access_key = ANY($1)`,
		pq.Array(asked))
	for _, key := range found {
		known[key] = true
	}
	return known, err
}

// eventOf is what was read of an event, its type and when it happened; these are nil where it could not be read.
func eventOf(item fiscal.Distributed) (event fiscal.ExternalEvent, kind *string, happenedAt *nfse.Timestamp) {
	if item.Event == nil {
		return fiscal.ExternalEvent{Effect: fiscal.EffectNone}, nil, nil
	}
	event = *item.Event
	return event, &event.Type, &nfse.Timestamp{Time: event.HappenedAt}
}

// saveEvent stores an event once. One that was flagged is replaced by one that can be
// verified: the same again, after the settings were corrected, or the real one after a
// forged one.
func saveEvent(ctx context.Context, tx *sqlx.Tx, d Distribution, item fiscal.Distributed, stored *StoredBatch) error {
	event, kind, happenedAt := eventOf(item)
	conflict := `(distribution_id, content_hash) WHERE type IS NULL DO NOTHING`
	if kind != nil {
		conflict = `(distribution_id, access_key, type, sequence) WHERE type IS NOT NULL DO UPDATE SET
			title = EXCLUDED.title, effect = EXCLUDED.effect, reason_code = EXCLUDED.reason_code,
			reason_text = EXCLUDED.reason_text, replacement = EXCLUDED.replacement, digest = EXCLUDED.digest,
			happened_at = EXCLUDED.happened_at,
			content = EXCLUDED.content, content_hash = EXCLUDED.content_hash, problem = NULL,
			received_at = EXCLUDED.received_at
			WHERE external_events.problem IS NOT NULL AND EXCLUDED.problem IS NULL
				AND external_events.applied_at IS NULL`
	}
	hash := sha256.Sum256(item.Content)
	rows, err := postgres.Affected(tx.ExecContext(ctx, `
		INSERT INTO external_events (distribution_id, position, access_key, type, sequence, title, effect, reason_code,
			reason_text, digest, happened_at, content, content_hash, problem, replacement)
		VALUES ($1, $2, $3, $4, $5, $6, $7, nullif($8, ''), nullif($9, ''), $10, $11, $12, $13, $14, nullif($15, ''))
		ON CONFLICT `+conflict,
		d.ID, item.Position, item.AccessKey, kind, event.Sequence, item.Title, string(event.Effect), event.ReasonCode,
		event.ReasonText, event.Digest, happenedAt, item.Content, hash[:], item.Problem, event.Replacement))
	if err != nil || rows == 0 {
		return err
	}
	stored.Events = append(stored.Events, item)
	if item.Problem.None() {
		return nil
	}
	stored.Flagged = append(stored.Flagged, item)
	var noteID string
	err = tx.GetContext(ctx, &noteID, `SELECT id FROM notes WHERE livemode AND access_key = $1`, item.AccessKey)
	if err != nil {
		return postgres.NoRow(err, nil)
	}
	return lifecycle.SaveAlarm(ctx, tx, noteID, fact.ExternalNotApplied.With("title", item.Title, "why", item.Problem))
}

// lookForDocument looks for a document's series, for the document itself, and for its
// note, which its digest or its correlation id proves.
const (
	sameSeries = `e.kind = 'issue' AND ` + companies.ThisSequence

	lookForDocument = `
		SELECT EXISTS (SELECT FROM fiscal_sequences q
				WHERE ` + companies.ThisSequence + `
					AND $6 >= coalesce((SELECT min(e.number) FROM fiscal_exchanges e WHERE ` + sameSeries + `),
						q.last_number + 1)) AS numbered,
			EXISTS (SELECT FROM fiscal_exchanges e JOIN fiscal_messages m ON m.exchange_id = e.id
					WHERE ` + sameSeries + ` AND e.number = $6 AND m.digest = $8
						AND (e.state IN ('in_doubt', 'accepted') OR e.lease_until > clock_timestamp()))
				OR EXISTS (SELECT FROM external_documents o
					WHERE o.distribution_id = $10 AND o.access_key = $7) AS known,
			(SELECT min(e.note_id) FROM fiscal_exchanges e JOIN fiscal_messages m ON m.exchange_id = e.id
				WHERE ` + sameSeries + ` AND e.number = $6 AND m.digest = $8 AND $8 <> '') AS by_digest,
			(SELECT min(n.id) FROM notes n JOIN ` + companies.IssuingProfiles + ` p ON p.organization_id = n.organization_id
				WHERE n.status IN ('queued', 'processing') AND n.livemode AND $9 <> '' AND right(n.id, 20) = $9
					AND p.authority = $1 AND p.profile ->> 'tax_id' = $3) AS by_id`
)

// saveDocument stores a document of the issuer's own that is not on record. numbered is
// false when its series is not numbered here, or its number was taken by the program
// whose series is continued here.
func saveDocument(ctx context.Context, tx *sqlx.Tx, d Distribution, item fiscal.Distributed,
	stored *StoredBatch) (numbered bool, err error) {
	var known struct {
		Numbered bool    `db:"numbered"`
		Known    bool    `db:"known"`
		ByDigest *string `db:"by_digest"`
		ByID     *string `db:"by_id"`
	}
	document := *item.Document
	err = tx.GetContext(ctx, &known, lookForDocument,
		d.Authority, d.Production, string(d.TaxID), document.MunicipalityCode, document.Series, document.Number,
		item.AccessKey, document.Digest, document.CorrelationID, d.ID)
	if err == nil && known.ByDigest != nil && document.SignatureProblem().None() {
		_, err = tx.ExecContext(ctx, `INSERT INTO distributed_notes (note_id, distribution_id, position)
			VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, *known.ByDigest, d.ID, item.Position)
	}
	if err != nil || !known.Numbered || known.Known {
		return known.Numbered, err
	}
	noteID, linkedBy := known.ByDigest, "digest"
	if noteID == nil {
		noteID, linkedBy = known.ByID, "correlation_id"
	}
	var proof *string
	item.Problem = document.SignatureProblem()
	switch {
	case !item.Problem.None(): // it proves nothing
		noteID = nil
	case noteID != nil:
		proof = &linkedBy
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO external_documents (distribution_id, position, access_key, message_id, series, number, digest,
			correlation_id, note_id, linked_by, xml, problem)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		d.ID, item.Position, item.AccessKey, document.MessageID, document.Series, document.Number, document.Digest,
		document.CorrelationID, noteID, proof, item.Content, item.Problem)
	if err != nil {
		return true, err
	}
	unknown := UnknownDocument{AccessKey: item.AccessKey, Series: document.Series, Number: document.Number}
	if !item.Problem.None() {
		stored.Flagged = append(stored.Flagged, item)
	}
	if noteID != nil {
		unknown.NoteID = *noteID
		err = lifecycle.SaveAlarm(ctx, tx, *noteID, fact.ExternalDocumentNotOnRecord.With("number", document.Number,
			"series", document.Series, "access_key", item.AccessKey))
	}
	stored.Unknown = append(stored.Unknown, unknown)
	return true, err
}

// linkEvents links events to the notes that have their access key by now, and wakes up
// the run of each note that has something to apply. Only a settled note has its access
// key, so that what happened outside is applied after its own end; an event without a note
// for two months is another system's. While batches are full only a batch's own events are
// looked at: an issuer who comes from another system has very many, none of which has a
// note. Where some are given only these are linked.
func linkEvents(ctx context.Context, tx *sqlx.Tx, d Distribution, batch fiscal.Batch, some []int64) (woken int,
	err error) {
	_, err = tx.ExecContext(ctx, `
		UPDATE external_events e SET note_id = n.id
		FROM notes n
		WHERE `+linkable+` AND ($5::bigint[] IS NULL OR e.id = ANY($5))`,
		d.ID, d.Production, batch.Full, pq.Array(keysOf(batch)), pq.Array(some))
	if err != nil {
		return 0, err
	}
	return postgres.Affected(tx.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', n.id, n.organization_id, n.livemode, n.reference FROM notes n
		WHERE n.id IN (SELECT note_id FROM external_events
			WHERE `+applicable+` AND ($2::bigint[] IS NULL OR id = ANY($2)))
		ORDER BY n.id `+outbox.AskAgain, d.ID, pq.Array(some)))
}

const (
	// linkable are events e of a distribution, and the notes n that they are about.
	linkable = `e.distribution_id = $1 AND e.note_id IS NULL AND e.type IS NOT NULL
		AND e.received_at > now() - interval '60 days' AND (NOT $3 OR e.access_key = ANY($4))
		AND n.livemode AND n.access_key = e.access_key
		AND EXISTS (SELECT FROM fiscal_exchanges f WHERE f.note_id = n.id AND f.kind = 'issue'
			AND f.state = 'accepted' AND f.production = $2)`

	// applicable are events of a distribution that their notes have not applied.
	applicable = `distribution_id = $1 AND note_id IS NOT NULL AND applied_at IS NULL AND problem IS NULL
		AND NOT (effect = 'replaces' AND EXISTS (SELECT FROM notes r WHERE r.id = note_id
			AND r.replaced_by IS NOT NULL AND r.status = 'issued'))`
)

func keysOf(batch fiscal.Batch) (keys []string) {
	for _, item := range batch.Items {
		keys = append(keys, item.AccessKey)
	}
	return keys
}
