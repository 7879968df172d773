package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"emissor/nfse"
)

// NoteSearch finds notes for an operator. Empty fields find all.
type NoteSearch struct {
	Reference      string
	RequestID      string
	OrganizationID string
}

// FoundNote is a note that a search found.
type FoundNote struct {
	ID string `db:"id" json:"id"`
	nfse.Scope
	Reference string         `db:"reference" json:"reference"`
	Status    nfse.Status    `db:"status" json:"status"`
	CreatedAt nfse.Timestamp `db:"created_at" json:"created_at"`
}

// FindNotes finds notes by reference or by the request that created or
// cancelled them, newest first, at most a hundred.
func (s *Store) FindNotes(ctx context.Context, search NoteSearch) ([]FoundNote, error) {
	found := []FoundNote{}
	err := s.db.SelectContext(ctx, &found, `
		SELECT id, organization_id, livemode, reference, status, created_at FROM notes
		WHERE ($1 = '' OR reference = $1) AND ($2 = '' OR request_id = $2 OR cancellation_request_id = $2)
			AND ($3 = '' OR organization_id = $3)
		ORDER BY id DESC LIMIT 100`, search.Reference, search.RequestID, search.OrganizationID)
	return found, err
}

// NoteHistory is a note's whole life as an operator sees it.
type NoteHistory struct {
	nfse.Scope
	Note       nfse.Note  `json:"note"`
	Waiting    *string    `json:"waiting"` // what it waits for, where something is known
	Steps      []Step     `json:"steps"`
	Deliveries []Delivery `json:"deliveries"`
}

// Step is something that happened in a note's life.
type Step struct {
	At   nfse.Timestamp `db:"at" json:"at"`
	What string         `db:"what" json:"what"`
	By   string         `db:"by" json:"by"`
}

// NoteHistory reads a note and everything that happened to it, in order.
func (s *Store) NoteHistory(ctx context.Context, id string) (NoteHistory, error) {
	var row struct {
		noteRow
		Creator   string  `db:"creator"`
		Canceller *string `db:"canceller"`
		Waiting   *string `db:"waiting"`
	}
	err := s.db.GetContext(ctx, &row, `
		SELECT `+noteColumns+`,
			(SELECT k.id || ' ' || k.label || ', ' || notes.request_id FROM api_keys k WHERE k.id = notes.api_key_id) AS creator,
			(SELECT k.id || ' ' || k.label || ', ' || notes.cancellation_request_id FROM api_keys k WHERE k.id = notes.cancellation_api_key_id) AS canceller,
			(SELECT coalesce(blocked_reason, last_error, 'to be started in the workflow engine') FROM outbox
				WHERE subject_id = notes.id ORDER BY id LIMIT 1) AS waiting
		FROM notes WHERE id = $1`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return NoteHistory{}, nfse.NewError(nfse.CodeNoteNotFound, "note", "there is no note %q", id)
	}
	if err != nil {
		return NoteHistory{}, err
	}
	history := NoteHistory{Scope: nfse.Scope{OrganizationID: row.OrganizationID, Livemode: row.Livemode}, Waiting: row.Waiting}
	if history.Note, err = row.note(); err != nil {
		return history, err
	}
	history.Steps = stepsOf(history.Note, row.Creator, row.Canceller)

	var events []struct {
		ID   string         `db:"id"`
		Type nfse.EventType `db:"type"`
		At   nfse.Timestamp `db:"created_at"`
	}
	if err := s.db.SelectContext(ctx, &events, `SELECT id, type, created_at FROM events WHERE note_id = $1 ORDER BY id`, id); err != nil {
		return history, err
	}
	ids := make([]string, len(events))
	for i, event := range events {
		ids[i] = event.ID
		history.Steps = append(history.Steps, Step{event.At, fmt.Sprintf("event %s %s", event.ID, event.Type), ""})
	}
	if history.Deliveries, err = s.deliveriesOf(ctx, ids); err != nil {
		return history, err
	}
	for _, delivery := range history.Deliveries {
		_, attempts, err := s.Delivery(ctx, delivery.ID)
		if err != nil {
			return history, err
		}
		for _, attempt := range attempts {
			history.Steps = append(history.Steps, Step{attempt.StartedAt, describeAttempt(delivery, attempt), delivery.EndpointID})
		}
		if delivery.Status != DeliveryPending && delivery.Status != DeliveryDelivered {
			history.Steps = append(history.Steps, Step{*delivery.ResolvedAt, fmt.Sprintf("delivery %s %s: %s", delivery.ID, delivery.Status, *delivery.Reason), delivery.EndpointID})
		}
	}
	slices.SortStableFunc(history.Steps, func(a, b Step) int { return cmp.Compare(a.At.UnixMilli(), b.At.UnixMilli()) })
	return history, nil
}

// stepsOf reads a note's states out of its timestamps.
func stepsOf(note nfse.Note, creator string, canceller *string) []Step {
	steps := []Step{{note.CreatedAt, "accepted (queued)", creator}}
	add := func(at *nfse.Timestamp, what, by string) {
		if at != nil {
			steps = append(steps, Step{*at, what, by})
		}
	}
	add(note.ProcessingAt, "processing", "workflow")
	if c := note.Cancellation; c != nil {
		by := ""
		if canceller != nil {
			by = *canceller
		}
		add(&c.RequestedAt, fmt.Sprintf("cancellation requested, reason %s", c.ReasonCode), by)
		if c.Status != nfse.CancellationAccepted {
			add(c.ResolvedAt, fmt.Sprintf("cancellation %s", c.Status), "workflow")
		}
	}
	add(note.IssuedAt, "issued", "workflow")
	if note.Rejection != nil {
		add(note.RejectedAt, fmt.Sprintf("rejected by the %s: %s", note.Rejection.Source, note.Rejection.Code), "workflow")
	}
	add(note.CancelledAt, "cancelled", "workflow")
	return steps
}

func describeAttempt(delivery Delivery, attempt nfse.DeliveryAttempt) string {
	outcome := "delivered"
	if attempt.Problem != nil {
		outcome = *attempt.Problem
	}
	return fmt.Sprintf("delivery %s, attempt of %d ms: %s", delivery.ID, attempt.DurationMS, outcome)
}

// RedriveNote puts a note into the outbox again, whatever it waited for.
func (s *Store) RedriveNote(ctx context.Context, id string) error {
	result, err := s.db.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'note', id, organization_id, livemode, reference FROM notes WHERE id = $1
		`+askAgain, id)
	if err != nil {
		return err
	}
	if rows, err := result.RowsAffected(); err != nil || rows == 1 {
		return err
	}
	return nfse.NewError(nfse.CodeNoteNotFound, "note", "there is no note %q", id)
}
