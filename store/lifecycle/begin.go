package lifecycle

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"emissor/nfse"
	"emissor/store/notes"
	"emissor/store/outbox"
)

// NoteState is what a workflow needs to know of its note to do only what is left to do.
// It holds no personal data, as it is stored in workflow histories.
type NoteState struct {
	Status                   nfse.Status   `db:"status"`
	Livemode                 bool          `db:"livemode"`
	Scenario                 nfse.Scenario `db:"scenario"`
	MunicipalityCheckPending bool          `db:"municipality_check_pending"`
	CancellationPending      bool          `db:"cancellation_pending"` // and the city does not decide about it
	Analysis                 bool          `db:"analysis"`             // of it, a request of analysis is to be sent
	Sent                     bool          `db:"sent"`                 // a document may exist at the authority
	ExternalEvents           bool          `db:"external_events"`      // something happened outside, not applied yet
	InProcess                time.Duration `db:"in_process"`           // since processing began
}

// EndsAtOnce reports that the next step can take a queued note on, and probably ends it,
// so that no step is needed to move it to processing first.
func (s NoteState) EndsAtOnce() bool {
	return s.Scenario != nfse.ScenarioSlow && !s.MunicipalityCheckPending && !s.CancellationPending
}

// NoteState reads the state of a note.
func (s *Store) NoteState(ctx context.Context, id string) (state NoteState, err error) {
	err = s.db.Get(ctx, &state, `SELECT `+noteStateColumns+` FROM notes WHERE id = $1`, id)
	return state, err
}

// BeginNote moves a queued note to processing and returns its state. A note that is not
// queued any more, or that is to be cancelled, stays as it is.
func (s *Store) BeginNote(ctx context.Context, id string) (NoteState, error) {
	var state NoteState
	err := s.db.Get(ctx, &state, `
		UPDATE notes SET status = 'processing', processing_at = now(), updated_at = now(), `+outbox.RequeueLater+`
		WHERE id = $1 AND status = 'queued' AND cancellation_status IS NULL
		RETURNING `+noteStateColumns, id)
	if errors.Is(err, sql.ErrNoRows) {
		// A second statement, to see what another run committed while the first one waited for its lock.
		return s.NoteState(ctx, id)
	}
	return state, err
}

const (
	noteStateColumns = `status, livemode, coalesce(scenario, '') AS scenario, municipality_check_pending,
		` + notes.CancellationToDo + ` AS cancellation_pending, analysis IS NOT DISTINCT FROM 'asked' AS analysis,
		CASE WHEN cancellation_status = 'pending' THEN ` + mayExist + ` ELSE sent_at IS NOT NULL END AS sent,
		livemode AND ` + externalPending + ` AS external_events,
		(extract(epoch FROM now() - coalesce(processing_at, now())) * 1000000000)::bigint AS in_process`

	// A queued note is then in processing; any other keeps its status.
	SetBegun = `status = CASE status WHEN 'queued' THEN 'processing' ELSE status END,
		processing_at = coalesce(processing_at, now()),
		updated_at = CASE status WHEN 'queued' THEN now() ELSE updated_at END`

	// A note that has ended is not held.
	setReleased = `held_reason = NULL, held_since = NULL`
)
