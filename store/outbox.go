package store

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

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
)

// askAgain makes an existing row due at once. A claim of it that is under way
// finds its token gone, so that it cannot delete the row.
const askAgain = `ON CONFLICT (kind, subject_id) DO UPDATE SET token = NULL, next_attempt_at = now(),
	blocked_reason = NULL,
	restart = outbox.restart OR EXCLUDED.restart`

// ClaimStarts takes up to limit due rows of one environment for the lease: as
// long as it lasts nobody else gets them. A claim that is not finished in time
// is simply due again.
//
// With only some kinds, rows of the others stay for a process that can start
// them.
//
// The ARRAY is asked for once. As IN (SELECT ...) the planner may join it, and
// asks again for each row of the table, taking limit more each time.
func (s *Store) ClaimStarts(ctx context.Context, livemode bool, kinds []string, limit int,
	lease time.Duration) ([]Start, error) {
	var starts []Start
	err := s.db.SelectContext(ctx, &starts, `
		UPDATE outbox SET token = $1, attempts = attempts + 1, blocked_reason = NULL,
			next_attempt_at = now() + make_interval(secs => $2)
		WHERE id = ANY(ARRAY(
			SELECT id FROM outbox WHERE livemode = $3 AND kind = ANY($4) AND next_attempt_at <= now()
			ORDER BY next_attempt_at LIMIT $5 FOR UPDATE SKIP LOCKED))
		RETURNING id, kind, subject_id, organization_id, livemode, coalesce(reference, '') AS reference, restart,
		created_at, attempts, token`,
		uuid.New(), lease.Seconds(), livemode, pq.Array(kinds), limit)
	return starts, err
}

// FinishStarts deletes claimed rows that the engine has taken over. A row that
// was claimed again in the meantime stays.
func (s *Store) FinishStarts(ctx context.Context, ids []int64, token uuid.UUID) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM outbox WHERE id = ANY($1) AND token = $2`, pq.Array(ids), token)
	return err
}

// PostponeStart pushes a claimed row's next try back, and keeps why.
func (s *Store) PostponeStart(ctx context.Context, start Start, wait time.Duration, reason string) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE outbox SET next_attempt_at = now() + make_interval(secs => $3), last_error = $4
		WHERE id = $1 AND token = $2`, start.ID, start.Token, wait.Seconds(), reason)
	return err
}

// BlockStarts marks due rows of some kinds that cannot be started for now at all, so
// that an operator sees why, at most limit of them, and looks at them again in a
// minute. A claim by a process that can start them lifts the mark.
func (s *Store) BlockStarts(ctx context.Context, livemode bool, kinds []string, reason string,
	limit int) (blocked int, err error) {
	return affected(s.db.ExecContext(ctx, `
		UPDATE outbox SET blocked_reason = $3, next_attempt_at = now() + interval '1 minute'
		WHERE id = ANY(ARRAY(
			SELECT id FROM outbox WHERE livemode = $1 AND kind = ANY($2) AND next_attempt_at <= now()
			ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED))`, livemode, pq.Array(kinds), reason, limit))
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
