package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// The kinds of calls to an authority.
const (
	CallIssue            = "issue"
	CallFind             = "find"
	CallCancel           = "cancel"
	CallFindCancellation = "find_cancellation"
)

// Call is how a call to an authority ended.
type Call struct {
	ID      int64
	Outcome string
	Status  int // of HTTP; 0 when no answer came
	Reason  string
	Body    []byte // worth keeping; nil when not
}

// StartCall records a question that is about to be asked.
func (s *Store) StartCall(ctx context.Context, noteID, what string) (id int64, err error) {
	err = s.db.GetContext(ctx, &id, `INSERT INTO fiscal_calls (note_id, what) VALUES ($1, $2) RETURNING id`, noteID, what)
	return id, err
}

// endCall records how a call ended, whatever else becomes of its note.
func endCall(ctx context.Context, tx *sqlx.Tx, call Call) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE fiscal_calls SET ended_at = clock_timestamp(), outcome = $2, status = nullif($3, 0), reason = nullif($4, ''), body = $5
		WHERE id = $1 AND ended_at IS NULL`, call.ID, call.Outcome, call.Status, call.Reason, call.Body)
	return err
}
