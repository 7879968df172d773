package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/books"
	"emissor/store/mails"
	"emissor/store/operate"
	"emissor/store/webhooks"
	"emissor/test/harness"
)

// filledMonths is an organization with so many notes in each of the months before this one, and for each of them an
// event, a delivery with an attempt, an e-mail, an entry of the ledger and one of the audit log. One of three was
// neither delivered nor sent.
func filledMonths(t *testing.T, months map[int]int) (live tenancy, endpointID string) {
	t.Helper()
	live = bookkeeping(t)
	most := 0
	for month := range months {
		most = max(most, month)
	}
	live.Exec(t, harness.PastParts(most+1))
	endpointID = live.addEndpoint(t)
	note := live.issue(t, "today", "")
	for month, notes := range months {
		live.Exec(t, `INSERT INTO notes SELECT older.* FROM notes n, generate_series(1, $2::int) i,
			jsonb_populate_record(n, jsonb_build_object('reference', 'order-' || $3::int || '-' || i, 'id',
				left(first_id('nfse_', now() - make_interval(months => $3::int, mins => i)), -2) || lpad(i::text, 2, '0'),
				'created_at', now() - make_interval(months => $3::int, mins => i))) older
			WHERE n.id = $1`, note, notes, month)
	}
	for _, statement := range []string{
		`DELETE FROM deliveries`, `DELETE FROM events`, `DELETE FROM emails`,
		`INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
			SELECT 'evt_' || substr(id, 6), organization_id, livemode, id, 'nfse.issued', '', created_at
			FROM notes WHERE reference <> 'today'`,
		`INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id, status, resolved_at, created_at)
			SELECT 'dlv_' || substr(e.id, 5), e.organization_id, e.livemode, e.id, w.id,
				CASE right(e.id, 1)::int % 3 WHEN 0 THEN 'failed' ELSE 'delivered' END, now(), e.created_at
			FROM events e, webhook_endpoints w`,
		`INSERT INTO delivery_attempts (id, delivery_id, started_at, duration_ms, answer)
			SELECT first_id(NULL, created_at)::bigint + row_number() OVER (ORDER BY id), id, created_at, 1, ''
			FROM deliveries`,
		`INSERT INTO emails (id, organization_id, livemode, note_id, status, resolved_at, created_at)
			SELECT 'eml_' || substr(id, 6), organization_id, livemode, id,
				CASE right(id, 1)::int % 3 WHEN 0 THEN 'failed' ELSE 'sent' END, now(), created_at
			FROM notes WHERE reference <> 'today'`,
		`INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents, created_at)
			SELECT 'led_' || substr(id, 6), organization_id, livemode, id, 'issued', 1, created_at
			FROM notes WHERE reference <> 'today'`,
		`INSERT INTO audit_log (id, at, organization_id, actor_kind, actor_id, actor_from, request_id, action, subject_id)
			SELECT 'aud_' || substr(id, 6), created_at, organization_id, 'key', 'key_1', '::1', '', 'note.cancel', id
			FROM notes WHERE reference <> 'today'`,
		`INSERT INTO fiscal_calls (id, note_id, what, started_at)
			SELECT first_id(NULL, created_at)::bigint + row_number() OVER (ORDER BY id), id, 'issue', created_at
			FROM notes WHERE reference <> 'today'`,
		`ANALYZE`,
	} {
		live.Exec(t, statement)
	}
	return live, endpointID
}

// newestFirstPage reads a page of ids after one, or before it.
type newestFirstPage func(after, before string) (ids []string, newer, older bool, err error)

// expectWalk fails the test unless the pages of a list are expected, to the oldest of them and back to the newest.
func expectWalk(t *testing.T, what string, expected []string, read newestFirstPage) {
	t.Helper()
	var walked []string
	first := true
	for after := ""; ; first = false {
		ids, newer, older, err := read(after, "")
		must(t, err)
		walked = append(walked, ids...)
		if newer == first || len(ids) == 0 && older {
			t.Fatalf("%s: the page after %q has %d, newer: %v, older: %v", what, after, len(ids), newer, older)
		}
		if !older {
			break
		}
		after = ids[len(ids)-1]
	}
	if !slices.Equal(walked, expected) {
		t.Errorf("%s: there are %d, of which pages show %d", what, len(expected), len(walked))
	}
	if len(expected) == 0 {
		return
	}
	back := expected[len(expected)-1:]
	for {
		ids, newer, older, err := read("", back[0])
		must(t, err)
		back = append(slices.Clone(ids), back...)
		if !older {
			t.Fatalf("%s: nothing is older than the page before %q", what, back[0])
		}
		if !newer {
			break
		}
	}
	if !slices.Equal(back, expected) {
		t.Errorf("%s: there are %d, of which pages back show %d", what, len(expected), len(back))
	}
}

// The pages of a list are the same regardless of the months that it was made in and of how many lie between them.
// Each page is planned for its own months, and not for those of all years.
func TestLists_AcrossMonths(t *testing.T) {
	live, endpoint := filledMonths(t, map[int]int{0: 12, 1: 5, 2: 1, 5: 7, 6: 15, 12: 3, 14: 8})
	t.Run("pages", func(t *testing.T) { pagesAcrossMonths(t, live, endpoint) })
	t.Run("plans", func(t *testing.T) { pagesOfTheirMonths(t, live, endpoint) })
}

func pagesAcrossMonths(t *testing.T, live tenancy, endpoint string) {
	ctx, scope := t.Context(), live.scope
	stored := func(query string, args ...any) (ids []string) {
		must(t, live.SQL.Select(&ids, query+` ORDER BY id DESC`, args...))
		return ids
	}
	for what, search := range map[string]webhooks.DeliverySearch{
		"": {}, "delivered": {Status: webhooks.DeliveryDelivered}, "failed": {Status: webhooks.DeliveryFailed},
		"pending": {Status: webhooks.DeliveryPending}, "endpoint": {EndpointID: endpoint},
		"failed of endpoint": {EndpointID: endpoint, Status: webhooks.DeliveryFailed},
		"of half a year":     {Since: time.Now().AddDate(0, -6, 0)},
	} {
		expected := stored(`SELECT id FROM deliveries WHERE ($1 = '' OR status = $1) AND created_at >= $2`, search.Status,
			search.Since)
		expectWalk(t, "deliveries "+what, expected, func(after, before string) (ids []string, newer, older bool, err error) {
			search.After, search.Before, search.Limit = after, before, 4
			page, err := live.Store.Webhooks.SearchDeliveries(ctx, scope, search)
			for _, one := range page.Deliveries {
				ids = append(ids, one.ID)
				if one.Attempts != 1 || one.EventType != nfse.EventIssued || one.EndpointID != endpoint {
					t.Fatalf("a delivery is %+v", one)
				}
			}
			return ids, page.Newer, page.Older, err
		})
	}
	for what, filter := range map[string]mails.EmailListFilter{
		"": {}, "sent": {Status: mails.EmailSent}, "failed": {Status: mails.EmailFailed},
		"pending":              {Status: mails.EmailPending},
		"of a year and a half": {Since: time.Now().AddDate(0, -13, 0), Until: time.Now().AddDate(0, -1, 0)},
	} {
		until := filter.Until
		if until.IsZero() {
			until = time.Now()
		}
		expected := stored(`SELECT id FROM emails WHERE ($1 = '' OR status = $1) AND created_at >= $2 AND created_at < $3`,
			filter.Status, filter.Since, until)
		expectWalk(t, "e-mails "+what, expected, func(after, before string) (ids []string, newer, older bool, err error) {
			filter.After, filter.Before, filter.Limit = after, before, 4
			page, err := live.Store.Mails.FilterEmails(ctx, scope, filter)
			for _, one := range page.Emails {
				ids = append(ids, one.ID)
				if one.Reference == "" || one.Customer == "" {
					t.Fatalf("an e-mail is %+v", one)
				}
			}
			return ids, page.Newer, page.Older, err
		})
	}
	for what, filter := range map[string]books.LedgerFilter{
		"": {Until: time.Now()}, "of a month": {Since: time.Now().AddDate(0, -1, 0), Until: time.Now()},
		"of months before": {Since: time.Now().AddDate(0, -14, 0), Until: time.Now().AddDate(0, -2, 0)},
	} {
		expected := stored(`SELECT id FROM ledger_entries WHERE created_at >= $1 AND created_at < $2`, filter.Since,
			filter.Until)
		expectWalk(t, "the ledger "+what, expected, func(after, before string) (ids []string, newer, older bool, err error) {
			filter.After, filter.Before, filter.Limit = after, before, 4
			page, err := live.Store.Books.FilterLedger(ctx, scope.OrganizationID, filter)
			for _, one := range page.Lines {
				ids = append(ids, one.ID)
			}
			return ids, page.Newer, page.Older, err
		})
		lines, err := live.Store.Books.LedgerBatch(ctx, scope.OrganizationID, filter.Since, filter.Until, "", 100)
		must(t, err)
		if len(lines) != len(expected) {
			t.Errorf("%d of %d entries of the ledger %s are exported", len(lines), len(expected), what)
		}
	}
	for what, filter := range map[string]audit.Filter{
		"": {}, "of an action": {Action: "note.cancel"},
		"of months before": {Since: time.Now().AddDate(0, -14, 0), Until: time.Now().AddDate(0, -2, 0)},
	} {
		until := filter.Until
		if until.IsZero() {
			until = time.Now()
		}
		expected := stored(`SELECT id FROM audit_log WHERE organization_id = $1 AND ($2 = '' OR action = $2) AND at >= $3
			AND at < $4`, scope.OrganizationID, filter.Action, filter.Since, until)
		expectWalk(t, "the audit log "+what, expected,
			func(after, before string) (ids []string, newer, older bool, err error) {
				filter.OrganizationID = scope.OrganizationID
				filter.After, filter.Before, filter.Limit = after, before, 4
				entries, more, err := live.Store.Audit.Log(ctx, filter)
				for _, one := range entries {
					ids = append(ids, one.ID)
				}
				return ids, after != "" || before != "" && more, before != "" || more, err
			})
	}
	calls, err := live.Store.Operate.LatestCalls(ctx, 100)
	must(t, err)
	latest, err := live.Store.Operate.LatestCalls(ctx, 14)
	must(t, err)
	same := func(a, b operate.AuthorityCall) bool { return a.NoteID == b.NoteID }
	if len(calls) != 51 || !slices.EqualFunc(latest, calls[:14], same) {
		t.Errorf("there are %d calls, of which the latest are %d", len(calls), len(latest))
	}
}

func pagesOfTheirMonths(t *testing.T, live tenancy, endpoint string) {
	p, ctx, scope := newPlanned(t, live.Database), t.Context(), live.scope
	// Those of two months and those that are made ahead, or those of a month and one around it, of seventeen.
	const most, limit = 5, 5
	half := time.Now().AddDate(0, -6, 0)
	for _, search := range []webhooks.DeliverySearch{{}, {EndpointID: endpoint}, {Status: webhooks.DeliveryDelivered},
		{Since: time.Now().AddDate(0, 0, -3)}} {
		search.Limit = limit
		p.expectParts(t, fmt.Sprintf("deliveries %+v", search), most, func() error {
			return second(p.Webhooks.SearchDeliveries(ctx, scope, search))
		})
	}
	for _, filter := range []mails.EmailListFilter{{}, {Status: mails.EmailSent}, {Since: time.Now().AddDate(0, 0, -3)}} {
		filter.Limit = limit
		p.expectParts(t, fmt.Sprintf("e-mails %+v", filter), most, func() error {
			return second(p.Mails.FilterEmails(ctx, scope, filter))
		})
	}
	emailOf := func(reference string) string {
		return live.Text(t, `SELECT e.id FROM emails e JOIN notes n ON n.id = e.note_id WHERE n.reference = $1`, reference)
	}
	for _, filter := range []mails.EmailListFilter{{After: emailOf("order-6-1")}, {Before: emailOf("order-6-15")}} {
		filter.Limit = limit
		p.expectParts(t, fmt.Sprintf("e-mails %+v", filter), most, func() error {
			return second(p.Mails.FilterEmails(ctx, scope, filter))
		})
	}
	month := books.LedgerFilter{Since: half.AddDate(0, -1, 0), Until: half, Limit: limit}
	p.expectParts(t, "the ledger of a month", most, func() error {
		return second(p.Books.FilterLedger(ctx, scope.OrganizationID, month))
	})
	p.expectParts(t, "an export of a month", most, func() error {
		return second(p.Books.LedgerBatch(ctx, scope.OrganizationID, month.Since, month.Until, "", 100))
	})
	p.expectParts(t, "the sums of a month", most, func() error {
		return second(p.Books.LedgerSums(ctx, scope.OrganizationID, month.Since, month.Until))
	})
	for _, filter := range []audit.Filter{{}, {OrganizationID: scope.OrganizationID},
		{Since: half.AddDate(0, -1, 0), Until: half}} {
		filter.Limit = limit
		p.expectParts(t, fmt.Sprintf("the audit log %+v", filter), most, func() error {
			return third(p.Audit.Log(ctx, filter))
		})
	}
	p.expectParts(t, "the latest calls", most, func() error { return second(p.Operate.LatestCalls(ctx, limit)) })
}
