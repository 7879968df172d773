package lifecycle

import (
	"cmp"
	"context"
	"strings"

	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/postgres"
	"emissor/store/webhooks"
)

// Step is something that happened to a note.
type Step struct {
	At   nfse.Timestamp `db:"at" json:"at"`
	Fact fact.Fact      `db:"fact" json:"fact"`
	By   string         `db:"by" json:"by"`
}

// stepRows are rows of which each tells steps of the note $1: from where they are read, and what each tells.
type stepRows struct {
	from  string
	steps []toldStep
}

// toldStep is a step that a row tells where the condition is met: when it was, what, and by whom.
type toldStep struct{ where, at, fact, by string }

// recordedSteps reads the steps of a note's recordedRows, oldest first.
func (s *Store) recordedSteps(ctx context.Context, noteID string, deliveries []webhooks.Delivery) (steps []Step,
	err error) {
	var ids, endpoints []string
	for _, delivery := range deliveries {
		ids, endpoints = append(ids, delivery.ID), append(endpoints, delivery.EndpointID)
	}
	err = s.db.All(ctx, &steps, stepsOfNote, noteID, pq.Array(ids), pq.Array(endpoints))
	return steps, err
}

// stepsOfNote reads the steps of the note $1; $2 are its deliveries, and $3 the endpoint of each. Each table is read
// once, and the statement is planned once for a connection: planning takes longer than reading where a table lies in
// many parts.
var stepsOfNote = func() string {
	var all []string
	for _, rows := range recordedRows {
		var told []string
		for _, step := range rows.steps {
			told = append(told, `(`+step.where+`, `+step.at+`, `+step.fact+`, `+step.by+`)`)
		}
		all = append(all, `SELECT told.at, told.fact, told.by FROM (SELECT * FROM `+rows.from+`) AS one
			CROSS JOIN LATERAL (VALUES `+strings.Join(told, `, `)+`) AS told (is_so, at, fact, by) WHERE told.is_so`)
	}
	return strings.Join(all, ` UNION ALL `) + ` ORDER BY 1`
}()

var recordedRows = []stepRows{
	{`(SELECT s.*, coalesce(k.id || ' ' || k.label || ', ' || s.request_id, s.user_id, '') AS who
		FROM note_steps s LEFT JOIN api_keys k ON k.id = s.api_key_id WHERE s.note_id = $1) AS steps`,
		[]toldStep{{`true`, `at`, `fact`, `who`}}},

	{`events WHERE note_id = $1`, []toldStep{
		{`true`, `created_at`, postgres.FactSQL(fact.EventMade, "event", `id`, "type", `type`), `''`}}},
	{`delivery_attempts JOIN unnest($2::text[], $3::text[]) AS of (delivery_id, endpoint_id) USING (delivery_id)
		WHERE delivery_id = ANY($2)`, []toldStep{
		{`problem IS NULL`, `started_at`, postgres.FactSQL(fact.DeliveryAttempted, "delivery", `delivery_id`,
			"duration_ms", `duration_ms`), `endpoint_id`},
		{`problem IS NOT NULL`, `started_at`, postgres.FactSQL(fact.DeliveryAttemptedInVain, "delivery", `delivery_id`,
			"duration_ms", `duration_ms`, "why", `problem`), `endpoint_id`}}},
	{`emails WHERE note_id = $1 OR copy_of = $1`, []toldStep{
		{`true`, `created_at`, postgres.FactSQL(fact.EmailMade, "email", `id`), `''`},
		{`status = 'sent'`, `resolved_at`, postgres.FactSQL(fact.EmailSent, "email", `id`), `''`},
		{`status = 'failed'`, `resolved_at`, postgres.FactSQL(fact.EmailFailed, "email", `id`, "why", `reason`), `''`},
		{`status = 'skipped'`, `resolved_at`, postgres.FactSQL(fact.EmailSkipped, "email", `id`, "why", `reason`), `''`}}},
	{`ledger_entries WHERE note_id = $1`, []toldStep{
		{`true`, `created_at`, postgres.FactSQL(fact.LedgerEntered, "kind", `kind`), `''`}}},

	{`fiscal_exchanges WHERE note_id = $1 AND kind = 'issue'`, []toldStep{
		{`true`, `created_at`, postgres.FactSQL(fact.NumberTaken, "number", `number`, "series", `series`,
			"authority", `authority`,
			"environment", `CASE WHEN production THEN 'production' ELSE 'restricted' END`), `''`},
		{`state IN ('accepted', 'rejected', 'number_conflict', 'unused', 'spent')`, `updated_at`,
			postgres.FactSQL(fact.NumberEnded, "number", `number`, "series", `series`, "state", `state`), `''`}}},
	{`fiscal_messages WHERE exchange_id IN (SELECT id FROM fiscal_exchanges WHERE note_id = $1)`, []toldStep{
		{`true`, `created_at`,
			postgres.FactSQL(fact.MessageSigned, "message", `message_id`, "certificate", `certificate_id`), `''`}}},
	{`fiscal_calls WHERE note_id = $1`, []toldStep{
		{`outcome IS NULL`, `started_at`, postgres.FactSQL(fact.AuthorityCallCutOff, "operation", `what`), `''`},
		{`outcome IS NOT NULL AND reason IS NULL`, `started_at`,
			postgres.FactSQL(fact.AuthorityCalled, "operation", `what`, "outcome", `outcome`, "duration_ms", callTook), `''`},
		{`outcome IS NOT NULL AND reason IS NOT NULL`, `started_at`,
			postgres.FactSQL(fact.AuthorityCalledInVain, "operation", `what`, "outcome", `outcome`,
				"duration_ms", callTook, "why", `reason`), `''`}}},

	{`external_events WHERE note_id = $1`, []toldStep{
		{`true`, `received_at`, postgres.FactSQL(fact.ExternalHappened,
			"at", `to_char(happened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
			"title", `title`, "type", `type`, "event", `id`,
			"effect", `coalesce(problem, outcome, `+postgres.FactSQL(fact.EffectToCome)+`)`), `''`}}},
	{`external_documents WHERE note_id = $1`, []toldStep{
		{`true`, `received_at`, postgres.FactSQL(fact.ExternalDocumentFound, "access_key", `access_key`, "number", `number`,
			"series", `series`, "proof", `linked_by`), `''`}}},
}

const callTook = `(extract(epoch FROM ended_at - started_at) * 1000)::bigint`

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
func endsOf(deliveries []webhooks.Delivery) (steps []Step) {
	for _, d := range deliveries {
		switch d.Status {
		case webhooks.DeliveryFailed:
			ended := fact.DeliveryFailed.With("delivery", d.ID, "why", d.Reason)
			steps = append(steps, Step{*d.ResolvedAt, ended, d.EndpointID})
		case webhooks.DeliverySkipped:
			ended := fact.DeliverySkipped.With("delivery", d.ID, "why", d.Reason)
			steps = append(steps, Step{*d.ResolvedAt, ended, d.EndpointID})
		}
	}
	return steps
}
