package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/jmoiron/sqlx"

	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
	"emissor/store/webhooks"
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

// FindNotes finds notes by reference or by a request that created one or asked to
// cancel it, newest first, at most a hundred.
func (s *Store) FindNotes(ctx context.Context, search NoteSearch) ([]FoundNote, error) {
	found := []FoundNote{}
	query, key := findByReference, search.Reference
	if search.RequestID != "" {
		query, key = findByRequest, search.RequestID
	}
	err := s.db.SelectContext(ctx, &found, `
		SELECT n.id, n.organization_id, n.livemode, n.reference, n.status, n.created_at FROM `+query+`
		AND ($2 = '' OR n.organization_id = $2) AND ($3 = '' OR n.reference = $3)
		ORDER BY n.id DESC LIMIT 100`, key, search.OrganizationID, search.Reference)
	return found, err
}

const (
	// Every organization and environment is named, so that the unique index finds the reference in each.
	findByReference = `organizations o CROSS JOIN (VALUES (true), (false)) AS environment (livemode)
		JOIN note_references r ON r.organization_id = o.id AND r.livemode = environment.livemode
			AND r.reference = $1
		JOIN notes n ON n.id = r.note_id WHERE true`

	findByRequest = `notes n WHERE n.id IN (
		SELECT id FROM notes WHERE request_id = $1 UNION SELECT note_id FROM note_steps WHERE request_id = $1)`
)

// NoteHistory is everything that is recorded about a note, for operators.
type NoteHistory struct {
	nfse.Scope
	Note           nfse.Note            `json:"note"`
	IssuedBy       notes.IssuedBy       `json:"-"`
	Analysis       *nfse.Analysis       `json:"analysis"`       // of its cancellation, by the city; null: none
	Replaces       *LinkedNote          `json:"replaces"`       // the note that this one replaces; null: none
	ReplacedBy     *LinkedNote          `json:"replaced_by"`    // the note that replaces it, or is to; null: none
	Classification *nfse.Classification `json:"classification"` // its copy of the service's
	Taxation       *nfse.Taxation       `json:"taxation"`       // as it was set for it; null: nothing was
	Details        *nfse.NoteDetails    `json:"details"`        // that a person gave in the form; null: none
	Waiting        []fact.Fact          `json:"waiting"`        // what it waits for, where something is known
	// AuthorityWords are the authority's words for the refusal that the note waits because of; nil: none.
	AuthorityWords *string              `json:"authority_words"`
	StartFailure   *outbox.StartFailure `json:"start_failure"`   // why it was not started yet, if that was tried
	NextAttemptAt  *nfse.Timestamp      `json:"next_attempt_at"` // to start its workflow or to wake it up
	Steps          []Step               `json:"steps"`
	Deliveries     []webhooks.Delivery  `json:"deliveries"`
}

// NoteHistory reads a note and everything that happened to it, in order.
func (s *Store) NoteHistory(ctx context.Context, id string) (NoteHistory, error) {
	var row struct {
		notes.Row
		Creator string  `db:"creator"`
		Waiting []byte  `db:"waiting"`
		Words   *string `db:"words"`

		StartFailure  *outbox.StartFailure `db:"start_failure"`
		NextAttemptAt *nfse.Timestamp      `db:"next_attempt_at"`

		Classification []byte         `db:"classification"`
		Taxation       []byte         `db:"taxation"`
		Details        []byte         `db:"details"`
		IssuedBy       notes.IssuedBy `db:"issued_by"`
	}
	err := s.db.GetContext(ctx, &row, `
		SELECT `+notes.Columns+`, classification, taxation, details, `+notes.IssuedBySQL+` AS issued_by,
			coalesce((SELECT k.id || ' ' || k.label || ', ' || n.request_id FROM api_keys k
				WHERE k.id = n.api_key_id), n.user_id || ', ' || n.request_id, n.request_id) AS creator,
			CASE WHEN held_reason IS NOT NULL THEN jsonb_build_array(held_reason)
				ELSE (SELECT jsonb_agg(coalesce(paused.reason, `+postgres.FactSQL(fact.ToBeStarted)+`) ORDER BY id)
					FROM `+outbox.PausedOutbox+`
					WHERE subject_id = n.id AND (failure IS NULL OR paused.reason IS NOT NULL)) END AS waiting,
			(SELECT rejection ->> 'message' FROM fiscal_exchanges WHERE note_id = n.id
				AND (disposition IN ('uncatalogued', 'needs_person') OR doubted_code IS NOT NULL)
				ORDER BY id DESC LIMIT 1) AS words,
			(SELECT failure FROM `+outbox.PausedOutbox+` WHERE subject_id = n.id AND paused.reason IS NULL
				ORDER BY failures DESC, id LIMIT 1) AS start_failure,
			(SELECT min(next_attempt_at) FROM outbox WHERE subject_id = n.id) AS next_attempt_at
		FROM notes n WHERE id = $1`, id)
	if err != nil {
		return NoteHistory{}, postgres.NoRow(err, nfse.NewError(nfse.CodeNoteNotFound, "note", "there is no note %q", id))
	}
	history := NoteHistory{Scope: nfse.Scope{OrganizationID: row.OrganizationID, Livemode: row.Livemode},
		AuthorityWords: row.Words, StartFailure: row.StartFailure, NextAttemptAt: row.NextAttemptAt,
		IssuedBy: row.IssuedBy}
	err = errors.Join(notes.Decoded(row.Waiting, &history.Waiting), notes.Decoded(row.Classification,
		&history.Classification),
		notes.Decoded(row.Taxation, &history.Taxation), notes.Decoded(row.Details, &history.Details))
	if err != nil {
		return history, err
	}
	if history.Note, err = row.Note(); err != nil {
		return history, err
	}
	if c := history.Note.Cancellation; c != nil {
		history.Analysis = c.Analysis
	}
	linked, err := s.LinkedNotes(ctx, history.Scope, history.Note)
	if err != nil {
		return history, err
	}
	if other, is := linked[history.Note.Replaces]; is {
		history.Replaces = &other
	}
	if other, is := linked[history.Note.ReplacedBy]; is {
		history.ReplacedBy = &other
	}
	if history.Deliveries, err = webhooks.New(s.db).DeliveriesOf(ctx, id); err != nil {
		return history, err
	}
	recorded, err := s.recordedSteps(ctx, id, history.Deliveries)
	if err != nil {
		return history, err
	}
	history.Steps = slices.Concat(statesOf(history.Note, row.Creator), recorded, endsOf(history.Deliveries))
	slices.SortStableFunc(history.Steps, func(a, b Step) int {
		return cmp.Or(cmp.Compare(a.At.UnixMilli(), b.At.UnixMilli()), cmp.Compare(stageOf(a), stageOf(b)))
	})
	return history, nil
}

// RedriveNote puts a note into the outbox again, no matter what it waits for. A live note that waits for its
// authority makes its next attempt at once.
func (c *Changes) RedriveNote(ctx context.Context, id string) error {
	step := fact.StartedAgain.Fact()
	if c.UserID() == nil {
		step = fact.StartedAgainByOperator.Fact()
	}
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		var note redrivenNote
		err := tx.GetContext(ctx, &note, `
			WITH note AS (
				SELECT id, organization_id, livemode, reference, status, cancellation_status, held_reason
				FROM notes WHERE id = $1
			), corrected AS ( -- what was refused is signed anew at once
				UPDATE fiscal_exchanges e SET disposition = 'mended' FROM note n WHERE e.note_id = n.id
					AND e.kind = 'issue' AND e.state = 'unsigned' AND NOT e.ambiguous AND e.disposition = 'needs_person'
			), step AS (
				INSERT INTO note_steps (note_id, fact, user_id)
				SELECT id, $3::jsonb, $2 FROM note
			), start AS (
				INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference, traceparent)
				SELECT `+outbox.NoteWakeUpKind+`, id, organization_id, livemode, reference, $4 FROM note
				`+outbox.AskAgain+`
			)
			SELECT id, organization_id, livemode, status, cancellation_status, held_reason FROM note`, id, c.UserID(),
			step, trace.Parent(ctx))
		return note.record(), postgres.NoRow(err, nfse.NewError(nfse.CodeNoteNotFound, "note", "there is no note %q", id))
	})
}

// RedriveHeldNotes wakes up every note that waits for a person, of one
// organization or, with an empty one, of all, and counts them.
func (c *Changes) RedriveHeldNotes(ctx context.Context, organizationID string) (redriven int, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) (records []audit.Record, err error) {
		var notes []redrivenNote
		err = tx.SelectContext(ctx, &notes, `
			WITH note AS (
				SELECT id, organization_id, livemode, reference, status, cancellation_status, held_reason FROM notes
				WHERE held_reason IS NOT NULL AND ($1 = '' OR organization_id = $1)
			), start AS (
				INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
				SELECT 'resume', id, organization_id, livemode, reference FROM note
				ORDER BY id `+outbox.AskAgain+`
			)
			SELECT id, organization_id, livemode, status, cancellation_status, held_reason FROM note
			ORDER BY id`, organizationID)
		for _, note := range notes {
			records = append(records, note.record())
		}
		redriven = len(notes)
		return records, err
	})
	return redriven, err
}

// redrivenNote is a note that was put into the outbox again, and what it waited for.
type redrivenNote struct {
	ID string `db:"id"`
	nfse.Scope
	Status       nfse.Status `db:"status"`
	Cancellation *string     `db:"cancellation_status"`
	HeldReason   fact.Fact   `db:"held_reason"`
}

func (n redrivenNote) record() audit.Record {
	return audit.Record{Action: audit.NoteRedrive, SubjectID: n.ID, Before: map[string]any{
		"status": n.Status, "cancellation": n.Cancellation, "held_reason": n.HeldReason,
	}}.Of(n.Scope)
}
