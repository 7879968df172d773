package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/books"
	"emissor/store/notes"
	"emissor/store/operate"
	"emissor/store/received"
	"emissor/test/testkit"
)

// manyRecords adds what pages show besides notes: months of a hundred notes each, notes received, a
// week of requests, spreadsheets, and failures of every kind.
func manyRecords(t *testing.T, database *testkit.Database) {
	t.Helper()
	const scopes = `(SELECT row_number() OVER (ORDER BY organization_id, livemode) AS n, organization_id, livemode,
		id AS key_id FROM (SELECT DISTINCT ON (organization_id, livemode) * FROM api_keys
			ORDER BY organization_id, livemode, created_at) keys) scope`
	for _, statement := range []string{
		`ALTER TABLE notes DISABLE TRIGGER USER`,
		`UPDATE notes SET competence = ('2024-01-01'::date + (substr(reference, 7)::int - 1) / 100 * interval '1 month'
			+ substr(reference, 7)::int % 28 * interval '1 day')::date WHERE reference LIKE 'order-%'`,
		`ALTER TABLE notes ENABLE TRIGGER USER`,
		`INSERT INTO distributions (id, authority, production, tax_id, tells_of_all, succeeded_at, notes_since)
			SELECT 'dst_' || n, 'national', false, n::text, true, now(), now() - interval '1 day'
			FROM ` + scopes + ` WHERE livemode`,
		`INSERT INTO fiscal_profiles (organization_id, authority, profile) SELECT organization_id, 'national',
			jsonb_build_object('production', false, 'tax_id', n::text) FROM ` + scopes + ` WHERE livemode`,
		`INSERT INTO tax_id_claims (authority, production, tax_id, organization_id, owner, source)
			SELECT 'national', false, n::text, organization_id, true, 'certificate' FROM ` + scopes + ` WHERE livemode`,
		`INSERT INTO distributed_notes (note_id, distribution_id, position)
			SELECT n.id, 'dst_' || scope.n, 1 FROM notes n JOIN ` + scopes + ` USING (organization_id, livemode)
			WHERE livemode`,
		`INSERT INTO external_documents (distribution_id, position, access_key, message_id, series, number, digest,
				correlation_id, note_id, linked_by, xml)
			SELECT distribution_id, 1, note_id, '', 1, 1, '', '', note_id, 'digest', '' FROM distributed_notes`,
		`INSERT INTO received_notes (organization_id, livemode, production, distribution_id, position, access_key, role,
				issuer_tax_id, issuer_name, number, competence, issued_at, service_code, description, place_code,
				amount_cents, iss_withheld_by, xml, xml_hash)
			SELECT organization_id, true, false, 'dst_' || n, i, lpad(i::text, 50, '0'), 'taker', lpad(i::text, 14, '0'),
				'Fornecedor', i::text, '2024-01-01'::date + i / 4, now(), '', '', '', 1, 1, '', ''
			FROM ` + scopes + `, generate_series(1, 3000) i WHERE livemode`,
		`SELECT add_request_day(day::date) FROM generate_series((now() AT TIME ZONE 'UTC')::date - 6,
			(now() AT TIME ZONE 'UTC')::date, interval '1 day') day`,
		`INSERT INTO api_requests (id, organization_id, livemode, at, api_key_id, method, route, status, microseconds,
				error_code, note_id, body_bytes, fields, other_fields)
			SELECT 'req_' || lpad(i::text, 26, '0'), organization_id, livemode,
				now() - interval '6 days' * (1 - i / 4000.0), key_id, 'POST', '/v1/nfse',
				CASE WHEN i % 50 = 0 THEN 422 ELSE 202 END, 1, CASE WHEN i % 50 = 0 THEN 'invalid_request' END,
				CASE WHEN i % 2 = 0 THEN 'nfse_' || organization_id || livemode || i END, 0, '[]', 0
			FROM ` + scopes + `, generate_series(1, 4000) i`,
		`INSERT INTO refused_keys SELECT organization_id, livemode, key_id || i, now()::date - i % 7, 1
			FROM ` + scopes + `, generate_series(1, 100) i`,
		`INSERT INTO batches (id, organization_id, livemode, user_id, digest, status, lines, amount_cents, accepted_at,
				accepted_by, finished_at)
			SELECT 'bat_' || n || '_' || lpad(i::text, 4, '0'), organization_id, livemode, 'usr_', i::text, 'done', 20, 1,
				now(), 'usr_', now() FROM ` + scopes + `, generate_series(1, 500) i`,
		`INSERT INTO batch_lines (batch_id, line, status, code) SELECT id, line, 'failed', 'x'
			FROM batches, generate_series(1, 20) line`,
		`UPDATE deliveries SET status = 'failed' WHERE id LIKE '%0__'`,
		`INSERT INTO month_archives (id, organization_id, livemode, month, status, cleared)
			SELECT 'arc_' || n || '_' || i, organization_id, livemode, '2024-01-01', 'removed', true
			FROM ` + scopes + `, generate_series(1, 500) i`,
		`INSERT INTO users (id, email) SELECT 'usr_' || i, i || '@example.com' FROM generate_series(1, 2000) i`,
		`INSERT INTO alerts (user_id, alert_key, organization_id, kind, subject_id, due_at)
			SELECT 'usr_' || 1 + i % 2000, 'rejection ' || i, '', 'alarm', '', now() + interval '1 day'
			FROM generate_series(1, 20000) i`,
		`INSERT INTO note_figures SELECT organization_id, livemode, '2018-01-01'::date + i, 'state', name, 1, 1
			FROM ` + scopes + `, generate_series(1, 2000) i, unnest('{issued,rejected}'::text[]) name ON CONFLICT DO NOTHING`,
		`INSERT INTO authority_hours SELECT 'national', false, '', date_trunc('hour', now(), 'UTC') -
				make_interval(hours => h), 'answered', power, 10
			FROM generate_series(0, 24 * 90) h, generate_series(1, 10) power`,
	} {
		database.Exec(t, statement)
	}
	// Pages are read along what VACUUM knows to be visible to all.
	database.Exec(t, `VACUUM ANALYZE`)
}

// A page of a month, of notes received, of requests and of spreadsheets reads few of many rows.
func pagesAreBounded(t *testing.T, database crowded) {
	manyRecords(t, database.Database)
	p := newPlanned(t, database.Database)
	// What is bounded by more rows than there are here is sooner read as a whole.
	along := newPlanned(t, &testkit.Database{URL: database.URL + "&enable_seqscan=off&enable_bitmapscan=off" +
		"&enable_hashjoin=off&enable_mergejoin=off&enable_material=off"})
	for key, scope := range database.keys {
		in := fmt.Sprintf("%s: ", scope.Environment())
		var apiKey string
		if one, err := p.Access.APIKey(t.Context(), key, anywhere); err != nil {
			t.Fatal(err)
		} else {
			apiKey = one.ID
		}
		notesAreBounded(t, p, along, in, scope)
		requestsAreBounded(t, p, along, in, scope, apiKey)
		batch := database.Text(t, `SELECT min(id) FROM batches WHERE organization_id = $1 AND livemode = $2`,
			scope.OrganizationID, scope.Livemode)
		p.expectTouches(t, in+"the figures of the last days and the first day", 50, func() error {
			return second(p.Operate.NoteFigures(t.Context(), scope, time.Now().AddDate(0, 0, -30)))
		})
		p.expectTouches(t, in+"spreadsheets", 50, func() error { return second(p.Batches.Batches(t.Context(), scope, 50)) })
		p.expectTouches(t, in+"the lines of a spreadsheet", 20, func() error {
			return second(p.Batches.BatchTotals(t.Context(), scope, batch))
		})
		p.expectTouches(t, in+"the result of a spreadsheet", 20, func() error {
			return second(p.Batches.BatchResults(t.Context(), scope, batch, 0, false, 50))
		})
		if scope.Livemode {
			receivedAreBounded(t, p, scope)
			along.expectTouches(t, "the books of a month", 101, func() error {
				return second(along.Books.MonthBooks(t.Context(), scope.OrganizationID, "2024-05", 100))
			})
		}
	}
	loopsAreBounded(t, p)
}

func notesAreBounded(t *testing.T, p, along *planned, in string, scope nfse.Scope) {
	t.Helper()
	ctx := t.Context()
	page, err := p.Notes.FilterNotes(ctx, scope, notes.NoteFilter{Month: "2024-05", Limit: 20})
	must(t, err)
	within := page.Notes[10].ID
	for what, filter := range map[string]notes.NoteFilter{
		"of a month": {Month: "2024-05"}, "of a month, older": {Month: "2024-05", After: within},
		"of a month, newer":          {Month: "2024-05", Before: within},
		"by competence":              {Sort: notes.SortCompetence},
		"by competence, older":       {Sort: notes.SortCompetence, After: within},
		"of a month without any":     {Month: "2020-01"},
		"of a month, under way":      {Month: "2024-05", Status: nfse.StatusProcessing},
		"of a month, rejected":       {Month: "2024-05", Status: nfse.StatusRejected},
		"of a month, of no customer": {Month: "2024-05", CustomerIDs: []string{"cus_"}},
	} {
		filter.Limit = 50
		p.expectTouches(t, in+"notes "+what, 52, func() error { return second(p.Notes.FilterNotes(ctx, scope, filter)) })
	}
	for what, filter := range map[string]notes.NoteFilter{
		"of a month, by value":  {Month: "2024-05", Sort: notes.SortAmount},
		"of a month of a value": {Month: "2024-05", AmountCents: 7},
	} {
		filter.Limit = 50
		p.expectTouches(t, in+"notes "+what, 101, func() error { return second(p.Notes.FilterNotes(ctx, scope, filter)) })
	}
	for what, filter := range map[string]notes.NoteFilter{
		"of a month": {Month: "2024-05"}, "of a month of a value": {Month: "2024-05", AmountCents: 1},
	} {
		p.expectTouches(t, in+"the sums of notes "+what, 101, func() error {
			return second(p.Notes.SumNotes(ctx, scope, filter))
		})
	}
	along.expectTouches(t, in+"notes by value", 2000, func() error { // all of the scope, none of others
		return second(along.Notes.FilterNotes(ctx, scope, notes.NoteFilter{Sort: notes.SortAmount, Limit: 50}))
	})
	p.expectTouches(t, in+"notes named in part", 2000, func() error {
		return second(p.Notes.NotesNamedInPart(ctx, scope, "der-1950", time.Time{}, time.Time{}))
	})
	p.expectTouches(t, in+"notes to archive", 51, func() error {
		return second(p.Books.NotesToArchive(ctx, books.Archive{Scope: scope, Month: "2024-05"}, 50))
	})
	p.expectTouches(t, in+"whether a month has changed", 101, func() error {
		return second(p.Books.ChangedSince(ctx, books.Archive{Scope: scope, Month: "2024-05"}, 0))
	})
	p.expectTouches(t, in+"the ZIP of a month", 1, func() error {
		_, err := p.Books.ArchiveOf(ctx, scope, "2024-01")
		if err == books.ErrNoArchive {
			err = nil
		}
		return err
	})
}

func requestsAreBounded(t *testing.T, p, along *planned, in string, scope nfse.Scope, apiKey string) {
	t.Helper()
	ctx, within := t.Context(), "req_"+strings.Repeat("0", 22)+"2000"
	for what, search := range map[string]operate.RequestSearch{
		"": {}, "older": {After: within}, "newer": {Before: within}, "of a key": {APIKeyID: apiKey},
		"refused": {StatusClass: 4}, "of a code": {Code: nfse.CodeInvalidRequest},
		"of an operation": {Method: "POST", Route: "/v1/nfse"},
		"of a note":       {NoteIDs: []string{"nfse_" + scope.OrganizationID + "true100"}},
	} {
		search.Limit = 50
		p.expectTouches(t, in+"requests "+what, 100, func() error { // 51, and some of each day to merge
			return second(p.Operate.SearchRequests(ctx, scope, search))
		})
	}
	p.expectTouches(t, in+"a request", 2, func() error { return second(p.Operate.RequestIn(ctx, scope, within)) })
	along.expectTouches(t, in+"refused keys", 100, func() error {
		return second(along.Operate.RefusedKeysIn(ctx,
			scope))
	})
}

func receivedAreBounded(t *testing.T, p *planned, scope nfse.Scope) {
	t.Helper()
	ctx, within := t.Context(), strings.Repeat("0", 46)+"1500"
	for what, filter := range map[string]received.ReceivedFilter{
		"": {}, "older": {After: within}, "newer": {Before: within},
		"of a month":  {Since: "2024-05-01", Until: "2024-05-31"},
		"cancelled":   {Status: received.ReceivedCancelled},
		"to pay":      {Withheld: true},
		"of a number": {Number: "1500"}, "of an issuer": {IssuerTaxID: "00000000001500"},
		"cancelled, older": {Status: received.ReceivedCancelled, After: within},
	} {
		filter.Limit = 50
		p.expectTouches(t, "notes received "+what, 52, func() error {
			return second(p.Received.ReceivedNotes(ctx, scope,
				filter))
		})
	}
	ofMonth := received.ReceivedFilter{Since: "2024-05-01", Until: "2024-05-31", IssuerName: "zacarias", Limit: 50}
	p.expectTouches(t, "notes received of a month, by name", 130, func() error {
		return second(p.Received.ReceivedNotes(ctx, scope, ofMonth))
	})
	p.expectTouches(t, "the sums of notes received", 130, func() error {
		return second(p.Received.ReceivedSums(ctx, scope, received.ReceivedFilter{Since: "2024-05-01",
			Until: "2024-05-31"}))
	})
	p.expectTouches(t, "a note received", 1, func() error { return second(p.Received.ReceivedNote(ctx, scope, within)) })
}

// What operators see, and what is looked for again and again, reads what is wrong and not what is there.
func loopsAreBounded(t *testing.T, p *planned) {
	t.Helper()
	ctx := t.Context()
	p.expectTouches(t, "what is wrong", 1000, func() error { return second(p.Operate.Troubles(ctx, time.Now(), 50)) })
	p.expectTouches(t, "how authorities do", 5010, func() error { return second(p.Operate.AuthorityHealths(ctx)) })
	p.expectTouches(t, "spreadsheets that do not move", 0, func() error {
		return third(p.Batches.RequeueBatches(ctx,
			50))
	})
	p.expectTouches(t, "ZIPs that do not move", 0, func() error { return third(p.Books.RequeueArchives(ctx, 50)) })
	p.expectTouches(t, "ZIPs to remove", 0, func() error { return third(p.Books.RemoveArchives(ctx, 50)) })
	p.expectTouches(t, "alerts", 1000, func() error { return p.Operate.Alert(ctx, false) })
}
