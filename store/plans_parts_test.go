package store_test

import (
	"fmt"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/webhooks"
	"emissor/test/testkit"
)

// cutAmong cuts the tables into parts again, so that the rows of manyRows, whose ids hold no time, lie in all of
// them, at least three.
func cutAmong(t *testing.T, database *testkit.Database) {
	t.Helper()
	hex := func(prefix string) func(i, parts int) string {
		return func(i, parts int) string { return fmt.Sprintf("'%s%026x'", prefix, 16_000*i/parts) }
	}
	numbered := func(rows int) func(i, parts int) string {
		return func(i, parts int) string { return fmt.Sprint(rows * i / parts) }
	}
	for table, bound := range map[string]func(i, parts int) string{
		"notes": hex("nfse_"), "note_documents": hex("nfse_"), "emails": hex("eml_"), "ledger_entries": hex("led_"),
		"events": hex("evt_"), "deliveries": hex("dlv_"), "delivery_attempts": numbered(16_000),
		"fiscal_calls": numbered(8_000),
		"audit_log":    func(i, parts int) string { return fmt.Sprintf("'aud_%026d'", 20_000*i/parts) },
	} {
		var parts []string
		must(t, database.SQL.Select(&parts, `SELECT part::regclass::text FROM parts WHERE name = $1
			ORDER BY part_name LIKE '%' || to_char(now(), 'YYYYMM'), ends`, table)) // the last has rows of now
		if len(parts) < 3 {
			t.Fatalf("%s has the parts %v", table, parts)
		}
		for _, part := range parts {
			database.Exec(t, fmt.Sprintf(`ALTER TABLE %s DETACH PARTITION %s`, table, part))
		}
		for i, part := range parts {
			from, to := "MINVALUE", "MAXVALUE"
			if i > 0 {
				from = bound(i, len(parts))
			}
			if i < len(parts)-1 {
				to = bound(i+1, len(parts))
			}
			database.Exec(t, fmt.Sprintf(`ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%s)`, table, part,
				from, to))
		}
	}
}

// expectParts fails the test unless each statement of what do does names so many parts of each table at most, and
// each of them once.
func (p *planned) expectParts(t *testing.T, what string, most int, do func() error) {
	t.Helper()
	p.plans = nil
	must(t, do())
	if len(p.plans) == 0 {
		t.Fatalf("%s: the server sent no plan", what)
	}
	for _, plan := range p.plans {
		parts, often := map[string]int{}, map[string]int{}
		for _, node := range plan.all() {
			if node.Part == node.Relation {
				continue // it has none
			}
			if often[node.Part]++; often[node.Part] == 1 {
				parts[node.Relation]++
			}
		}
		for part, times := range often {
			if times > 1 {
				t.Errorf("%s: a statement reads %s %d times", what, part, times)
			}
		}
		for table, parts := range parts {
			if parts > most {
				t.Errorf("%s: a statement reads %d parts of %s", what, parts, table)
			}
		}
	}
}

// What is done for every note or delivery is planned for the part of its time, and one before at the turn of a month.
// What is asked of a note by a person may be of any time: it is looked for once in each part.
func TestPlans_PartsOfTheTime(t *testing.T) {
	n, certificate := newIssuer(t)
	endpoint := n.addEndpoint(t)
	note := n.signed(t, certificate, "order").NoteID
	event, delivery := nfse.NewID(nfse.PrefixEvent), nfse.NewID(nfse.PrefixDelivery)
	n.Exec(t, `INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
		VALUES ($1, $2, true, $3, 'nfse.issued', '{}', now())`, event, n.scope.OrganizationID, note)
	n.Exec(t, `INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id)
		VALUES ($1, $2, true, $3, $4)`, delivery, n.scope.OrganizationID, event, endpoint)
	p, ctx := newPlanned(t, n.Database), t.Context()
	const ofTheTime, all = 2, 4 // a new table has four
	p.expectParts(t, "a note", ofTheTime, func() error { return second(p.Notes.Note(ctx, n.scope, note)) })
	p.expectParts(t, "an exchange", ofTheTime, func() error {
		return second(p.Exchanges.Exchange(ctx, note,
			fiscal.Issue))
	})
	p.expectParts(t, "a lease", ofTheTime, func() error {
		return second(p.Lifecycle.LeaseExchange(ctx, note, fiscal.Issue, issuing))
	})
	p.expectParts(t, "a delivery to send", ofTheTime, func() error {
		return second(p.Webhooks.DeliveryToSend(ctx,
			delivery))
	})
	p.expectParts(t, "what is delivered", ofTheTime, func() error {
		return second(p.Webhooks.DeliveryPayload(ctx, n.scope, delivery))
	})
	p.expectParts(t, "an attempt", ofTheTime, func() error {
		return p.Webhooks.RecordAttempt(ctx, delivery, nfse.DeliveryAttempt{StartedAt: nfse.Timestamp{Time: time.Now()}},
			webhooks.DeliveryOutcome{Status: webhooks.DeliveryDelivered})
	})
	p.expectParts(t, "notes by a number", all, func() error { return second(p.Notes.NotesNamed(ctx, n.scope, "1")) })
	for _, id := range []string{event, delivery} {
		p.expectParts(t, "the note of "+id, all, func() error {
			ids, err := p.Notes.NotesNamed(ctx, n.scope, id)
			if err == nil && (len(ids) != 1 || ids[0] != note) {
				t.Errorf("%s is of the notes %q", id, ids)
			}
			return err
		})
	}
	p.expectParts(t, "a note's page", all, func() error { return second(p.Lifecycle.NoteHistory(ctx, note)) })
	p.expectParts(t, "a note's messages", all, func() error { return second(p.Notes.NoteMessages(ctx, n.scope, note)) })
}
