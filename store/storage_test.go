package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store"
	"emissor/test/testkit"
)

// ofBefore is a database that has notes, in the form of before, as an upgrade leaves it.
func ofBefore(t *testing.T) *testkit.Database {
	t.Helper()
	database := testkit.OpenDatabaseAt(t, 16)
	database.Exec(t, `UPDATE storage_form SET contracted_at = NULL`)
	must(t, database.Store.Migrate(t.Context()))
	_, err := database.Store.Grant(t.Context(), testkit.Roles)
	must(t, err)
	if n := database.Count(t, `SELECT count(*) FROM parts`); n != 0 {
		t.Fatalf("the form of before has %d parts", n)
	}
	return database
}

// nameNotes does what the maintenance does before a contraction.
func nameNotes(t *testing.T, database *testkit.Database) {
	t.Helper()
	for {
		looked, err := database.Store.NameNotes(t.Context(), 1000)
		must(t, err)
		if looked == 0 {
			return
		}
	}
}

// A contraction is interrupted after each of its steps, and goes on; what is there meanwhile works.
func TestContractStorage_Interrupted(t *testing.T) {
	t.Parallel()
	database := ofBefore(t)
	tenant := addTenant(t, database, false)
	tenant.addEndpoint(t)
	issue := func(reference string) string {
		id := tenant.begin(t, reference)
		_, err := tenant.settleIssued(t, tenant.Store, id)
		must(t, err)
		return id
	}
	old := issue("old")
	privileges := `SELECT md5(string_agg(concat_ws(' ', table_name, column_name, grantee, privilege_type), ','
		ORDER BY table_name, column_name, grantee, privilege_type)) FROM information_schema.column_privileges
		WHERE table_schema = 'public' AND grantee <> current_user`
	before := database.Text(t, privileges)
	if err := database.Store.ContractStorage(t.Context(), func(string, string) {}); !errors.Is(err, store.ErrNotReady) {
		t.Errorf("before its notes have their names it is %v", err)
	}
	nameNotes(t, database)
	interruptions, issued := 0, 1
	for done := false; !done; {
		ctx, interrupt := context.WithCancel(t.Context())
		err := database.Store.ContractStorage(ctx, func(string, string) { interrupt() })
		interrupt()
		switch {
		case err == nil:
			done = true
		case errors.Is(err, context.Canceled):
			interruptions++
		default:
			t.Fatal(err)
		}
		issued++
		issue(fmt.Sprint("order ", issued))
		if interruptions > 100 {
			t.Fatal("it does not get on")
		}
	}
	if interruptions < 12*3 {
		t.Errorf("it was interrupted %d times", interruptions)
	}
	must(t, database.Store.ContractStorage(t.Context(), func(what, table string) {
		if what != store.StepContracted {
			t.Errorf("the second time it did %s to %s", what, table)
		}
	}))
	if after := database.Text(t, privileges); after != before {
		t.Error("the privileges of the roles are others")
	}
	status, err := database.Store.StorageStatus(t.Context())
	must(t, err)
	if status.ContractedAt == nil || len(status.Left) > 0 {
		t.Errorf("the status is %+v", status)
	}
	for _, table := range status.Tables {
		if table.Parts < 1 {
			t.Errorf("%s is not in parts", table.Table)
		}
	}
	// The first part may reach as far as parts are made ahead.
	if short := database.Text(t, `SELECT coalesce(string_agg(g.name, ' '), '') FROM grown_tables() g
		WHERE (SELECT max(ends) FROM parts p WHERE p.name = g.name) < CASE g.months
			WHEN 12 THEN date_trunc('year', now()) + interval '2 years'
			ELSE date_trunc('month', now()) + interval '3 months' END`); short != "" {
		t.Errorf("no parts are ahead of %s", short)
	}
	for table, expected := range map[string]int{"notes": issued, "note_documents": issued, "events": issued,
		"deliveries": issued} {
		if n := database.Count(t, `SELECT count(*) FROM `+table); n != expected {
			t.Errorf("%d rows of %s, expected %d", n, table, expected)
		}
	}
	if n := database.Count(t, `SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
		AND NOT convalidated`); n != 0 {
		t.Errorf("%d references are not proved", n)
	}
	if n := database.Count(t, `SELECT count(*) FROM pg_constraint WHERE conname ~ '^before_'`); n != 0 {
		t.Errorf("%d bounds are left", n)
	}
	tenant.cancel(t, old)
}

// Where a statement of a swap fails it is named, and the table is as before.
func TestContractStorage_NamesWhatFails(t *testing.T) {
	t.Parallel()
	database := ofBefore(t)
	nameNotes(t, database)
	database.Exec(t, `CREATE SCHEMA swapping`)
	err := database.Store.ContractStorage(t.Context(), func(string, string) {})
	if err == nil || !strings.Contains(err.Error(), "CREATE SCHEMA swapping") ||
		database.Count(t, `SELECT count(*) FROM parts`) != 0 {
		t.Errorf("answered %v", err)
	}
	database.Exec(t, `DROP SCHEMA swapping`)
	must(t, database.Store.ContractStorage(t.Context(), func(string, string) {}))
}

// The form is that of a database that began in it, but for the names and the ends of the first parts.
func TestContractStorage_SameAsNew(t *testing.T) {
	t.Parallel()
	shape := func(database *testkit.Database) string {
		return database.Text(t, `
			SELECT string_agg(what, E'\n' ORDER BY what) FROM (
				SELECT format('%s: %s', indrelid::regclass, pg_get_indexdef(indexrelid)) AS what FROM pg_index
					JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace = 'public'::regnamespace
				UNION ALL SELECT format('%s: %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
					FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conparentid = 0
				UNION ALL SELECT pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
					WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal
				UNION ALL SELECT format('%s.%s %s %s', table_name, column_name, data_type, column_default)
					FROM information_schema.columns WHERE table_schema = 'public') AS shape`)
	}
	contracted, fresh := ofBefore(t), testkit.NewDatabase(t)
	nameNotes(t, contracted)
	must(t, contracted.Store.ContractStorage(t.Context(), func(string, string) {}))
	now, expected := strings.Split(shape(contracted), "\n"), strings.Split(shape(fresh), "\n")
	for i := range max(len(now), len(expected)) {
		if i >= len(now) || i >= len(expected) || now[i] != expected[i] {
			t.Fatalf("line %d is\n%v\nand of a new database\n%v", i, now[min(i, len(now)-1)], expected[min(i, len(expected)-1)])
		}
	}
}

// It is refused while a program runs that cannot read the new form, or did so within the hour.
func TestContractStorage_RefusedWhileOlderProgramsRun(t *testing.T) {
	t.Parallel()
	database := ofBefore(t)
	nameNotes(t, database)
	const id = "01900000-0000-7000-8000-00000000000"
	report := func(id, version string) {
		must(t, database.Store.ReportProcess(t.Context(), store.ProcessReport{ProcessID: id, Process: "box/" + version,
			Kind: "api", Version: version}))
	}
	expect := func(name string) {
		t.Helper()
		err := database.Store.ContractStorage(t.Context(), func(what, table string) {
			if name != "" {
				t.Errorf("it did %s to %s", what, table)
			}
		})
		if name == "" {
			must(t, err)
		} else if !errors.Is(err, store.ErrNotReady) || !strings.Contains(err.Error(), name) {
			t.Errorf("answered %v, which does not name %s", err, name)
		}
	}
	report(id+"1", "1.1.0-dev")
	report(id+"2", "1.0.0")
	expect("box/1.0.0")
	database.Exec(t, `UPDATE process_reports SET reported_at = now() - interval '61 minutes' WHERE version = '1.0.0'`)
	// A version before reports its keyset only; one of today does both.
	keys := store.KeysetReport{ProcessID: id + "1", Process: "box/new", KeyIDs: store.KeyIDs{1}, PrimaryKeyID: 1}
	must(t, database.Store.ReportKeyset(t.Context(), keys))
	keys.ProcessID, keys.Process = id+"3", "box/old"
	must(t, database.Store.ReportKeyset(t.Context(), keys))
	expect("box/old")
	must(t, database.Store.ForgetKeysetReport(t.Context(), id+"3"))
	// An API of before reports nothing; its connections have its name.
	old, err := store.Open(t.Context(), store.Config{URL: database.URL, MaxConnections: 1, StatementTimeout: time.Second,
		Application: "emissor/1.0.0"})
	must(t, err)
	must(t, old.Ping(t.Context()))
	expect("of version 1.0.0")
	must(t, old.Close())
	testkit.Eventually(t, "its connection is gone", func() bool {
		older, err := database.Store.OlderProcesses(t.Context())
		must(t, err)
		return len(older) == 0
	})
	expect("")
}

// A database without notes that programs of before use keeps their form, when it is migrated beside them.
func TestMigrate_UsedByOlderPrograms(t *testing.T) {
	t.Parallel()
	address := testkit.EmptyDatabase(t)
	old, err := store.Open(t.Context(), store.Config{URL: address, MaxConnections: 1, StatementTimeout: time.Second,
		Application: "emissor/1.0.0"})
	must(t, err)
	must(t, old.Ping(t.Context()))
	database := testkit.OpenDatabase(t, address)
	must(t, database.Store.Migrate(t.Context()))
	status, err := database.Store.StorageStatus(t.Context())
	must(t, err)
	if status.ContractedAt != nil || status.Tables[0].Parts != 0 || len(status.Left) == 0 {
		t.Errorf("the status is %+v", status)
	}
	must(t, old.Close())
	nameNotes(t, database)
	testkit.Eventually(t, "it can have its new form", func() bool {
		return database.Store.ContractStorage(t.Context(), func(string, string) {}) == nil
	})
}

// Notes are accepted and issued while a database is brought into the new form. None waits so long for a lock that it is
// refused.
func TestContractStorage_UnderLoad(t *testing.T) {
	t.Parallel()
	database := ofBefore(t)
	tenant := addTenant(t, database, false)
	tenant.addEndpoint(t)
	ctx, stop := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	var accepted, longest atomic.Int64
	for client := range 4 {
		clients.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				began := time.Now()
				note, created, err := database.Store.AcceptNote(t.Context(), tenant.note(fmt.Sprint(client, "-", i)))
				for took := int64(time.Since(began)); ; {
					if most := longest.Load(); took <= most || longest.CompareAndSwap(most, took) {
						break
					}
				}
				if err != nil || !created {
					t.Errorf("note %d of client %d: created %v, %v", i, client, created, err)
					return
				}
				accepted.Add(1)
				if _, err := database.Store.BeginNote(t.Context(), note.ID); err != nil {
					t.Error(err)
				}
				if _, err := tenant.settleIssued(t, database.Store, note.ID); err != nil {
					t.Error(err)
				}
			}
		})
	}
	testkit.Eventually(t, "there are notes", func() bool { return accepted.Load() > 300 })
	before := accepted.Load()
	began := time.Now()
	nameNotes(t, database)
	must(t, database.Store.ContractStorage(t.Context(), func(what, table string) {
		t.Logf("%6.2f s: %s %s", time.Since(began).Seconds(), what, table)
	}))
	during := accepted.Load()
	testkit.Eventually(t, "it goes on", func() bool { return accepted.Load() > during+100 })
	stop()
	clients.Wait()
	if during == before {
		t.Error("nothing was accepted meanwhile")
	}
	t.Logf("%d notes before, %d meanwhile; the longest acceptance took %v", before, during-before,
		time.Duration(longest.Load()).Round(time.Millisecond))
	for _, table := range []string{"notes", "events", "deliveries", "note_documents"} {
		if n := database.Count(t, `SELECT count(*) FROM `+table); int64(n) != accepted.Load() {
			t.Errorf("%d rows of %s, of %d notes", n, table, accepted.Load())
		}
	}
}

// What the database says of tables that grow is what the program knows of them.
func TestGrownTables_SameBounds(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	for _, day := range []string{"1970-01-01", "2026-11-01", "2031-02-01", "2199-12-01"} {
		moment, err := time.Parse(time.DateOnly, day)
		must(t, err)
		for _, prefix := range []nfse.Prefix{nfse.PrefixNote, nfse.PrefixEvent, nfse.PrefixAuditEntry} {
			if id := database.Text(t, `SELECT first_id($1, $2::date::timestamp AT TIME ZONE 'UTC')`, prefix, day); id !=
				nfse.FirstID(prefix, moment) {
				t.Errorf("the first id of %s is %s", day, id)
			}
		}
	}
	id, now := database.Count(t, `SELECT next_row_id()`), time.Now().UnixMilli()
	if made := int64(id >> 20); made < now-60_000 || made > now+60_000 {
		t.Errorf("the id %d is of %d, now is %d", id, made, now)
	}
}
