package received

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/store/notes"
	"emissor/store/outbox"
)

// AwaitedEvent is an event of a note that is to come at its authority, and is asked for.
type AwaitedEvent struct {
	ExchangeID     int64         `db:"id"` // because of which it is to come
	NoteID         string        `db:"note_id"`
	OrganizationID string        `db:"organization_id"`
	AccessKey      string        `db:"access_key"`
	Since          time.Duration `db:"since"`
	Over           bool          `db:"over"` // it is on record, or is not asked for any more
	Profile        nfse.FiscalProfile
}

// AnalysesToPoll lists notes of an authority whose city is to be asked now what it has
// decided, those that were asked about longest ago first, at most limit of them. In unread
// are those whose profile cannot be read.
func (s *Store) AnalysesToPoll(ctx context.Context, authority string, limit int) (due, unread []AwaitedEvent,
	err error) {
	return s.awaited(ctx, `
		SELECT f.id, f.note_id, n.organization_id, coalesce(n.access_key, '') AS access_key,
			`+notes.ExchangeProfile+` AS profile, false AS over,
			(extract(epoch FROM now() - n.analysis_since) * 1000000000)::bigint AS since
		FROM fiscal_exchanges f JOIN notes n ON n.id = f.note_id
		WHERE f.authority = $1 AND f.poll_standing_at <= now() AND f.kind = 'analysis' AND n.analysis = 'pending'
		ORDER BY f.poll_standing_at LIMIT $2`, authority, limit)
}

// unconfirmedFor is how long the event of a replacement is asked for.
const unconfirmedFor = `interval '60 days'`

// ReplacementsToConfirm lists notes of an authority that others have replaced here, whose event
// is to be asked for now, unless it is over. It says nothing new: that the other note was issued is
// the proof.
func (s *Store) ReplacementsToConfirm(ctx context.Context, authority string, limit int) (due, unread []AwaitedEvent,
	err error) {
	return s.awaited(ctx, `
		SELECT f.id, o.id AS note_id, o.organization_id, o.access_key, `+notes.ExchangeProfile+` AS profile,
			n.issued_at < now() - `+unconfirmedFor+` OR EXISTS (SELECT FROM external_events x
				WHERE x.note_id = o.id AND x.effect = 'replaces') AS over,
			(extract(epoch FROM now() - n.issued_at) * 1000000000)::bigint AS since
		FROM fiscal_exchanges f JOIN notes n ON n.id = f.note_id JOIN notes o ON o.id = n.replaces
		WHERE f.authority = $1 AND f.poll_standing_at <= now() AND f.kind = 'issue'
		ORDER BY f.poll_standing_at LIMIT $2`, authority, limit)
}

func (s *Store) awaited(ctx context.Context, query string, args ...any) (due, unread []AwaitedEvent, err error) {
	var rows []struct {
		AwaitedEvent
		Encoded []byte `db:"profile"`
	}
	err = s.db.All(ctx, &rows, query, args...)
	for _, row := range rows {
		if json.Unmarshal(row.Encoded, &row.Profile) != nil {
			unread = append(unread, row.AwaitedEvent)
			continue
		}
		due = append(due, row.AwaitedEvent)
	}
	return due, unread, err
}

// PostponeAwaited has an event asked for again in a day; one that is over never.
func (s *Store) PostponeAwaited(ctx context.Context, event AwaitedEvent) error {
	_, err := s.db.Exec(ctx, `UPDATE fiscal_exchanges
		SET poll_standing_at = CASE WHEN NOT $2 THEN now() + `+lifecycle.AwaitedEvery+` END
		WHERE id = $1 AND poll_standing_at IS NOT NULL`, event.ExchangeID, event.Over)
	return err
}

// RecordAlarm records once in a note's history what a person should look at.
func (s *Store) RecordAlarm(ctx context.Context, noteID string, alarm fact.Fact) (fresh bool, err error) {
	rows, err := s.db.Exec(ctx, lifecycle.RecordAlarm, noteID, fact.Alarm.With("what", alarm))
	return rows > 0, err
}

// SaveFoundEvent stores an event of a note that was found by asking, and wakes up the note's
// run to apply it. An event that is on record, or was distributed meanwhile, is stored once:
// fresh is false. One that must not be used makes room for the same that may.
func (s *Store) SaveFoundEvent(ctx context.Context, noteID string, item fiscal.Distributed) (fresh bool, err error) {
	hash, event := sha256.Sum256(item.Content), item.Event
	var stored int
	err = s.db.Get(ctx, &stored, `
		WITH found AS (
			INSERT INTO external_events (position, access_key, type, sequence, title, effect, reason_code, reason_text,
				digest, happened_at, content, content_hash, problem, replacement, note_id)
			SELECT 0, $2, $3, $4, $5::jsonb, $6, nullif($7, ''), nullif($8, ''), $9, $10, $11, $12, $13::jsonb,
				nullif($14, ''), id
			FROM notes WHERE id = $1 AND NOT EXISTS (SELECT FROM external_events o
				WHERE o.note_id = $1 AND o.type = $3 AND o.sequence = $4
					AND (o.problem IS NULL OR $13::jsonb IS NOT NULL))
			ON CONFLICT (note_id, type, sequence) WHERE distribution_id IS NULL DO UPDATE SET
				title = EXCLUDED.title, effect = EXCLUDED.effect, reason_code = EXCLUDED.reason_code,
				reason_text = EXCLUDED.reason_text, digest = EXCLUDED.digest, happened_at = EXCLUDED.happened_at,
				content = EXCLUDED.content, content_hash = EXCLUDED.content_hash, problem = NULL,
				replacement = EXCLUDED.replacement, received_at = EXCLUDED.received_at
				WHERE external_events.problem IS NOT NULL AND EXCLUDED.problem IS NULL
					AND external_events.applied_at IS NULL
			RETURNING note_id
		), told AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
			SELECT 'resume', id, organization_id, livemode, reference FROM notes
			WHERE id IN (SELECT note_id FROM found) `+outbox.AskAgain+`
		)
		SELECT count(*) FROM found`, noteID, item.AccessKey, event.Type, event.Sequence, item.Title,
		string(event.Effect), event.ReasonCode, event.ReasonText, event.Digest,
		nfse.Timestamp{Time: event.HappenedAt}, item.Content, hash[:], item.Problem, event.Replacement)
	return stored > 0, err
}
