package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/audit"
	"emissor/store/books"
	"emissor/store/companies"
	"emissor/store/mails"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
	"emissor/store/webhooks"
	"emissor/test/long"
	"emissor/test/testkit"
)

// planNode is a step of a plan that PostgreSQL has carried out.
type planNode struct {
	Type     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Index    string  `json:"Index Name"`
	Cond     string  `json:"Index Cond"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Filtered float64 `json:"Rows Removed by Filter"`
	Rechecks float64 `json:"Rows Removed by Index Recheck"`
	Plans    []planNode

	Part string `json:"-"` // of a table, which Relation names
}

// planned is a store whose server sends the plan of every statement along with
// its answer: of the real statement, with its real parameters.
type planned struct {
	*store.Store
	mu    sync.Mutex
	plans []planNode
}

func newPlanned(t *testing.T, database *testkit.Database) *planned {
	t.Helper()
	connector, err := pq.NewConnector(database.URL + "&binary_parameters=yes&session_preload_libraries=auto_explain" +
		"&auto_explain.log_min_duration=0&auto_explain.log_analyze=on&auto_explain.log_format=json" +
		"&auto_explain.log_level=notice&client_min_messages=notice")
	must(t, err)
	p := &planned{}
	db := sql.OpenDB(pq.ConnectorWithNoticeHandler(connector, func(notice *pq.Error) {
		var plan struct{ Plan planNode }
		if _, text, ok := strings.Cut(notice.Message, "plan:"); ok && json.Unmarshal([]byte(text), &plan) == nil {
			plan.Plan.ofTables()
			p.mu.Lock()
			defer p.mu.Unlock()
			p.plans = append(p.plans, plan.Plan)
		}
	}))
	t.Cleanup(func() { _ = db.Close() })
	p.Store = store.New(sqlx.NewDb(db, "postgres"), postgres.Config{})
	return p
}

// expectBounded fails the test unless what read does is a walk along an index
// that touches so many rows of each table at most, and sorts nothing.
func (p *planned) expectBounded(t *testing.T, what string, most int, read func() error) {
	t.Helper()
	p.plans = nil
	must(t, read())
	if len(p.plans) == 0 {
		t.Fatalf("%s: the server sent no plan", what)
	}
	for _, plan := range p.plans {
		for _, node := range plan.all() {
			touched := (node.Rows + node.Filtered + node.Rechecks) * node.Loops
			walks := node.Type == "Index Scan" || node.Type == "Index Only Scan"
			sorts := strings.Contains(node.Type, "Sort") && node.Rows > 0 // of months without any, nothing is sorted
			if sorts || node.Relation != "" && (!walks || touched > float64(most)) {
				t.Errorf("%s: %s of %s by %q touches %v rows", what, node.Type, node.Relation, node.Index, touched)
			}
		}
	}
}

// expectTouches fails the test unless what read does touches so many rows of each
// table at most, however it sorts them.
func (p *planned) expectTouches(t *testing.T, what string, most int, read func() error) {
	t.Helper()
	p.plans = nil
	must(t, read())
	for _, plan := range p.plans {
		for _, node := range plan.all() {
			touched := (node.Rows + node.Filtered + node.Rechecks) * node.Loops
			// The size of a catalogue depends on how many tables and parts there are, and not on what is in them.
			catalogue := strings.HasPrefix(node.Relation, "pg_")
			if node.Relation != "" && touched > float64(most) && !catalogue {
				t.Errorf("%s: %s of %s by %q touches %v rows", what, node.Type, node.Relation, node.Index, touched)
			}
		}
	}
}

// expectPointed fails the test unless what read does touches a row or two of each
// table, however it finds and sorts them.
func (p *planned) expectPointed(t *testing.T, what string, read func() error) {
	t.Helper()
	p.plans = nil
	must(t, read())
	for _, plan := range p.plans {
		for _, node := range plan.all() {
			if touched := (node.Rows + node.Filtered + node.Rechecks) * node.Loops; node.Relation != "" && touched > 2 {
				t.Errorf("%s: %s of %s by %q touches %v rows", what, node.Type, node.Relation, node.Index, touched)
			}
		}
	}
}

// ofTables has steps in parts name the table, and its index.
func (n *planNode) ofTables() {
	n.Part, n.Relation, n.Index = n.Relation, ofTable(n.Relation), ofTable(n.Index)
	for i := range n.Plans {
		n.Plans[i].ofTables()
	}
}

func (n planNode) all() []planNode {
	nodes := []planNode{n}
	for _, child := range n.Plans {
		nodes = append(nodes, child.all()...)
	}
	return nodes
}

// manyRows fills the tables for every organization alike, their records mixed
// as time mixes them. Nine of ten services have expired and are put away.
func manyRows(t *testing.T, database *testkit.Database) {
	t.Helper()
	const scopes = `(SELECT row_number() OVER () AS n, count(*) OVER () AS all, organization_id, livemode,
		id AS key_id FROM api_keys) scope`
	const id = `lpad(to_hex(i * scope.all + scope.n), 26, '0')`
	cutAmong(t, database)
	for _, statement := range []string{
		`INSERT INTO services (id, organization_id, livemode, name, description, municipality_code,
			default_amount_cents, active, created_at, expires_at, retired_at)
			SELECT 'srv_' || ` + id + `, organization_id, livemode, 'Consulta', 'Consulta médica', '3550308', 1, true,
			now() - make_interval(days => 100 - i / 20),
				CASE WHEN NOT livemode THEN now() + make_interval(days => i / 20 - 90) END,
				CASE WHEN NOT livemode AND i / 20 < 90 THEN now() END
			FROM generate_series(1, 2000) i, ` + scopes,
		`INSERT INTO service_classifications (service_id, organization_id, livemode, classification)
			SELECT id, organization_id, livemode, '{}' FROM services`,
		`INSERT INTO customers (id, organization_id, livemode, tax_id, name, municipality_declared)
			SELECT 'cus_' || ` + id + `, organization_id, livemode, lpad(i::text, 11, '0'), 'Maria', false
			FROM generate_series(1, 2000) i, ` + scopes,
		`INSERT INTO notes (id, organization_id, livemode, reference, payload_hash, payload_version, api_key_id,
			request_id, email_customer, register_ledger,
				confirm_municipal_operation, status, scenario, customer_id, service_id, amount_cents, iss_withheld,
				service, customer,
				municipality_code, municipality_source, municipality_verified, municipality_check_pending, issued_at,
				authority_issued_at)
			SELECT 'nfse_' || ` + id + `, organization_id, livemode, 'order-' || i, '', 1, key_id, 'req_', false,
			false, false, 'issued',
				CASE WHEN NOT livemode THEN 'authorized' END, 'cus_' || ` + id + `, 'srv_' || ` + id + `, 1, false,
				'{}', '{}', '3550308', 'zip_code', true, false, now(), now()
			FROM generate_series(1, 2000) i, ` + scopes,
		`INSERT INTO note_documents (note_id, xml) SELECT id, 'xml' FROM notes`,
		`INSERT INTO service_snapshots (organization_id, digest, service)
			SELECT organization_id, sha256(id::bytea), '{}' FROM services`,
		`INSERT INTO archive_segments (key, month, state, first_note, last_note, documents, size, digest)
			SELECT 'segment ' || i, '2020-01-01', 'stored', '', '', 1, 1, '' FROM generate_series(1, 2000) i`,
		`INSERT INTO emails (id, organization_id, livemode, note_id, status, resolved_at)
			SELECT replace(id, 'nfse_', 'eml_'), organization_id, livemode, id, 'sent', now()
			FROM notes WHERE livemode`,
		`INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents, created_at)
			SELECT replace(id, 'nfse_', 'led_'), organization_id, livemode, id, 'issued', 1,
				now() - interval '1 day' * (2100 - row_number() OVER (PARTITION BY organization_id ORDER BY id))
			FROM notes WHERE livemode`,
		`INSERT INTO fiscal_calls (id, note_id, what) SELECT row_number() OVER (ORDER BY id), id, 'issue'
			FROM notes WHERE livemode`,
		`INSERT INTO municipal_parameters (authority, production, municipality_code)
			SELECT 'national', i % 2 = 0, lpad(i::text, 7, '0') FROM generate_series(1, 10000) i`,
		`INSERT INTO zip_codes (zip_code, municipality_code) SELECT lpad(i::text, 8, '0'), '3550308'
			FROM generate_series(1, 20000) i`,
		`INSERT INTO zip_code_ranges (zip_start, zip_end, municipality_code)
			SELECT lpad((i * 1000)::text, 8, '0'), lpad((i * 1000 + 999)::text, 8, '0'), '3550308'
			FROM generate_series(1, 20000) i`,
		`INSERT INTO api_keys (id, organization_id, livemode, label, hash, email_customer, register_ledger,
			confirm_municipal_operation)
			SELECT 'key_' || i, (SELECT min(id) FROM organizations), false, 'old', sha256(i::text::bytea), false,
			false, false FROM generate_series(1, 2000) i`,
		`INSERT INTO audit_log (id, organization_id, actor_kind, actor_id, actor_from, request_id, action, subject_id)
			SELECT 'aud_' || lpad(i::text, 26, '0'), coalesce(o.id, 'org_' || i % 20), 'key', 'key_' || i / 20 % 20,
				'::1', '', 'note.cancel', 'nfse_' || i
			FROM generate_series(1, 20000) i
			LEFT JOIN (SELECT id, row_number() OVER () AS place FROM organizations) o ON place = i % 20`,
		`INSERT INTO webhook_endpoints (id, organization_id, livemode, url, secret)
			SELECT 'whe_' || md5(i || organization_id || livemode), organization_id, livemode,
				'https://example.com/', ''
			FROM generate_series(1, 1000) i, (SELECT DISTINCT organization_id, livemode FROM api_keys) scope`,
		`INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
			SELECT 'evt_' || substr(n.id, 6), n.organization_id, n.livemode, n.id, 'nfse.issued', '', now()
			FROM notes n`,
		`INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id, status, resolved_at)
			SELECT 'dlv_' || substr(id, 5), organization_id, livemode, id, w.endpoint_id,
				CASE WHEN id LIKE '%0__' THEN 'failed' ELSE 'delivered' END, now()
			FROM events JOIN (SELECT organization_id, livemode, min(id) AS endpoint_id FROM webhook_endpoints
				GROUP BY 1, 2) w USING (organization_id, livemode)`,
		`INSERT INTO delivery_attempts (id, delivery_id, started_at, duration_ms, answer)
			SELECT row_number() OVER (ORDER BY id), id, now(), 1, '' FROM deliveries`,
		`ANALYZE`,
	} {
		database.Exec(t, statement)
	}
}

// crowded is a database that manyRows has filled.
type crowded struct {
	*testkit.Database
	organizations []string              // their ids
	keys          map[string]nfse.Scope // by the texts of their keys
}

// What reads, counts or removes some of many rows touches few of them. Filling the tables
// takes longer than reading them, so they are filled once, and each case has a copy.
func TestPlans_ManyRows(t *testing.T) {
	long.Only(t, "looks at the plans of statements at many rows")
	filled := crowded{Database: testkit.FreshDatabase(t), keys: map[string]nfse.Scope{}}
	for i := range 4 {
		organization, test, live := filled.NewOrganization(t, fmt.Sprint("Clínica ", i))
		filled.organizations = append(filled.organizations, organization.ID)
		filled.keys[test] = nfse.Scope{OrganizationID: organization.ID}
		filled.keys[live] = nfse.Scope{OrganizationID: organization.ID, Livemode: true}
	}
	manyRows(t, filled.Database)
	must(t, filled.Store.Books.RollUpClosings(t.Context()))
	filled.Exec(t, `VACUUM ANALYZE closing_moves`)
	filled.Exec(t, `ANALYZE closing_figures`)
	for what, test := range map[string]func(*testing.T, crowded){
		"reads are bounded":          readsAreBounded,
		"what waits for people":      whatWaitsForPeople,
		"pages are bounded":          pagesAreBounded,
		"gauges are bounded":         gaugesAreBounded,
		"removing copies is bounded": oldCopiesAreBounded,
	} {
		t.Run(what, func(t *testing.T) {
			test(t, crowded{filled.Copy(t), filled.organizations, filled.keys})
		})
	}
}

func readsAreBounded(t *testing.T, database crowded) {
	p := newPlanned(t, database.Database)
	ctx := t.Context()
	// A generic plan, made once for any arguments, reads no more than a plan that is made for the arguments.
	once := newPlanned(t, &testkit.Database{URL: database.URL + "&plan_cache_mode=force_generic_plan"})

	for key, scope := range database.keys {
		in := fmt.Sprintf("%s: ", scope.Environment())
		var note struct {
			ID         string
			CustomerID string `db:"customer_id"`
			ServiceID  string `db:"service_id"`
		}
		must(t, database.SQL.Get(&note, `SELECT id, customer_id, service_id FROM notes WHERE organization_id = $1
			AND livemode = $2 AND reference = 'order-1950'`,
			scope.OrganizationID, scope.Livemode))

		endpoint := database.Text(t,
			`SELECT min(id) FROM webhook_endpoints WHERE organization_id = $1 AND livemode = $2`,
			scope.OrganizationID, scope.Livemode)
		otherEndpoint := database.Text(t, `SELECT max(id) FROM webhook_endpoints WHERE organization_id = $1
			AND livemode = $2`, scope.OrganizationID, scope.Livemode)
		p.expectBounded(t, in+"the key", 1, func() error { return second(p.Access.APIKey(ctx, key, anywhere)) })
		p.expectBounded(t, in+"a service", 1, func() error {
			return second(p.Catalogues.Service(ctx, scope,
				note.ServiceID))
		})
		p.expectBounded(t, in+"a classification", 1,
			func() error { return second(p.Catalogues.ServiceClassification(ctx, scope, note.ServiceID)) })
		p.expectBounded(t, in+"a customer", 1, func() error {
			return second(p.Catalogues.Customer(ctx, scope,
				note.CustomerID))
		})
		p.expectBounded(t, in+"a note", 1, func() error { return second(p.Notes.Note(ctx, scope, note.ID)) })
		p.expectBounded(t, in+"a document", 1, func() error { return second(p.Notes.NoteXML(ctx, scope, note.ID)) })
		p.expectBounded(t, in+"a new reference", 1,
			func() error { return third(p.Lifecycle.Replay(ctx, scope, nfse.Issuance{Reference: "new"})) })
		p.expectBounded(t, in+"a known reference", 1, func() error {
			if _, _, err := p.Lifecycle.Replay(ctx, scope, nfse.Issuance{Reference: "order-1000"}); !nfse.IsCode(err,
				nfse.CodeIdempotencyConflict) {
				return fmt.Errorf("order-1000 is no conflict: %w", err)
			}
			return nil
		})
		p.expectPointed(t, in+"notes by reference", func() error {
			return second(p.Notes.FilterNotes(ctx, scope, notes.NoteFilter{Reference: "order-1000", Limit: 50}))
		})
		p.expectPointed(t, in+"notes by request", func() error {
			return second(p.Notes.FilterNotes(ctx, scope, notes.NoteFilter{RequestID: nfse.NewID(nfse.PrefixRequest),
				Limit: 50}))
		})
		p.expectPointed(t, in+"notes named", func() error { return second(p.Notes.NotesNamed(ctx, scope, "order-1000")) })
		p.expectPointed(t, in+"notes of a customer", func() error {
			return second(p.Notes.FilterNotes(ctx, scope, notes.NoteFilter{CustomerIDs: []string{note.CustomerID},
				Limit: 50}))
		})
		p.expectPointed(t, in+"a customer called", func() error {
			return third(p.Catalogues.CustomersByWords(ctx, scope, "zacarias", 50))
		})
		p.expectTouches(t, in+"what was issued to a customer", 1000, func() error {
			return second(p.Notes.TotalsOfCustomer(ctx, scope, note.CustomerID))
		})
		p.expectPointed(t, in+"what is done after a note", func() error {
			return second(p.Notes.NoteDefaults(ctx, scope, note.ID))
		})
		p.expectPointed(t, in+"a customer by words", func() error {
			return third(p.Catalogues.FindCustomers(ctx, scope, "zacarias", 20))
		})
		p.expectTouches(t, in+"customers by a word that all have", 501, func() error {
			return third(p.Catalogues.FindCustomers(ctx, scope, "maria", 20))
		})
		p.expectTouches(t, in+"customers by a beginning of the tax id", 21, func() error {
			return third(p.Catalogues.FindCustomers(ctx, scope, "000", 20))
		})
		for what, filter := range map[string]audit.Filter{
			"organization": {OrganizationID: scope.OrganizationID}, "actor": {ActorID: "key_7"},
			"subject": {SubjectID: "nfse_100"}, "nothing": {},
			"action":        {OrganizationID: scope.OrganizationID, Action: "key.create"},
			"action of all": {Action: "key.create"},
			"not comings":   {OrganizationID: scope.OrganizationID, WithoutComings: true},
		} {
			filter.Limit = 50
			p.expectBounded(t, in+"the audit log by "+what, 51, func() error { return third(p.Audit.Log(ctx, filter)) })
		}
		for _, filter := range []mails.EmailListFilter{{}, {Status: mails.EmailSent}, {Status: mails.EmailFailed},
			{Status: mails.EmailSkipped},
			{After: "eml_" + strings.Repeat("0", 22) + "1000"}, {Before: "eml_" + strings.Repeat("0", 22) + "1000"}} {
			filter.Limit = 50
			p.expectTouches(t, fmt.Sprintf("%se-mails %+v", in, filter), 51, func() error {
				return second(p.Mails.FilterEmails(ctx, scope, filter))
			})
		}
		for _, filter := range []books.LedgerFilter{{}, {After: "led_" + strings.Repeat("0", 22) + "1000"},
			{Before: "led_" + strings.Repeat("0", 22) + "1000"}} {
			filter.Since, filter.Until, filter.Limit = time.Unix(0, 0), time.Now(), 50
			p.expectTouches(t, fmt.Sprintf("%sthe ledger %+v", in, filter), 51, func() error {
				return second(p.Books.FilterLedger(ctx, scope.OrganizationID, filter))
			})
		}
		month := nfse.Month(nfse.DayOf(time.Now()))[:7]
		p.expectTouches(t, in+"the figures of a month", 2000, func() error { // one for each service
			return second(p.Books.MonthFigures(ctx, scope, month, month))
		})
		p.expectTouches(t, in+"the totals of months", 2000, func() error {
			return second(p.Books.MonthTotals(ctx, scope, month, month))
		})
		p.expectTouches(t, in+"the newest deliveries by endpoint", 2*(webhooks.DeliveriesCounted+1), func() error {
			return second(p.Webhooks.CountDeliveries(ctx, []string{endpoint, otherEndpoint}))
		})
		p.expectTouches(t, in+"the open notes of a month", 51, func() error {
			return second(p.Books.OpenNotes(ctx, scope, month, 51))
		})
		for _, place := range []books.MonthPlace{{}, {Day: nfse.DayOf(time.Now()), ID: note.ID}} {
			p.expectBounded(t, in+"the notes of a month", 51, func() error {
				return third(p.Books.MonthNotes(ctx, scope, month, place, 50))
			})
		}
		p.expectTouches(t, in+"what the ledger leaves out", 1001, func() error {
			return second(p.Books.LedgerLeftOut(ctx, scope.OrganizationID, time.Now().AddDate(0, 0, -1),
				time.Now().Add(time.Hour), 1001))
		})
		p.expectTouches(t, in+"what waits for people", 1000, func() error {
			return second(p.Notes.WaitingForPeople(ctx, scope, time.Unix(0, 0)))
		})
		p.expectTouches(t, in+"the latest calls", 50, func() error { return second(p.Operate.LatestCalls(ctx, 50)) })
		p.expectBounded(t, in+"a city", 1, func() error {
			return second(p.Companies.City(ctx, companies.CityKey{Authority: "national", MunicipalityCode: "0001001"}))
		})
		p.expectBounded(t, in+"a zip code", 1, func() error { return third(p.Catalogues.ZipCode(ctx, "01310100")) })
		p.expectBounded(t, in+"a zip code of no range", 1, func() error {
			return third(p.Catalogues.ZipCode(ctx,
				"99999999"))
		})

		for _, place := range []string{"", "3", "1",
			"0"} { // the first page, others on the way, and after the last record
			after := func(prefix nfse.Prefix) postgres.Page {
				page := postgres.Page{Limit: 100}
				if place != "" {
					page.After = string(prefix) + strings.Repeat("0", 22) + place + "000"
				}
				return page
			}
			p.expectBounded(t, in+"services after "+place, 101,
				func() error { return third(p.Catalogues.Services(ctx, scope, after(nfse.PrefixService))) })
			p.expectBounded(t, in+"customers after "+place, 101,
				func() error { return third(p.Catalogues.Customers(ctx, scope, after(nfse.PrefixCustomer))) })
			p.expectBounded(t, in+"keys after "+place, 101,
				func() error { return third(p.Access.APIKeysIn(ctx, scope, after(nfse.PrefixAPIKey))) })
			for what, search := range map[string]webhooks.DeliverySearch{
				"": {}, "delivered": {Status: webhooks.DeliveryDelivered}, "of an endpoint": {EndpointID: endpoint},
				"delivered to an endpoint": {EndpointID: endpoint, Status: webhooks.DeliveryDelivered},
			} {
				search.After, search.Limit = after(nfse.PrefixDelivery).After, 100
				p.expectBounded(t, in+"deliveries "+what+" after "+place, 120, func() error {
					return second(p.Webhooks.SearchDeliveries(ctx, scope, search))
				})
			}
			for what, search := range map[string]webhooks.DeliverySearch{
				"pending": {Status: webhooks.DeliveryPending}, "failed": {Status: webhooks.DeliveryFailed},
				"skipped to an endpoint":     {EndpointID: endpoint, Status: webhooks.DeliverySkipped},
				"failed to an endpoint":      {EndpointID: endpoint, Status: webhooks.DeliveryFailed},
				"failed to another endpoint": {EndpointID: otherEndpoint, Status: webhooks.DeliveryFailed},
			} {
				search.After, search.Limit = after(nfse.PrefixDelivery).After, 100
				p.expectTouches(t, in+"deliveries "+what+" after "+place, 130, func() error {
					return second(p.Webhooks.SearchDeliveries(ctx, scope, search))
				})
				once.expectTouches(t, in+"deliveries "+what+" after "+place+", planned once", 130, func() error {
					return second(once.Webhooks.SearchDeliveries(ctx, scope, search))
				})
			}
			p.expectBounded(t, in+"notes after "+place, 101,
				func() error { return third(p.Notes.Notes(ctx, scope, after(nfse.PrefixNote))) })
			for _, status := range []nfse.Status{"", nfse.StatusIssued, nfse.StatusRejected, nfse.StatusCancelled} {
				page, expect := after(nfse.PrefixNote), p.expectBounded
				if place == "0" {
					expect = p.expectTouches // of the first part, of which nothing is left to sort
				}
				expect(t, in+"notes "+string(status)+" after "+place, 101, func() error {
					return second(p.Notes.FilterNotes(ctx, scope, notes.NoteFilter{Status: status, Limit: page.Limit,
						After: page.After}))
				})
			}
		}
	}
}

// notesUnderWay adds so many notes of an organization that were accepted an hour ago to each
// environment, half of them begun.
func notesUnderWay(t *testing.T, database *testkit.Database, organizationID string, notes int) {
	t.Helper()
	const same = `organization_id, livemode, payload_hash, payload_version, api_key_id, request_id, email_customer,
		register_ledger, confirm_municipal_operation, scenario, customer_id, service_id, amount_cents, iss_withheld,
		service, customer, municipality_code, municipality_source, municipality_verified, municipality_check_pending`
	database.Exec(t, `INSERT INTO notes (id, reference, status, created_at, processing_at, `+same+`)
		SELECT id || '_' || i, 'bulk-' || i, CASE i % 2 WHEN 0 THEN 'queued' ELSE 'processing' END,
			now() - interval '1 hour', now() - interval '1 hour', `+same+`
		FROM notes, generate_series(1, $2::int) i
		WHERE id IN (SELECT min(id) FROM notes
			WHERE organization_id = $1 AND status = 'issued' GROUP BY livemode)`, organizationID, notes)
}

// Who has many of everything is told of many, and no more is read than says so. Their held
// notes do not hide those that should move.
func TestPlans_ManyWaitForPeople(t *testing.T) {
	long.Only(t, "looks at the plans of what waits for people at many rows")
	const most = 1000
	database := testkit.FreshDatabase(t)
	organization, _, _ := database.NewOrganization(t, "Clínica")
	manyRows(t, database)
	notesUnderWay(t, database, organization.ID, 10_000)
	for _, statement := range []string{
		`UPDATE notes SET held_reason = '{"code": "x"}', held_since = now() WHERE livemode AND id < (
			SELECT id FROM notes WHERE livemode AND status = 'queued' ORDER BY id OFFSET 3000 LIMIT 1)
			AND status IN ('queued', 'processing')`,
		`UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = '{"code": "x"}'`,
		`INSERT INTO webhook_endpoints SELECT added.* FROM webhook_endpoints w,
			jsonb_populate_record(w, jsonb_build_object('id', w.id || 'a')) added`,
		`ANALYZE`,
	} {
		database.Exec(t, statement)
	}
	// A table of so few endpoints is sooner read as a whole.
	p := newPlanned(t, &testkit.Database{URL: database.URL + "&enable_seqscan=off&enable_bitmapscan=off"})
	for _, livemode := range []bool{false, true} {
		scope := nfse.Scope{OrganizationID: organization.ID, Livemode: livemode}
		p.expectTouches(t, "what waits in "+scope.Environment(), most, func() error {
			waiting, err := p.Notes.WaitingForPeople(t.Context(), scope, time.Unix(0, 0))
			if waiting.QueuedNotes != most || waiting.ProcessingNotes != most || waiting.DisabledEndpoints != most ||
				waiting.HeldNotes != map[bool]int{true: most}[livemode] {
				t.Errorf("waiting are %+v", waiting)
			}
			return err
		})
	}
}

// Whether anything moves is seen from the oldest rows of each backlog, however many rows are
// paused, or were not taken by the engine; and to say that they are paused reads none.
func TestPlans_LongestWait(t *testing.T) {
	database := testkit.FreshDatabase(t)
	organization, _, _ := database.NewOrganization(t, "Clínica")
	for kind, columns := range map[string]string{
		outbox.StartDelivery: `0, NULL`, outbox.StartEmail: `1, 'refused'`,
	} {
		database.Exec(t,
			`INSERT INTO outbox (kind, subject_id, organization_id, livemode, failures, failure, created_at)
			SELECT $1, i, $2, true, `+columns+`, now() - interval '1 hour' FROM generate_series(1, 20000) i`,
			kind, organization.ID)
	}
	database.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference, created_at)
		VALUES ('note', 'nfse_1', $1, false, 'é', now() - interval '75 seconds')`, organization.ID)
	database.Exec(t, `ANALYZE`)
	p := newPlanned(t, database)
	p.expectTouches(t, "pausing", 1, func() error {
		return p.Outbox.PauseBacklogs(t.Context(), fact.AboveRate.Fact(), outbox.Backlog{Kind: outbox.StartDelivery,
			Scope: nfse.Scope{OrganizationID: organization.ID, Livemode: true}})
	})
	p.expectTouches(t, "the longest wait", 2000, func() error {
		waited, err := p.Outbox.LongestWait(t.Context())
		if waited < 75*time.Second || waited > 10*time.Minute {
			t.Errorf("the longest wait is %s", waited)
		}
		return err
	})
}

// A claim looks at the oldest row of each backlog, of however many organizations, also when the table has filled since
// it was last analyzed: each row is touched a few times at most.
func TestPlans_ClaimOfManyOrganizations(t *testing.T) {
	for _, analyzed := range []string{"never", "when one organization had rows", "now"} {
		database := testkit.FreshDatabase(t)
		const organizations = 2000
		analyze := func(when string) {
			if analyzed == when {
				database.Exec(t, `ANALYZE`)
			}
		}
		database.Exec(t, `INSERT INTO organizations (id, name) SELECT 'org_' || i, i FROM generate_series(1, $1::int) i`,
			organizations)
		database.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
			SELECT 'note', i, 'org_1', true, i FROM generate_series(1, $1::int) i`, organizations)
		analyze("when one organization had rows")
		database.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode)
			SELECT 'distribution', i, 'org_' || i, true FROM generate_series(1, $1::int) i`, organizations)
		analyze("now")
		p := newPlanned(t, database)
		p.expectTouches(t, "a claim, analyzed "+analyzed, 6*organizations, func() error {
			starts, err := p.Outbox.ClaimStarts(t.Context(), outbox.StartKinds, outbox.StartKinds, 100, time.Minute)
			if len(starts) != 100 {
				t.Errorf("%d rows are claimed", len(starts))
			}
			return err
		})
	}
}

// What waits for people is counted from the rows of their own organization that are under way or ended badly,
// regardless of how much was issued and delivered and of what a neighbour has.
func whatWaitsForPeople(t *testing.T, database crowded) {
	organization, neighbour := database.organizations[0], database.organizations[1]
	// The pending deliveries of more organizations would be more than is bounded here: the
	// plan may read those of all.
	of := ` AND organization_id IN ('` + organization + `', '` + neighbour + `')`
	for _, statement := range []string{
		`UPDATE notes SET status = 'queued', issued_at = NULL, authority_issued_at = NULL,
			created_at = now() - interval '1 hour' WHERE id LIKE '%a_'` + of,
		`UPDATE notes SET status = 'rejected', rejection = '{}', rejected_at = now(), issued_at = NULL,
			authority_issued_at = NULL WHERE id LIKE '%b_'` + of,
		`UPDATE deliveries SET status = 'pending', resolved_at = NULL WHERE id LIKE '%c_'` + of,
		`INSERT INTO delivery_attempts (delivery_id, started_at, duration_ms, answer)
			SELECT id, now(), 1, '' FROM deliveries CROSS JOIN generate_series(2, 20) WHERE status = 'pending'`,
		`UPDATE emails SET status = 'pending', resolved_at = NULL, last_problem = '{"code": "x"}'
			WHERE id LIKE '%1_'` + of,
		`DELETE FROM webhook_endpoints w WHERE NOT EXISTS (SELECT FROM deliveries WHERE endpoint_id = w.id)`,
	} {
		database.Exec(t, statement)
	}
	notesUnderWay(t, database.Database, neighbour, 20_000)
	database.Exec(t, `ANALYZE`)
	p := newPlanned(t, database.Database)
	for _, livemode := range []bool{false, true} {
		scope := nfse.Scope{OrganizationID: organization, Livemode: livemode}
		p.expectTouches(t, "what waits in "+scope.Environment(), 600, func() error {
			waiting, err := p.Notes.WaitingForPeople(t.Context(), scope, time.Unix(0, 0))
			if waiting.QueuedNotes == 0 || waiting.RejectedNotes == 0 || waiting.StuckDeliveries == 0 ||
				livemode != (waiting.StuckEmails > 0) {
				t.Errorf("waiting are %+v", waiting)
			}
			return err
		})
	}
}

// Who asks is looked for only for what a round of the maintenance asks, though all
// cities are due.
func TestPlans_CitiesThatAreDue(t *testing.T) {
	database := testkit.NewDatabase(t)
	const organizations, cities, limit = 200, 2000, 20
	for _, statement := range []string{
		`INSERT INTO organizations (id, name) SELECT 'org_' || i, 'Clínica' FROM generate_series(1, 200) i`,
		`INSERT INTO fiscal_profiles (organization_id, authority, profile) SELECT id, 'national',
			jsonb_build_object('production', true, 'municipality_code', '3304557', 'tax_id', id) FROM organizations`,
		`INSERT INTO tax_id_claims (authority, production, tax_id, organization_id, owner, source)
			SELECT 'national', true, id, id, true, 'certificate' FROM organizations`,
		`INSERT INTO certificates (id, organization_id, tax_id, subject, issuer, serial, fingerprint, not_before,
			not_after, sealed)
			SELECT 'crt_' || id, id, '', '', '', '', sha256(id::bytea), now(), now() + interval '1 year', '\x00'
			FROM organizations`,
		`INSERT INTO municipal_parameters (authority, production, municipality_code)
			SELECT 'national', true, lpad(i::text, 7, '0') FROM generate_series(1, 2000) i`,
		`INSERT INTO municipal_service_parameters (authority, production, municipality_code, service_code)
			SELECT 'national', true, municipality_code, '01.07.01.000' FROM municipal_parameters`,
		`ANALYZE`,
	} {
		database.Exec(t, statement)
	}
	p := newPlanned(t, database)
	for what, list := range map[string]func(context.Context, string, int) ([]companies.DueCity, error){
		"cities": p.Companies.CitiesDue, "services": p.Companies.ServicesDue,
	} {
		p.plans = nil
		due, err := list(t.Context(), "national", limit)
		must(t, err)
		if len(due) != limit || len(p.plans) == 0 {
			t.Fatalf("%s: %d are due, and there are %d plans", what, len(due), len(p.plans))
		}
		for _, node := range p.plans[0].all() {
			if read := node.Rows * node.Loops; read > 2*cities+limit*organizations {
				t.Errorf("%s: %s of %q reads %v rows", what, node.Type, node.Relation, read)
			}
		}
	}
}

// The held series of an organization are found by its issuer, among those of all.
func TestPlans_HeldSeries(t *testing.T) {
	database := testkit.NewDatabase(t)
	for _, statement := range []string{
		`INSERT INTO organizations (id, name) SELECT 'org_' || i, 'Clínica' FROM generate_series(1, 5000) i`,
		`INSERT INTO fiscal_profiles (organization_id, authority, profile) SELECT id, 'sao-paulo',
			jsonb_build_object('tax_id', substr(id, 5)) FROM organizations`,
		`INSERT INTO tax_id_claims (authority, production, tax_id, organization_id, owner, source)
			SELECT 'sao-paulo', true, substr(id, 5), id, true, 'certificate' FROM organizations`,
		`INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series, registration,
				held_reason, held_at)
			SELECT 'sao-paulo', true, i::text, '3550308', 1, '1', '{"code": "x"}'::jsonb, now()
			FROM generate_series(1, 5000) i`,
		`ANALYZE`,
	} {
		database.Exec(t, statement)
	}
	p := newPlanned(t, database)
	p.expectPointed(t, "held series", func() error {
		held, err := p.Numbers.HeldSeries(t.Context(), "org_4000")
		if len(held) != 1 {
			t.Errorf("held are %+v", held)
		}
		return err
	})
}
