package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"emissor/internal/planted"
	"emissor/nfse"
)

// Start is a row of the outbox: something committed that the workflow engine
// has still to be told.
type Start struct {
	ID         int64          `db:"id"`
	Kind       string         `db:"kind"`
	SubjectID  string         `db:"subject_id"`
	nfse.Scope                // of the subject
	Reference  string         `db:"reference"` // of the note; empty for a delivery
	Restart    bool           `db:"restart"`   // replaces a run that is open
	CreatedAt  nfse.Timestamp `db:"created_at"`
	Attempts   int            `db:"attempts"`
	Token      uuid.UUID      `db:"token"`
}

// The kinds of starts.
const (
	StartNote         = "note"
	StartCancellation = "cancellation" // of a note
	StartDelivery     = "delivery"
	StartResume       = "resume" // of a live note that may go on
	StartEmail        = "email"
	StartDistribution = "distribution" // of what happens outside, to an issuer
)

// askAgain makes an existing row due at once. A claim of it that is under way
// finds its token gone, so that it cannot delete the row.
const askAgain = `ON CONFLICT (kind, subject_id) DO UPDATE SET token = NULL, next_attempt_at = now(),
	blocked_reason = NULL,
	restart = outbox.restart OR EXCLUDED.restart`

// ClaimStarts takes up to limit due rows for the lease: as long as it lasts nobody
// else gets them. A claim that is not finished in time is simply due again.
//
// Only the given kinds of test and of live rows are taken; the others stay for a
// process that can start them.
//
// Organizations, environments and kinds have equal turns, whatever the length of
// their backlogs; within each the oldest comes first. A row's age is its id, so one
// that was postponed goes before all that came after it.
//
// The recursion steps from one backlog (environment, kind, organization) to the
// next by the index, without reading the rows between. The ARRAY is asked for once:
// as IN (SELECT ...) the planner may join it, and ask again for each row.
func (s *Store) ClaimStarts(ctx context.Context, test, live []string, limit int, lease time.Duration) ([]Start, error) {
	var starts []Start
	age := `id`
	if planted.Bug("newest-first") {
		age = `id DESC`
	}
	err := s.all(ctx, &starts, `
		WITH RECURSIVE lane AS (
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
		), due AS (
			SELECT b.*, row_number() OVER (PARTITION BY livemode, kind ORDER BY random()) AS turn
			FROM backlog b CROSS JOIN LATERAL (
				SELECT id FROM outbox o WHERE o.livemode = b.livemode AND o.kind = b.kind
					AND o.organization_id = b.organization_id AND o.next_attempt_at <= now()
				ORDER BY id LIMIT 1) oldest
		), chosen AS MATERIALIZED (
			SELECT *, least($3, count(*) OVER ()) AS backlogs FROM due ORDER BY turn, random() LIMIT $3
		)
		UPDATE outbox SET token = $4, attempts = attempts + 1, blocked_reason = NULL,
			next_attempt_at = now() + make_interval(secs => $5)
		WHERE id = ANY(ARRAY(
			SELECT oldest.id FROM chosen c CROSS JOIN LATERAL (
				SELECT id FROM outbox o WHERE o.livemode = c.livemode AND o.kind = c.kind
					AND o.organization_id = c.organization_id AND o.next_attempt_at <= now()
				ORDER BY `+age+` LIMIT ceil($3::numeric / c.backlogs) FOR UPDATE SKIP LOCKED) oldest
			LIMIT $3))
		RETURNING id, kind, subject_id, organization_id, livemode, coalesce(reference, '') AS reference, restart,
			created_at, attempts, token`,
		pq.Array(test), pq.Array(live), limit, uuid.New(), lease.Seconds())
	slices.SortFunc(starts, func(a, b Start) int { return cmp.Compare(a.ID, b.ID) })
	return starts, err
}

// KeepStarts prolongs the claims of rows that are still worked on. One that was
// claimed by somebody else in the meantime stays theirs.
func (s *Store) KeepStarts(ctx context.Context, starts []Start, lease time.Duration) error {
	ids, tokens := claimsOf(starts)
	_, err := s.db.ExecContext(ctx, `UPDATE outbox SET next_attempt_at = now() + make_interval(secs => $3)
		FROM unnest($1::bigint[], $2::uuid[]) AS claim (id, token)
		WHERE outbox.id = claim.id AND outbox.token = claim.token`, ids, tokens, lease.Seconds())
	return err
}

// FinishStarts deletes claimed rows that the engine has taken over. A row that
// was claimed or asked for again in the meantime stays.
func (s *Store) FinishStarts(ctx context.Context, starts []Start) error {
	if planted.Bug("outbox-row-kept") {
		return nil
	}
	ids, tokens := claimsOf(starts)
	_, err := s.exec(ctx, `DELETE FROM outbox USING unnest($1::bigint[], $2::uuid[]) AS claim (id, token)
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

// PostponeStarts pushes the next try of claimed rows back, and keeps why.
func (s *Store) PostponeStarts(ctx context.Context, starts []Start, wait time.Duration, reason string) error {
	ids, tokens := claimsOf(starts)
	_, err := s.db.ExecContext(ctx, `
		UPDATE outbox SET next_attempt_at = now() + make_interval(secs => $3), last_error = $4
		FROM unnest($1::bigint[], $2::uuid[]) AS claim (id, token)
		WHERE outbox.id = claim.id AND outbox.token = claim.token`, ids, tokens, wait.Seconds(), reason)
	return err
}

// BlockStarts marks due rows of some kinds that cannot be started for now at all, so
// that an operator sees why, at most limit of them. A claim by a process that can
// start them lifts the mark.
func (s *Store) BlockStarts(ctx context.Context, livemode bool, kinds []string, reason string,
	limit int) (blocked int, err error) {
	return affected(s.db.ExecContext(ctx, `
		UPDATE outbox SET blocked_reason = $3
		WHERE id = ANY(ARRAY(
			SELECT id FROM outbox WHERE livemode = $1 AND kind = ANY($2) AND next_attempt_at <= now()
				AND blocked_reason IS NULL
			ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED))`, livemode, pq.Array(kinds), reason, limit))
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
	LastError      *string        `db:"last_error" json:"last_error"`
	BlockedReason  *string        `db:"blocked_reason" json:"blocked_reason"`
}

// WaitingStarts lists what waits in the outbox, oldest first.
func (s *Store) WaitingStarts(ctx context.Context, limit int) ([]WaitingStart, error) {
	waiting := []WaitingStart{}
	err := s.db.SelectContext(ctx, &waiting, `
		SELECT kind, subject_id, organization_id, livemode, coalesce(reference, '') AS reference, created_at,
		next_attempt_at, attempts,
			last_error, blocked_reason
		FROM outbox ORDER BY id LIMIT $1`, limit)
	return waiting, err
}
