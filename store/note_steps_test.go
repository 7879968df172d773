package store_test

import (
	"slices"
	"testing"
	"time"

	"emissor/nfse/fact"
)

// Every row of a note that tells a step is in its history, in order, as the fact that it is.
func TestNoteHistory_StepsOfRows(t *testing.T) {
	n, certificate := newIssuer(t)
	note := n.signed(t, certificate, "order").NoteID
	organization, endpoint := n.scope.OrganizationID, n.addEndpoint(t)
	n.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id) VALUES ('dst_1', 'national', false, 'x')`)
	began := time.Now().Add(time.Hour).Truncate(time.Second)
	var expected []string
	// row puts on record what happened next: of the note $1, at $2.
	row := func(step, statement string, more ...any) {
		t.Helper()
		at := began.Add(time.Duration(len(expected)) * time.Second)
		n.Exec(t, statement, append([]any{note, at}, more...)...)
		expected = append(expected, step)
	}
	row("took the DPS number 1 of series 1 (national, restricted)",
		`UPDATE fiscal_exchanges SET created_at = $2 WHERE note_id = $1`)
	row("signed DOC1 with "+certificate, `UPDATE fiscal_messages SET created_at = $2
		WHERE exchange_id = (SELECT id FROM fiscal_exchanges WHERE note_id = $1)`)
	row("authority: issue, cut off", `INSERT INTO fiscal_calls (note_id, started_at, what) VALUES ($1, $2, 'issue')`)
	row("authority: find: not found (1500 ms)", `INSERT INTO fiscal_calls (note_id, started_at, what, ended_at, outcome)
		VALUES ($1, $2, 'find', $2::timestamptz + interval '1.5 s', 'not_found')`)
	row("authority: find: unknown, no answer in time (2 ms)",
		`INSERT INTO fiscal_calls (note_id, started_at, what, ended_at, outcome, reason)
		VALUES ($1, $2, 'find', $2::timestamptz + interval '2 ms', 'unknown', $3)`, fact.NoAnswerInTime.Fact())
	row("the DPS number 1 of series 1 is unused",
		`UPDATE fiscal_exchanges SET updated_at = $2, state = 'unused' WHERE note_id = $1`)
	row("ALARM: entry", `INSERT INTO note_steps (note_id, at, fact) VALUES ($1, $2, $3)`,
		fact.Alarm.With("what", fact.ExternalEntry.Fact()))

	row("event evt_0 nfse.issued", `INSERT INTO events (id, organization_id, livemode, note_id, type, payload,
		created_at) VALUES ('evt_0', $3, true, $1, 'nfse.issued', '{}', $2)`, organization)
	n.Exec(t, `INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id)
		VALUES ('dlv_0', $1, true, 'evt_0', $2)`, organization, endpoint)
	const attempt = `INSERT INTO delivery_attempts (delivery_id, started_at, duration_ms, answer, problem)
		SELECT 'dlv_0', $2, 7, '', $3 WHERE $1 <> ''`
	row("delivery dlv_0, attempt of 7 ms: the URL must look like https://host/path", attempt,
		fact.EndpointURLForm.Fact())
	row("delivery dlv_0, attempt of 7 ms: delivered", attempt, nil)
	const ended = `UPDATE deliveries SET status = $3, reason = $4, resolved_at = $2 WHERE $1 <> ''`
	row("delivery dlv_0 skipped: “x”", ended, "skipped", fact.InWords("x"))

	row("e-mail eml_0 to the customer", `INSERT INTO emails (id, organization_id, livemode, note_id, created_at)
		VALUES ('eml_0', $3, true, $1, $2)`, organization)
	row("e-mail eml_0 failed: “x”", `UPDATE emails SET status = 'failed', reason = $3, resolved_at = $2
		WHERE note_id = $1`, fact.InWords("x"))
	row("ledger: issued", `INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents,
		created_at) VALUES ('led_0', $3, true, $1, 'issued', 1, $2)`, organization)

	const outside = `INSERT INTO external_events (distribution_id, position, access_key, type, sequence, title, effect,
		happened_at, content, content_hash, note_id, received_at, problem, applied_at, outcome)
		VALUES ('dst_1', 1, 'x', '305102', $3, $4, 'none', '2026-11-22T07:00:00-03:00', '', '', $1, $2, $5, $6, $7)`
	row("outside, at 2026-11-22T10:00:00Z: blocked by the city (event 305102, 1): to be applied", outside, 1,
		fact.ExternalBlocked.Fact(), nil, nil, nil)
	row("outside, at 2026-11-22T10:00:00Z: entry (event 305102, 2): makes this program fail", outside, 2,
		fact.ExternalEntry.Fact(), fact.UnreadFails.Fact(), nil, nil)
	row("outside, at 2026-11-22T10:00:00Z: entry (event 305102, 3): on record", outside, 3,
		fact.ExternalEntry.Fact(), nil, began, fact.EffectNone.Fact())
	row("outside: document 33, number 12 of series 3, linked by its correlation_id",
		`INSERT INTO external_documents (distribution_id, position, access_key, message_id, series, number, digest,
			correlation_id, note_id, linked_by, xml, received_at)
		VALUES ('dst_1', 1, '33', '', 3, 12, '', '', $1, 'correlation_id', '', $2)`)

	if found := n.stepsSince(t, note, began); !slices.Equal(found, expected) {
		t.Errorf("the steps are\n%q\nexpected\n%q", found, expected)
	}
	n.Exec(t, `UPDATE emails SET status = 'skipped'`)
	n.Exec(t, `UPDATE deliveries SET status = 'failed'`)
	for _, step := range []string{"e-mail eml_0 not sent: “x”", "delivery dlv_0 failed: “x”"} {
		if found := n.stepsSince(t, note, began); !slices.Contains(found, step) {
			t.Errorf("%s is not among %q", step, found)
		}
	}
	n.Exec(t, `UPDATE emails SET status = 'sent', reason = NULL`)
	if found := n.stepsSince(t, note, began); !slices.Contains(found, "e-mail eml_0 sent") {
		t.Errorf("that it was sent is not among %q", found)
	}
}

// stepsSince are the steps of a note from a moment on, in English.
func (n tenancy) stepsSince(t *testing.T, noteID string, since time.Time) (said []string) {
	t.Helper()
	history, err := n.Store.Lifecycle.NoteHistory(t.Context(), noteID)
	must(t, err)
	for _, step := range history.Steps {
		if !step.At.Before(since) {
			said = append(said, step.Fact.English())
		}
	}
	return said
}
