package store

import (
	"cmp"
	"strings"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// Step is something that happened to a note.
type Step struct {
	At   nfse.Timestamp `db:"at" json:"at"`
	Fact fact.Fact      `db:"fact" json:"fact"`
	By   string         `db:"by" json:"by"`
}

// stepRows are rows of which each is a step: when it was, what, by whom, and from where the
// rows of the note $1 are read.
type stepRows struct{ at, fact, by, from string }

// recordedSteps read the steps of all recordedRows, oldest first.
var recordedSteps = func() string {
	var all []string
	for _, rows := range recordedRows {
		all = append(all, `SELECT `+rows.at+` AS at, `+rows.fact+` AS fact, `+rows.by+` AS by FROM `+rows.from)
	}
	return strings.Join(all, ` UNION ALL `) + ` ORDER BY 1`
}()

var recordedRows = []stepRows{
	{`s.at`, `s.fact`, `coalesce(k.id || ' ' || k.label || ', ' || s.request_id, s.user_id, '')`,
		`note_steps s LEFT JOIN api_keys k ON k.id = s.api_key_id WHERE s.note_id = $1`},

	{`created_at`, factSQL(fact.EventMade, "event", `id`, "type", `type`), `''`, `events WHERE note_id = $1`},
	{`a.started_at`, factSQL(fact.DeliveryAttempted, "delivery", `d.id`, "duration_ms", `a.duration_ms`),
		`d.endpoint_id`, attemptsOf + ` AND a.problem IS NULL`},
	{`a.started_at`, factSQL(fact.DeliveryAttemptedInVain, "delivery", `d.id`, "duration_ms", `a.duration_ms`,
		"why", `a.problem`),
		`d.endpoint_id`, attemptsOf + ` AND a.problem IS NOT NULL`},
	{`created_at`, factSQL(fact.EmailMade, "email", `id`), `''`, `emails WHERE (note_id = $1 OR copy_of = $1)`},
	{`resolved_at`, factSQL(fact.EmailSent, "email", `id`), `''`,
		`emails WHERE (note_id = $1 OR copy_of = $1) AND status = 'sent'`},
	{`resolved_at`, factSQL(fact.EmailFailed, "email", `id`,
		"why", `reason`),
		`''`, `emails WHERE (note_id = $1 OR copy_of = $1) AND status = 'failed'`},
	{`resolved_at`, factSQL(fact.EmailSkipped, "email", `id`,
		"why", `reason`),
		`''`, `emails WHERE (note_id = $1 OR copy_of = $1) AND status = 'skipped'`},
	{`created_at`, factSQL(fact.LedgerEntered, "kind", `kind`), `''`, `ledger_entries WHERE note_id = $1`},

	{`created_at`, factSQL(fact.NumberTaken, "number", `number`, "series", `series`, "authority", `authority`,
		"environment", `CASE WHEN production THEN 'production' ELSE 'restricted' END`), `''`, issueExchangeOf},
	{`updated_at`, factSQL(fact.NumberEnded, "number", `number`, "series", `series`, "state", `state`), `''`,
		issueExchangeOf + ` AND state IN ('accepted', 'rejected', 'number_conflict', 'unused', 'spent')`},
	{`m.created_at`, factSQL(fact.MessageSigned, "message", `m.message_id`, "certificate", `m.certificate_id`), `''`,
		`fiscal_messages m JOIN fiscal_exchanges e ON e.id = m.exchange_id WHERE e.note_id = $1`},
	{`started_at`, factSQL(fact.AuthorityCallCutOff, "operation", `what`), `''`,
		`fiscal_calls WHERE note_id = $1 AND outcome IS NULL`},
	{`started_at`, factSQL(fact.AuthorityCalled, "operation", `what`, "outcome", `outcome`, "duration_ms", callTook),
		`''`, `fiscal_calls WHERE note_id = $1 AND outcome IS NOT NULL AND reason IS NULL`},
	{`started_at`, factSQL(fact.AuthorityCalledInVain, "operation", `what`, "outcome", `outcome`,
		"duration_ms", callTook, "why", `reason`),
		`''`, `fiscal_calls WHERE note_id = $1 AND outcome IS NOT NULL AND reason IS NOT NULL`},

	{`received_at`, factSQL(fact.ExternalHappened,
		"at", `to_char(happened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
		"title", `title`, "type", `type`, "event", `id`,
		"effect", `coalesce(problem, outcome, `+factSQL(fact.EffectToCome)+`)`),
		`''`, `external_events WHERE note_id = $1`},
	{`received_at`, factSQL(fact.ExternalDocumentFound, "access_key", `access_key`, "number", `number`,
		"series", `series`, "proof", `linked_by`), `''`, `external_documents WHERE note_id = $1`},
}

const (
	attemptsOf = `delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id JOIN events e ON e.id = d.event_id
		WHERE e.note_id = $1`
	issueExchangeOf = `fiscal_exchanges WHERE note_id = $1 AND kind = 'issue'`
	callTook        = `(extract(epoch FROM ended_at - started_at) * 1000)::bigint`
)

// statesOf reads a note's states out of its timestamps.
func statesOf(note nfse.Note, creator string) []Step {
	steps := []Step{{note.CreatedAt, fact.NoteAccepted.Fact(), creator}}
	add := func(at *nfse.Timestamp, what fact.Fact) {
		if at != nil {
			steps = append(steps, Step{*at, what, "workflow"})
		}
	}
	add(note.ProcessingAt, fact.NoteProcessing.Fact())
	add(note.IssuedAt, fact.NoteIssued.Fact())
	if r := note.Rejection; r != nil {
		add(note.RejectedAt, fact.NoteRejected.With("source", r.Source, "code", r.Code))
	}
	if c := note.Cancellation; c != nil && c.Status == nfse.CancellationNotNeeded {
		add(c.ResolvedAt, fact.CancellationNotNeeded.Fact())
	}
	add(note.CancelledAt, fact.NoteCancelled.Fact())
	return steps
}

// stages are the steps of a note's life in their order, by which those of one millisecond are shown: what
// one commit writes has the time of its beginning, and calls have their own.
var stages = map[fact.Code]int{
	fact.NoteAccepted: 1, fact.NoteProcessing: 2, fact.NumberTaken: 3, fact.MessageSigned: 4,
	fact.AuthorityCalled: 6, fact.AuthorityCalledInVain: 6, fact.AuthorityCallCutOff: 6, fact.NumberEnded: 7,
	fact.NoteIssued: 8, fact.NoteRejected: 8, fact.CancellationNotNeeded: 9, fact.NoteCancelled: 9,
	fact.EventMade: 10, fact.DeliveryAttempted: 11, fact.DeliveryAttemptedInVain: 11, fact.DeliveryFailed: 12,
	fact.DeliverySkipped: 12, fact.LedgerEntered: 13, fact.EmailMade: 14, fact.EmailSent: 15, fact.EmailFailed: 15,
	fact.EmailSkipped: 15,
}

// stageOf is the place of a step among those of its millisecond; others come before a call.
func stageOf(step Step) int { return cmp.Or(stages[step.Fact.Code], 5) }

// endsOf are the deliveries that ended otherwise than delivered.
func endsOf(deliveries []Delivery) (steps []Step) {
	for _, d := range deliveries {
		switch d.Status {
		case DeliveryFailed:
			ended := fact.DeliveryFailed.With("delivery", d.ID, "why", d.Reason)
			steps = append(steps, Step{*d.ResolvedAt, ended, d.EndpointID})
		case DeliverySkipped:
			ended := fact.DeliverySkipped.With("delivery", d.ID, "why", d.Reason)
			steps = append(steps, Step{*d.ResolvedAt, ended, d.EndpointID})
		}
	}
	return steps
}
