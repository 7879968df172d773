package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/postgres"
)

// Start is a row of the outbox: something committed for which a workflow is still to be
// started or woken up.
type Start struct {
	ID         int64          `db:"id"`
	Kind       string         `db:"kind"`
	SubjectID  string         `db:"subject_id"`
	nfse.Scope                // of the subject
	Reference  string         `db:"reference"` // of the note; empty for a delivery
	Restart    bool           `db:"restart"`   // replaces a run that is open
	CreatedAt  nfse.Timestamp `db:"created_at"`
	Attempts   int            `db:"attempts"`
	Failures   int            `db:"failures"` // of them, those by the row itself: the engine answered
	Token      uuid.UUID      `db:"token"`
	// Traceparent is the trace that it belongs to; empty for none.
	Traceparent string `db:"traceparent"`
	// Of a delivery: what it sends and where, for people who look at its run; empty for others.
	EventType string `db:"event_type"`
	NoteID    string `db:"note_id"`
	URL       string `db:"url"` // of the endpoint; its path may hold a secret
}

// StartFailure is why a row of the outbox was not started.
type StartFailure string

// The failures of starts.
const (
	EngineAway    StartFailure = "engine_away"
	StartRefused  StartFailure = "refused"   // the engine answers others, and does not take this one
	StartTimedOut StartFailure = "timed_out" // the engine answers others, and for this one takes too long
	StartInternal StartFailure = "internal"  // a bug of ours
)

// Own reports whether the row itself is the reason, and not the engine.
func (f StartFailure) Own() bool { return f != EngineAway }

// The kinds of starts.
const (
	StartNote         = "note"
	StartCancellation = "cancellation" // of a note
	StartDelivery     = "delivery"
	StartResume       = "resume" // of a live note that may go on
	StartEmail        = "email"
	StartDistribution = "distribution" // of what happens to an issuer's documents
	StartExport       = "export"       // makes the ZIP of a month
	StartBatch        = "batch"        // of a spreadsheet of notes
	StartRecurrence   = "recurrence"   // accepts the note of a month
)

var StartKinds = []string{StartNote, StartCancellation, StartDelivery, StartResume, StartEmail, StartDistribution,
	StartExport, StartBatch, StartRecurrence}

// AskAgain makes an existing row due at once. It removes the token of a claim that is
// under way, which then cannot delete the row.
const AskAgain = `ON CONFLICT (kind, subject_id) DO UPDATE SET token = NULL, next_attempt_at = now(),
	restart = outbox.restart OR EXCLUDED.restart,
	traceparent = coalesce(EXCLUDED.traceparent, outbox.traceparent)`

// Backlog is the rows of one kind that an organization has in one environment.
type Backlog struct {
	Kind string
	nfse.Scope
}

// Room is how many rows of a backlog may be claimed now.
type Room struct {
	Backlog
	Rows int
}

// backlogsOfLanes are the backlogs of the kinds $1 of test and $2 of live rows. The recursion
// steps from one backlog (environment, kind, organization) to the next by the index, without
// reading the rows between.
const backlogsOfLanes = `lane AS (
		SELECT false AS livemode, unnest($1::text[]) AS kind
		UNION ALL SELECT true, unnest($2::text[])
	), backlog AS (
		SELECT lane.livemode, lane.kind, first.organization_id FROM lane CROSS JOIN LATERAL (
			SELECT organization_id FROM outbox o WHERE o.livemode = lane.livemode AND o.kind = lane.kind
			ORDER BY organization_id LIMIT 1) first
		UNION ALL
		SELECT b.livemode, b.kind, next.organization_id FROM backlog b CROSS JOIN LATERAL (
			SELECT organization_id FROM outbox o
			WHERE o.livemode = b.livemode AND o.kind = b.kind AND o.organization_id > b.organization_id
			ORDER BY organization_id LIMIT 1) next
	)`

// ofBacklog holds for the rows o of a backlog b, which are to be ordered by organization_id and id. With = instead of
// BETWEEN the planner may sort by the ids alone, by statistics of when another organization had all rows: then it reads
// the rows of all organizations for each backlog.
const ofBacklog = `o.livemode = b.livemode AND o.kind = b.kind
	AND o.organization_id BETWEEN b.organization_id AND b.organization_id`

// ClaimStarts takes up to limit due rows for the lease, during which nobody else gets
// them. A row whose claim is not finished in time is due again.
//
// Only the given kinds of test and of live rows are taken; the others stay for a
// process that can start them.
//
// Organizations, environments and kinds are taken in rounds, regardless of the length of their backlogs; within each
// the oldest comes first. A row's age is its id, so one that was postponed goes before all that came after it. Of a
// backlog that rooms names no more rows are taken than there is room for; the rest of limit is for the others.
//
// The ARRAY is evaluated once; an IN (SELECT ...) might be joined by the planner, and
// evaluated for each row. The LIMIT has what a delivery sends looked up by keys, for each one.
func (s *Store) ClaimStarts(ctx context.Context, test, live []string, limit int, lease time.Duration,
	rooms ...Room) ([]Start, error) {
	var starts []Start
	kinds, livemodes, organizations, rows := columnsOf(rooms)
	err := s.db.All(ctx, &starts, `
		WITH RECURSIVE `+backlogsOfLanes+`, room AS (
			SELECT * FROM unnest($6::text[], $7::boolean[], $8::text[], $9::int[])
				AS room (kind, livemode, organization_id, rows)
		), due AS (
			SELECT b.*, row_number() OVER (PARTITION BY livemode, kind ORDER BY random()) AS round, room.rows AS room
			FROM backlog b LEFT JOIN room USING (kind, livemode, organization_id) CROSS JOIN LATERAL (
				SELECT id FROM outbox o WHERE `+ofBacklog+` AND o.next_attempt_at <= now()
				ORDER BY organization_id, id LIMIT 1) oldest
			WHERE room.rows IS NULL OR room.rows > 0
		), chosen AS MATERIALIZED (
			SELECT *, least($3, count(*) OVER ()) AS backlogs FROM due ORDER BY round, random() LIMIT $3
		), claimed AS (
		UPDATE outbox SET token = $4, attempts = attempts + 1,
			next_attempt_at = now() + make_interval(secs => $5)
		WHERE id = ANY(ARRAY(
			SELECT oldest.id FROM chosen b CROSS JOIN LATERAL (
				SELECT id FROM outbox o WHERE `+ofBacklog+` AND o.next_attempt_at <= now()
				ORDER BY organization_id, id LIMIT least(ceil($3::numeric / b.backlogs), b.room) FOR UPDATE SKIP LOCKED) oldest
			LIMIT $3))
		RETURNING id, kind, subject_id, organization_id, livemode, coalesce(reference, '') AS reference, restart,
			created_at, attempts, failures, token, coalesce(traceparent, '') AS traceparent
		)
		SELECT claimed.*, coalesce(event_type, '') AS event_type, coalesce(note_id, '') AS note_id,
			coalesce(url, '') AS url
		FROM claimed LEFT JOIN LATERAL (
			SELECT e.type AS event_type, e.note_id, w.url FROM deliveries d JOIN events e ON e.id = d.event_id
				JOIN webhook_endpoints w ON w.id = d.endpoint_id
			WHERE claimed.kind = 'delivery' AND d.id = claimed.subject_id LIMIT 1) sent ON true`,
		pq.Array(test), pq.Array(live), limit, uuid.New(), lease.Seconds(), kinds, livemodes, organizations, rows)
	slices.SortFunc(starts, func(a, b Start) int { return cmp.Compare(a.ID, b.ID) })
	return starts, err
}

// HasDueStarts reports whether the outbox has a due row of any kind.
func (s *Store) HasDueStarts(ctx context.Context) (due bool, err error) {
	err = s.db.Get(ctx, &due, `SELECT EXISTS (SELECT FROM outbox WHERE next_attempt_at <= now())`)
	return due, err
}

// columnsOf are rooms as the columns of a table.
func columnsOf(rooms []Room) (kinds pq.StringArray, livemodes pq.BoolArray, organizations pq.StringArray,
	rows pq.Int64Array) {
	kinds, livemodes, organizations, rows = pq.StringArray{}, pq.BoolArray{}, pq.StringArray{}, pq.Int64Array{}
	for _, room := range rooms {
		kinds, livemodes = append(kinds, room.Kind), append(livemodes, room.Livemode)
		organizations, rows = append(organizations, room.OrganizationID), append(rows, int64(room.Rows))
	}
	return kinds, livemodes, organizations, rows
}

// KeepStarts prolongs the claims of rows that are still worked on. A row that somebody
// else has claimed in the meantime stays theirs.
func (s *Store) KeepStarts(ctx context.Context, starts []Start, lease time.Duration) error {
	ids, tokens := claimsOf(starts)
	_, err := s.db.ExecContext(ctx, `UPDATE outbox SET next_attempt_at = now() + make_interval(secs => $3)
		FROM unnest($1::bigint[], $2::uuid[]) AS claim (id, token)
		WHERE outbox.id = claim.id AND outbox.token = claim.token`, ids, tokens, lease.Seconds())
	return err
}

// FinishStarts deletes claimed rows that the engine has taken over. A row that
// was claimed or asked for again in the meantime stays. One that cannot be deleted does not
// stop the others: its error is returned, and it is due again when its claim ends.
func (s *Store) FinishStarts(ctx context.Context, starts []Start) error {
	err := s.finishStarts(ctx, starts)
	if err == nil || len(starts) == 1 || postgres.IsUnavailable(err) {
		return err
	}
	err = nil
	for _, start := range starts {
		if failed := s.finishStarts(ctx, []Start{start}); failed != nil {
			err = errors.Join(err, fmt.Errorf("row %d: %w", start.ID, failed))
		}
	}
	return err
}

func (s *Store) finishStarts(ctx context.Context, starts []Start) error {
	ids, tokens := claimsOf(starts)
	_, err := s.db.Exec(ctx, `DELETE FROM outbox USING unnest($1::bigint[], $2::uuid[]) AS claim (id, token)
		WHERE outbox.id = claim.id AND outbox.token = claim.token`, ids, tokens)
	return err
}

// claimsOf returns what identifies the claims of rows.
func claimsOf(starts []Start) (ids pq.Int64Array, tokens pq.StringArray) {
	for _, start := range starts {
		ids, tokens = append(ids, start.ID), append(tokens, start.Token.String())
	}
	return ids, tokens
}

// PostponeStarts postpones the next attempt at claimed rows, and records why: a code, and
// what the engine said, for operators.
func (s *Store) PostponeStarts(ctx context.Context, starts []Start, wait time.Duration, failure StartFailure,
	said string) error {
	ids, tokens := claimsOf(starts)
	own := 0
	if failure.Own() {
		own = 1
	}
	_, err := s.db.ExecContext(ctx, `
		UPDATE outbox SET next_attempt_at = now() + make_interval(secs => $3), failure = $4, last_error = $5,
			failures = failures + $6
		FROM unnest($1::bigint[], $2::uuid[]) AS claim (id, token)
		WHERE outbox.id = claim.id AND outbox.token = claim.token`, ids, tokens, wait.Seconds(), failure, said, own)
	return err
}

// WaitingStart is a row of the outbox as an operator sees it.
type WaitingStart struct {
	Kind           string         `db:"kind" json:"kind"`
	SubjectID      string         `db:"subject_id" json:"subject_id"`
	OrganizationID string         `db:"organization_id" json:"organization_id"`
	Livemode       bool           `db:"livemode" json:"livemode"`
	Reference      string         `db:"reference" json:"reference"` // of the note; empty for a delivery
	CreatedAt      nfse.Timestamp `db:"created_at" json:"created_at"`
	NextAttemptAt  nfse.Timestamp `db:"next_attempt_at" json:"next_attempt_at"`
	Attempts       int            `db:"attempts" json:"attempts"`
	Failure        *StartFailure  `db:"failure" json:"failure"`
	Failures       int            `db:"failures" json:"failures"`     // those that were the row's own
	LastError      *string        `db:"last_error" json:"last_error"` // what the engine said
	PausedReason   fact.Fact      `db:"paused_reason" json:"paused_reason"`
}

// WaitingStarts lists what waits in the outbox, oldest first.
func (s *Store) WaitingStarts(ctx context.Context, limit int) ([]WaitingStart, error) {
	waiting := []WaitingStart{}
	err := s.db.SelectContext(ctx, &waiting, `
		SELECT kind, subject_id, organization_id, livemode, coalesce(reference, '') AS reference, created_at,
		next_attempt_at, attempts,
			failure, failures, last_error, paused.reason AS paused_reason
		FROM `+PausedOutbox+` ORDER BY id LIMIT $1`, limit)
	return waiting, err
}
