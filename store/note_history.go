package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/nfse/fact"
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
		JOIN notes n ON n.organization_id = o.id AND n.livemode = environment.livemode AND n.reference = $1 WHERE true`

	findByRequest = `notes n WHERE n.id IN (
		SELECT id FROM notes WHERE request_id = $1 UNION SELECT note_id FROM note_steps WHERE request_id = $1)`
)

// NoteHistory is a note's whole life as an operator sees it.
type NoteHistory struct {
	nfse.Scope
	Note           nfse.Note            `json:"note"`
	IssuedBy       IssuedBy             `json:"-"`
	Classification *nfse.Classification `json:"classification"` // that it has taken
	Waiting        *string              `json:"waiting"`        // what it waits for, where something is known
	// of the refusal that it waits because of, in the authority's own words; nil where there is none
	AuthorityWords *string         `json:"authority_words"`
	StartFailure   *StartFailure   `json:"start_failure"`   // why the engine has not taken it yet, if it was tried
	NextAttemptAt  *nfse.Timestamp `json:"next_attempt_at"` // to start or to wake it up in the engine
	Steps          []Step          `json:"steps"`
	Deliveries     []Delivery      `json:"deliveries"`
}

// Step is something that happened in a note's life.
type Step struct {
	At   nfse.Timestamp `db:"at" json:"at"`
	What string         `db:"what" json:"what"`
	By   string         `db:"by" json:"by"`
	Fact fact.Fact      `db:"fact" json:"-"` // MERGE: Step.What, so far of calls only
}

// NoteHistory reads a note and everything that happened to it, in order.
func (s *Store) NoteHistory(ctx context.Context, id string) (NoteHistory, error) {
	var row struct {
		noteRow
		Creator string  `db:"creator"`
		Waiting *string `db:"waiting"`
		Words   *string `db:"words"`

		StartFailure  *StartFailure   `db:"start_failure"`
		NextAttemptAt *nfse.Timestamp `db:"next_attempt_at"`

		Classification []byte   `db:"classification"`
		IssuedBy       IssuedBy `db:"issued_by"`
	}
	err := s.db.GetContext(ctx, &row, `
		SELECT `+noteColumns+`, classification, `+issuedBy+` AS issued_by,
			coalesce((SELECT k.id || ' ' || k.label || ', ' || n.request_id FROM api_keys k
				WHERE k.id = n.api_key_id), n.user_id || ', ' || n.request_id) AS creator,
			coalesce(held_reason, (SELECT string_agg(coalesce(blocked.reason,
			'to be started in the workflow engine'), '; ' ORDER BY id)
				FROM `+blockedOutbox+`
				WHERE subject_id = n.id AND (failure IS NULL OR blocked.reason IS NOT NULL))) AS waiting,
			(SELECT rejection ->> 'message' FROM fiscal_exchanges WHERE note_id = n.id
				AND disposition IN ('uncatalogued', 'needs_person') ORDER BY id DESC LIMIT 1) AS words,
			(SELECT failure FROM `+blockedOutbox+` WHERE subject_id = n.id AND blocked.reason IS NULL
				ORDER BY failures DESC, id LIMIT 1) AS start_failure,
			(SELECT min(next_attempt_at) FROM outbox WHERE subject_id = n.id) AS next_attempt_at
		FROM notes n WHERE id = $1`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return NoteHistory{}, nfse.NewError(nfse.CodeNoteNotFound, "note", "there is no note %q", id)
	}
	if err != nil {
		return NoteHistory{}, err
	}
	history := NoteHistory{Scope: nfse.Scope{OrganizationID: row.OrganizationID, Livemode: row.Livemode},
		Waiting: row.Waiting, AuthorityWords: row.Words, StartFailure: row.StartFailure,
		NextAttemptAt: row.NextAttemptAt, IssuedBy: row.IssuedBy}
	if history.Classification, err = decodeClassification(row.Classification); err != nil {
		return history, err
	}
	if history.Note, err = row.note(); err != nil {
		return history, err
	}
	recorded := []Step{}
	if err := s.db.SelectContext(ctx, &recorded, recordedSteps, id); err != nil {
		return history, err
	}
	for i, step := range recorded { // MERGE: Step.What
		if !step.Fact.None() {
			recorded[i].What = step.Fact.English()
		}
	}
	if history.Deliveries, err = s.deliveriesOf(ctx, id); err != nil {
		return history, err
	}
	history.Steps = slices.Concat(statesOf(history.Note, row.Creator), recorded, endsOf(history.Deliveries))
	slices.SortStableFunc(history.Steps, func(a, b Step) int { return cmp.Compare(a.At.UnixMilli(), b.At.UnixMilli()) })
	return history, nil
}

// recordedSteps are those that rows of their own tell of.
var recordedSteps = `
	SELECT s.at, s.what, coalesce(k.id || ' ' || k.label || ', ' || s.request_id, s.user_id, '') AS by,
			NULL::jsonb AS fact
		FROM note_steps s LEFT JOIN api_keys k ON k.id = s.api_key_id WHERE s.note_id = $1
	UNION ALL
	SELECT created_at, 'event ' || id || ' ' || type, '', NULL FROM events WHERE note_id = $1
	UNION ALL
	SELECT a.started_at, 'delivery ' || d.id || ', attempt of ' || a.duration_ms || ' ms: ' || coalesce(a.problem,
	'delivered'), d.endpoint_id, NULL
		FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id JOIN events e ON e.id = d.event_id
		WHERE e.note_id = $1
	UNION ALL
	SELECT created_at, 'e-mail ' || id || ' to the customer', '', NULL FROM emails WHERE note_id = $1
	UNION ALL
	SELECT resolved_at, 'e-mail ' || id || ' ' || status || coalesce(': ' || reason, ''), '', NULL FROM emails
	WHERE note_id = $1 AND resolved_at IS NOT NULL
	UNION ALL
	SELECT created_at, 'ledger: ' || kind, '', NULL FROM ledger_entries WHERE note_id = $1
	UNION ALL
	SELECT created_at, 'took the number ' || number || ' of series ' || series || ' (' || authority ||
			CASE WHEN production THEN ', production' ELSE ', restricted' END || ')', '', NULL
		FROM fiscal_exchanges WHERE note_id = $1 AND kind = 'issue'
	UNION ALL
	SELECT updated_at, 'the number ' || number || ' of series ' || series || ' is ' ||
			CASE state WHEN 'accepted' THEN 'issued' WHEN 'number_conflict' THEN 'in use by another system'
			ELSE state END, '', NULL
		FROM fiscal_exchanges WHERE note_id = $1 AND kind = 'issue'
		AND state IN ('accepted', 'rejected', 'number_conflict', 'unused')
	UNION ALL
	SELECT m.created_at, 'signed ' || m.message_id || ' with ' || m.certificate_id, '', NULL
		FROM fiscal_messages m JOIN fiscal_exchanges e ON e.id = m.exchange_id WHERE e.note_id = $1
	UNION ALL
	SELECT started_at, '', '', CASE
			WHEN outcome IS NULL THEN ` + factSQL(fact.CallCutOff, "call", "what") + `
			WHEN reason IS NULL THEN ` + factSQL(fact.CallEndedPlainly, "call", "what", "outcome", "outcome",
	"ms", callMilliseconds) + `
			ELSE ` + factSQL(fact.CallEnded, "call", "what", "outcome", "outcome", "why", "reason",
	"ms", callMilliseconds) + ` END
		FROM fiscal_calls WHERE note_id = $1
	UNION ALL
	SELECT received_at, 'outside, at ' || to_char(happened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') ||
			': ' || title || ' (event ' || type || ', ' || id || '): ' ||
			coalesce(problem, outcome, 'to be applied'), '', NULL
		FROM outside_events WHERE note_id = $1
	UNION ALL
	SELECT received_at, 'outside: document ' || access_key || ', number ' || number || ' of series ' || series ||
			', linked by its ' || linked_by, '', NULL
		FROM outside_documents WHERE note_id = $1
	ORDER BY 1`

// callMilliseconds is how long a call took.
const callMilliseconds = `(extract(epoch FROM ended_at - started_at) * 1000)::bigint`

// statesOf reads a note's states out of its timestamps.
func statesOf(note nfse.Note, creator string) []Step {
	steps := []Step{{At: note.CreatedAt, What: "accepted (queued)", By: creator}}
	add := func(at *nfse.Timestamp, what string) {
		if at != nil {
			steps = append(steps, Step{At: *at, What: what, By: "workflow"})
		}
	}
	add(note.ProcessingAt, "processing")
	add(note.IssuedAt, "issued")
	if note.Rejection != nil {
		add(note.RejectedAt, fmt.Sprintf("rejected by the %s: %s", note.Rejection.Source, note.Rejection.Code))
	}
	if c := note.Cancellation; c != nil && c.Status == nfse.CancellationNotNeeded {
		add(c.ResolvedAt, "cancellation not needed")
	}
	add(note.CancelledAt, "cancelled")
	return steps
}

// endsOf are the deliveries that ended otherwise than delivered.
func endsOf(deliveries []Delivery) (steps []Step) {
	for _, d := range deliveries {
		if d.Status == DeliveryFailed || d.Status == DeliverySkipped {
			steps = append(steps, Step{At: *d.ResolvedAt, What: fmt.Sprintf("delivery %s %s: %s", d.ID, d.Status,
				*d.Reason), By: d.EndpointID})
		}
	}
	return steps
}

// RedriveNote puts a note into the outbox again, whatever it waited for. A live
// note that waits for its authority tries at once.
func (c *Changes) RedriveNote(ctx context.Context, id string) error {
	return c.changeOne(ctx, func(tx *sqlx.Tx) (auditRecord, error) {
		var note redrivenNote
		err := tx.GetContext(ctx, &note, `
			WITH note AS (
				SELECT id, organization_id, livemode, reference, status, cancellation_status, held_reason
				FROM notes WHERE id = $1
			), step AS (
				INSERT INTO note_steps (note_id, what, user_id)
				SELECT id, 'started again' || CASE WHEN $2::text IS NULL THEN ' by an operator' ELSE '' END, $2
				FROM note
			), start AS (
				INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
				SELECT `+noteWakeUpKind+`, id, organization_id, livemode, reference FROM note
				`+askAgain+`
			)
			SELECT id, organization_id, livemode, status, cancellation_status, held_reason FROM note`, id, c.userID())
		if errors.Is(err, sql.ErrNoRows) {
			err = nfse.NewError(nfse.CodeNoteNotFound, "note", "there is no note %q", id)
		}
		return note.record(), err
	})
}

// RedriveHeldNotes wakes up every note that waits for a person, of one
// organization or, with an empty one, of all, and counts them.
func (c *Changes) RedriveHeldNotes(ctx context.Context, organizationID string) (redriven int, err error) {
	err = c.change(ctx, func(tx *sqlx.Tx) (records []auditRecord, err error) {
		var notes []redrivenNote
		err = tx.SelectContext(ctx, &notes, `
			WITH note AS (
				SELECT id, organization_id, livemode, reference, status, cancellation_status, held_reason FROM notes
				WHERE held_reason IS NOT NULL AND ($1 = '' OR organization_id = $1)
			), start AS (
				INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
				SELECT 'resume', id, organization_id, livemode, reference FROM note
				ORDER BY id `+askAgain+`
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
	HeldReason   *string     `db:"held_reason"`
}

func (n redrivenNote) record() auditRecord {
	return auditRecord{Action: AuditNoteRedrive, SubjectID: n.ID, Before: map[string]any{
		"status": n.Status, "cancellation": n.Cancellation, "held_reason": n.HeldReason,
	}}.of(n.Scope)
}
