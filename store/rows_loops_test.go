package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"emissor/nfse"
	"emissor/store"
	"emissor/store/companies"
	"emissor/store/operate"
	"emissor/test/long"
	"emissor/test/testkit"
)

// rowLoop is a loop of the store as these tests see it. None of them runs Go code for each row: what a panic over a
// row does to a loop is tested in rows_apart_test.go, for the one function that all of them use, and what it does to
// the callers of loops is tested where they are called.
type rowLoop struct {
	name   string
	role   string
	rows   func(t *testing.T, n tenancy) []string // makes three rows that are due
	table  string                                 // that the loop changes
	column string                                 // of it that has the row's id
	done   string                                 // counts the row where it was done
	run    func(ctx context.Context, s *store.Store, ids []string) error
}

var testRetention = operate.Retention{TestNotes: time.Hour}

var rowLoops = []rowLoop{
	{
		name: "requeue: notes", role: testkit.Roles.Worker, table: "notes", column: "id", rows: staleNotes,
		done: `SELECT count(*) FROM outbox WHERE subject_id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Outbox.RequeueNotes(ctx, 10))
		},
	}, {
		name: "requeue: deliveries", role: testkit.Roles.Worker, table: "outbox", column: "subject_id",
		rows: staleDeliveries, done: `SELECT count(*) FROM outbox WHERE subject_id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Outbox.RequeueDeliveries(ctx, 10))
		},
	}, {
		name: "requeue: emails", role: testkit.Roles.Worker, table: "emails", column: "id", rows: staleEmails,
		done: `SELECT count(*) FROM outbox WHERE subject_id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Outbox.RequeueEmails(ctx, 10))
		},
	}, {
		name: "test services", role: testkit.Roles.Worker, table: "services", column: "id", rows: expiredServices,
		done: `SELECT count(*) FROM services WHERE id = $1 AND retired_at IS NOT NULL`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Catalogues.RetireExpiredServices(ctx, 10))
		},
	}, {
		name: "certificates", role: testkit.Roles.Worker, table: "certificates", column: "id",
		rows: endingCertificates, done: `SELECT count(*) FROM certificates WHERE id = $1 AND warned_days = 15`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Companies.CertificatesToWarn(ctx, time.Now(), companies.ExpiryWarnings, 10))
		},
	}, {
		name: "webhook secrets", role: testkit.Roles.Worker, table: "webhook_endpoints", column: "id",
		rows: previousSecrets, done: `SELECT count(*) FROM webhook_endpoints WHERE id = $1 AND previous_secret IS NULL`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Webhooks.ForgetPreviousSecrets(ctx, 10))
		},
	}, {
		name: "ended listeners", role: testkit.Roles.Worker, table: "webhook_endpoints", column: "id",
		rows: endedListeners, done: `SELECT 1 - count(*) FROM webhook_endpoints WHERE id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Webhooks.ForgetListeners(ctx, 10))
		},
	}, {
		name: "sessions", role: testkit.Roles.Dashboard, table: "sessions", column: "id", rows: expiredSessions,
		done: `SELECT 1 - count(*) FROM sessions WHERE id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return second(s.Access.ForgetSessions(ctx, 10))
		},
	}, {
		name: "classification links", role: testkit.Roles.Dashboard, table: "classification_links", column: "id",
		rows: endedClassificationLinks, done: `SELECT 1 - count(*) FROM classification_links WHERE id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return second(s.Catalogues.ForgetClassificationLinks(ctx, 10))
		},
	}, {
		name: "ledger days", role: testkit.Roles.Dashboard, table: "ledger_days", column: "organization_id",
		rows: openLedgerDays, done: `SELECT count(*) FROM ledger_days WHERE organization_id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return second(s.Books.CloseLedgerDays(ctx))
		},
	}, {
		name: "key uses", role: testkit.Roles.API, table: "api_keys", column: "id", rows: usedKeys,
		done: `SELECT count(*) FROM api_keys WHERE id = $1 AND last_used_at IS NOT NULL`,
		run: func(ctx context.Context, s *store.Store, ids []string) error {
			return s.Access.APIKeysUsed(ctx, ids)
		},
	}, {
		name: "roll-ups", role: testkit.Roles.Dashboard, table: "note_moves", column: "id", rows: newMoves,
		done: `SELECT 1 - count(*) FROM note_moves WHERE id = $1`,
		run:  func(ctx context.Context, s *store.Store, _ []string) error { return s.Operate.RollUp(ctx) },
	}, {
		name: "closings", role: testkit.Roles.Dashboard, table: "closing_moves", column: "id", rows: newClosingMoves,
		done: `SELECT 1 - count(*) FROM closing_moves WHERE id = $1`,
		run:  func(ctx context.Context, s *store.Store, _ []string) error { return s.Books.RollUpClosings(ctx) },
	}, {
		name: "requeue: month_archives", role: testkit.Roles.Worker, table: "month_archives", column: "id",
		rows: staleArchives, done: `SELECT count(*) FROM outbox WHERE subject_id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Books.RequeueArchives(ctx, 10))
		},
	}, {
		name: "archives", role: testkit.Roles.Worker, table: "month_archive_parts", column: "archive_id",
		rows: removedArchives, done: `SELECT count(*) FROM month_archives WHERE id = $1 AND cleared`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Books.RemoveArchives(ctx, 10))
		},
	}, {
		name: "retention: test documents", role: testkit.Roles.Worker, table: "note_documents", column: "note_id",
		rows: oldDocuments, done: `SELECT 1 - count(*) FROM note_documents WHERE note_id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Operate.RemoveOldCopies(ctx, testRetention, 10))
		},
	}, {
		name: "retention: test events", role: testkit.Roles.Worker, table: "events", column: "id", rows: oldEvents,
		done: `SELECT count(*) FROM events WHERE id = $1 AND payload = ''`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Operate.RemoveOldCopies(ctx, testRetention, 10))
		},
	}, {
		name: "old alerts", role: testkit.Roles.Worker, table: "alerts", column: "id", rows: oldAlerts,
		done: `SELECT 1 - count(*) FROM alerts WHERE id = $1`,
		run:  func(ctx context.Context, s *store.Store, _ []string) error { return s.Operate.Alert(ctx, false) },
	}, {
		name: "old alert mails", role: testkit.Roles.Worker, table: "alert_mails", column: "id", rows: oldAlertMails,
		done: `SELECT 1 - count(*) FROM alert_mails WHERE id = $1`,
		run:  func(ctx context.Context, s *store.Store, _ []string) error { return s.Operate.Alert(ctx, false) },
	}, {
		name: "recurring notes", role: testkit.Roles.Worker, table: "recurrences", column: "id", rows: recurringRows,
		done: `SELECT count(*) FROM recurring_months WHERE recurrence_id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Batches.StartRecurring(ctx, "2027-01-12", 10))
		},
	}, {
		name: "requeue: recurring_months", role: testkit.Roles.Worker, table: "recurring_months", column: "id",
		rows: dueMonths, done: `SELECT count(*) FROM outbox WHERE subject_id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return third(s.Batches.RequeueRecurring(ctx, 10))
		},
	}, {
		name: "keyset reports", role: testkit.Roles.Worker, table: "keyset_reports", column: "process_id",
		rows: oldReports, done: `SELECT 1 - count(*) FROM keyset_reports WHERE process_id = $1`,
		run: func(ctx context.Context, s *store.Store, _ []string) error {
			return s.Operate.ReportKeyset(ctx, operate.KeysetReport{ProcessID: uuid.NewString(), KeyIDs: operate.KeyIDs{1}})
		},
	},
}

// spoil makes every change of one row do something bad.
func (l rowLoop) spoil(t *testing.T, database *testkit.Database, id, bad string) {
	t.Helper()
	database.Exec(t, fmt.Sprintf(`CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $poison$
		DECLARE changed jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
		BEGIN
			IF changed ->> '%s' = '%s' THEN %s; END IF;
			RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
		END $poison$`, l.column, id, bad))
	database.Exec(t, `CREATE TRIGGER poison BEFORE INSERT OR UPDATE OR DELETE ON `+l.table+
		` FOR EACH ROW EXECUTE FUNCTION poison()`)
}

// A row that fails, or takes for ever, does not keep its neighbours from being done; and
// it is done itself once it is mended. How a row that hangs is given up is the same in all loops.
func TestRowLoops_Poison(t *testing.T) {
	t.Parallel()
	for i, loop := range rowLoops {
		for name, bad := range map[string]struct {
			does    string
			longest time.Duration // that a row may take
		}{
			"fails":          {`RAISE EXCEPTION 'poison'`, time.Minute},
			"takes for ever": {`PERFORM pg_sleep(3600)`, hangTime},
		} {
			t.Run(loop.name+" "+name, func(t *testing.T) {
				if i > 0 && bad.longest == hangTime {
					long.Only(t, "has a row of each loop hang")
				}
				n := newTenant(t)
				ids := loop.rows(t, n)
				if len(ids) != 3 {
					t.Fatalf("the rows are %v", ids)
				}
				poison := ids[1]
				s := newWatchedFor(t, n.Database, loop.role, bad.longest)
				run := func() {
					t.Helper()
					must(t, loop.run(t.Context(), s.Store, ids))
				}
				expectDone := func(expected ...int) {
					t.Helper()
					var done []int
					for _, id := range ids {
						done = append(done, n.Count(t, loop.done, id))
					}
					if !slices.Equal(done, expected) {
						t.Errorf("done are %v, expected %v", done, expected)
					}
				}
				loop.spoil(t, n.Database, poison, bad.does)
				run()
				expectDone(1, 0, 1)
				s.expectFailures(t, loop.name, 1, poison)
				run()
				s.expectFailures(t, loop.name, 0)
				pauseOver(t, n.Database)
				run()
				s.expectFailures(t, loop.name, 2, poison)
				if expected := poison + " 2 2"; aside(t, n.Database) != expected {
					t.Errorf("set aside is %q, expected %q", aside(t, n.Database), expected)
				}
				n.Exec(t, `DROP TRIGGER poison ON `+loop.table)
				pauseOver(t, n.Database)
				run()
				expectDone(1, 1, 1)
				s.expectFailures(t, loop.name, 0)
				if aside(t, n.Database) != "" {
					t.Errorf("set aside is %q", aside(t, n.Database))
				}
			})
		}
	}
}

// selected are the ids that a query finds.
func (n tenancy) selected(t *testing.T, query string, args ...any) (ids []string) {
	t.Helper()
	must(t, n.SQL.Select(&ids, query, args...))
	return ids
}

func staleNotes(t *testing.T, n tenancy) (ids []string) {
	for i := range 3 {
		ids = append(ids, n.accept(t, fmt.Sprint(i)))
		n.Exec(t, `UPDATE notes SET requeue_after = now() - make_interval(mins => $1) WHERE id = $2`, 60-i, ids[i])
	}
	n.Exec(t, `DELETE FROM outbox`)
	return ids
}

func staleDeliveries(t *testing.T, n tenancy) []string {
	n.addEndpoint(t)
	for i := range 3 {
		n.issue(t, fmt.Sprint(i), "")
	}
	n.Exec(t, `UPDATE deliveries SET requeue_after = now() - interval '1 minute'`)
	n.Exec(t, `DELETE FROM outbox`)
	return n.selected(t, `SELECT id FROM deliveries ORDER BY id`)
}

func staleEmails(t *testing.T, n tenancy) []string {
	live := n.inLive(t).withDefaults(t, nfse.Defaults{EmailCustomer: true})
	for i := range 3 {
		live.issue(t, fmt.Sprint(i), "maria@example.com")
	}
	n.Exec(t, `UPDATE emails SET requeue_after = now() - interval '1 minute'`)
	n.Exec(t, `DELETE FROM outbox`)
	return n.selected(t, `SELECT id FROM emails ORDER BY id`)
}

func expiredServices(t *testing.T, n tenancy) []string {
	for range 2 {
		must(t, second(n.Store.Catalogues.CreateService(t.Context(), n.scope, n.service)))
	}
	n.Exec(t, `UPDATE services SET expires_at = now() - interval '1 minute'`)
	return n.selected(t, `SELECT id FROM services ORDER BY id`)
}

func endingCertificates(t *testing.T, n tenancy) (ids []string) {
	for _, name := range []string{"a", "b", "c"} {
		one := n.certificate(name, 10)
		one.TaxID = nfse.TaxID(strings.Repeat(name, 14)) // of three companies: none succeeds another
		ids = append(ids, n.addCertificate(t, one).ID)
	}
	return ids
}

func previousSecrets(t *testing.T, n tenancy) (ids []string) {
	for range 3 {
		ids = append(ids, n.addEndpoint(t))
	}
	n.Exec(t, `UPDATE webhook_endpoints SET previous_secret = 'x', previous_secret_ends_at = now() - interval '1 hour'`)
	return ids
}

func endedListeners(t *testing.T, n tenancy) (ids []string) {
	for range 3 {
		ids = append(ids, n.listen(t).ID)
	}
	n.Exec(t, `UPDATE webhook_endpoints SET deleted_at = now() - interval '8 days'`)
	return ids
}

func expiredSessions(t *testing.T, n tenancy) []string {
	user := n.member(t, "a@example.com", nfse.RoleViewer)
	for i := range 3 {
		n.session(t, user, fmt.Sprint("hash ", i))
	}
	n.Exec(t, `UPDATE sessions SET expires_at = now() - interval '2 days'`)
	return n.selected(t, `SELECT id FROM sessions ORDER BY id`)
}

func endedClassificationLinks(t *testing.T, n tenancy) []string {
	user := n.member(t, "a@example.com", nfse.RoleEditor)
	n.Exec(t, `INSERT INTO classification_links (id, hash, organization_id, livemode, service_id, email, made_by,
			expires_at)
		SELECT 'lnk_' || i, convert_to(i::text, 'UTF8'), organization_id, livemode, services.id, 'c@example.com', $1,
			now() - interval '1 second' FROM services, generate_series(1, 3) i`, user)
	return n.selected(t, `SELECT id FROM classification_links ORDER BY id`)
}

func openLedgerDays(t *testing.T, n tenancy) (ids []string) {
	for range 3 {
		live := addTenant(t, n.Database, true).withDefaults(t, nfse.Defaults{RegisterLedger: true})
		live.issue(t, "order", "")
		ids = append(ids, live.scope.OrganizationID)
	}
	n.Exec(t, `UPDATE ledger_entries SET created_at = now() - interval '3 days'`)
	return ids
}

func usedKeys(t *testing.T, n tenancy) (ids []string) {
	for range 3 {
		ids = append(ids, n.withDefaults(t, nfse.Defaults{}).key.ID)
	}
	return ids
}

func newMoves(t *testing.T, n tenancy) []string {
	for i := range 3 {
		n.accept(t, fmt.Sprint(i))
	}
	return n.selected(t, `SELECT id FROM note_moves ORDER BY id`)
}

func newClosingMoves(t *testing.T, n tenancy) []string {
	for i := range 3 {
		n.issue(t, fmt.Sprint(i), "")
	}
	return n.selected(t, `SELECT id FROM closing_moves ORDER BY id`)
}

func staleArchives(t *testing.T, n tenancy) []string {
	for _, month := range []nfse.Month{"2026-08", "2026-09", "2026-10"} {
		must(t, n.Changes().Books.MakeArchive(t.Context(), n.scope, month))
	}
	n.Exec(t, `UPDATE month_archives SET requeue_after = now() - interval '1 minute'`)
	n.Exec(t, `DELETE FROM outbox`)
	return n.selected(t, `SELECT id FROM month_archives ORDER BY id`)
}

func removedArchives(t *testing.T, n tenancy) []string {
	ids := staleArchives(t, n)
	n.Exec(t, `UPDATE month_archives SET created_at = now() - interval '8 days'`)
	n.Exec(t, `INSERT INTO month_archive_parts (archive_id, number, position, content)
		SELECT id, 0, 0, 'PK' FROM month_archives`)
	return ids
}

func oldDocuments(t *testing.T, n tenancy) []string {
	for i := range 3 {
		n.issue(t, fmt.Sprint(i), "")
	}
	n.Exec(t, `UPDATE note_documents SET created_at = created_at - interval '2 hours'`)
	return n.selected(t, `SELECT note_id FROM note_documents ORDER BY note_id`)
}

func oldEvents(t *testing.T, n tenancy) []string {
	for i := range 3 {
		n.issue(t, fmt.Sprint(i), "")
	}
	n.Exec(t, `UPDATE events SET created_at = created_at - interval '2 hours'`)
	return n.selected(t, `SELECT id FROM events ORDER BY id`)
}

func oldReports(t *testing.T, n tenancy) (ids []string) {
	for range 3 {
		ids = append(ids, uuid.NewString())
		must(t, n.Store.Operate.ReportKeyset(t.Context(), operate.KeysetReport{ProcessID: ids[len(ids)-1],
			KeyIDs: operate.KeyIDs{1}}))
	}
	n.Exec(t, `UPDATE keyset_reports SET reported_at = now() - interval '25 hours'`)
	return ids
}

func oldAlerts(t *testing.T, n tenancy) []string {
	n.Exec(t, `INSERT INTO users (id, email) VALUES ('usr_1', 'x@example.com')`)
	n.Exec(t, `INSERT INTO alerts (user_id, alert_key, organization_id, kind, subject_id, raised_at, due_at)
		SELECT 'usr_1', i::text, $1, 'held', i::text, now() - interval '91 days', now() + interval '1 day'
		FROM generate_series(1, 3) i`, n.scope.OrganizationID)
	return n.selected(t, `SELECT id::text FROM alerts ORDER BY id`)
}

func oldAlertMails(t *testing.T, n tenancy) []string {
	n.Exec(t, `INSERT INTO users (id, email) VALUES ('usr_1', 'x@example.com')`)
	n.Exec(t, `INSERT INTO alert_mails (id, user_id, organization_id, status, resolved_at)
		SELECT 'alm_' || i, 'usr_1', $1, 'sent', now() - interval '91 days' FROM generate_series(1, 3) i`,
		n.scope.OrganizationID)
	return n.selected(t, `SELECT id FROM alert_mails ORDER BY id`)
}
