package store_test

import (
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/operate"
	"emissor/test/testkit"
)

// keptForDays keeps everything that may go for so many days.
func keptForDays(days int) operate.Retention {
	kept := time.Duration(days) * 24 * time.Hour
	return operate.Retention{TestNotes: kept, Events: kept, Attempts: kept, FiscalDocuments: operate.LeastFiscalRetention}
}

// addOldPart gives a table a part of a month long ago, below what its first part is cut to.
func addOldPart(t *testing.T, database *testkit.Database, table, month string) {
	t.Helper()
	database.Exec(t, `DO $$
		DECLARE g record; first record;
		BEGIN
			SELECT * INTO g FROM grown_tables() WHERE name = '`+table+`';
			SELECT * INTO first FROM parts WHERE name = g.name AND part_name LIKE '%before%';
			EXECUTE format('ALTER TABLE %I DETACH PARTITION %s', g.name, first.part::regclass);
			EXECUTE format('DROP TABLE %s', first.part::regclass);
			EXECUTE format('CREATE TABLE months.%I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', g.name || '_`+month+`',
				g.name, first_id(g.prefix, to_date('`+month+`', 'YYYYMM')),
				first_id(g.prefix, to_date('`+month+`', 'YYYYMM') + interval '1 month'));
		END $$`)
}

func partsOf(t *testing.T, database *testkit.Database, table string) string {
	t.Helper()
	return database.Text(t, `SELECT coalesce(string_agg(part_name, ' ' ORDER BY ends), '') FROM parts WHERE name = $1`,
		table)
}

// With the clock moved on, the next parts are there before the first row of them comes; without the
// maintenance it shows for how long there are any.
func TestKeepParts_RollOver(t *testing.T) {
	tenant := newTenant(t)
	worker := testkit.OpenStore(t, tenant.As(testkit.Roles.Worker))
	ahead := func() float64 {
		gauges, err := tenant.Store.Operate.Gauges(t.Context())
		must(t, err)
		return gauges.PartsAhead / (24 * 60 * 60)
	}
	_, err := worker.Operate.KeepParts(t.Context(), keptForDays(0), time.Now()) // the schema may be of another month
	must(t, err)
	if days := ahead(); days < 59 {
		t.Errorf("there are parts for %v days", days)
	}
	id := tenant.accept(t, "now")
	now := time.Now().UTC()
	for months := 1; months <= 4; months++ {
		moved := time.Date(now.Year(), now.Month(), 1, 12, 0, 0, 0, time.UTC).AddDate(0, months, 0)
		_, err := worker.Operate.KeepParts(t.Context(), keptForDays(0), moved)
		must(t, err)
		last := moved.AddDate(0, 2, 0)
		tenant.Exec(t, `INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
			SELECT $1, organization_id, livemode, id, $3, '', now() FROM notes WHERE id = $2`,
			nfse.FirstID(nfse.PrefixEvent, last), id, map[int]string{1: "nfse.issued", 2: "nfse.rejected"}[months%3+months/3])
		if in := tenant.Text(t, `SELECT tableoid::regclass::text FROM events WHERE id = $1`,
			nfse.FirstID(nfse.PrefixEvent, last)); in != "months.events_"+last.Format("200601") {
			t.Errorf("the event of %v lies in %s", last, in)
		}
		tenant.Exec(t, `DELETE FROM events`)
	}
	if parts := partsOf(t, tenant.Database, "notes"); strings.Count(parts, " ") < 2 {
		t.Errorf("the parts of notes are %s", parts)
	}
	last := tenant.Text(t, `SELECT part::regclass::text FROM parts WHERE name = 'events' ORDER BY ends DESC LIMIT 1`)
	most := ahead()
	tenant.Exec(t, `DROP TABLE `+last)
	if days := ahead(); days > most-28 {
		t.Errorf("without %s there are parts for %v days, and before for %v", last, days, most)
	}
}

// A part that cannot be made or dropped keeps no other from it, and is tried again.
func TestKeepParts_Poison(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := newWatched(t, database, testkit.Roles.Worker)
	_, err := s.Operate.KeepParts(t.Context(), keptForDays(0), time.Now()) // the schema may be of another month
	must(t, err)
	for _, table := range []string{"events", "deliveries", "delivery_attempts"} {
		addOldPart(t, database, table, "202501")
	}
	database.Exec(t, `CREATE VIEW stubborn AS SELECT id FROM months.deliveries_202501`)
	next := time.Now().UTC().AddDate(0, 2, 1-time.Now().UTC().Day())
	for _, table := range []string{"audit_log", "emails", "events"} {
		database.Exec(t, `DROP TABLE months.`+table+next.Format("_200601"))
	}
	database.Exec(t, `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
		BEGIN
			IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'months.emails_`+
		next.Format("200601")+`') THEN
				RAISE EXCEPTION 'not this one';
			END IF;
		END $$`)
	database.Exec(t, `CREATE EVENT TRIGGER refusing ON ddl_command_end EXECUTE FUNCTION refuse()`)
	_, err = s.Operate.KeepParts(t.Context(), keptForDays(30), time.Now())
	must(t, err)
	missing := "add emails " + next.Format(time.DateOnly)
	s.expectFailures(t, "parts", 1, missing, "drop deliveries_202501")
	for table, expected := range map[string]bool{"events": true, "emails": false, "audit_log": true} {
		if found := strings.Contains(partsOf(t, database, table), next.Format("_200601")); found != expected {
			t.Errorf("the next part of %s is there: %v", table, found)
		}
	}
	for table, expected := range map[string]bool{"events": false, "deliveries": true, "delivery_attempts": false} {
		if found := strings.Contains(partsOf(t, database, table), "_202501"); found != expected {
			t.Errorf("the old part of %s is there: %v", table, found)
		}
	}
	database.Exec(t, `DROP EVENT TRIGGER refusing`)
	database.Exec(t, `DROP VIEW stubborn`)
	pauseOver(t, database)
	_, err = s.Operate.KeepParts(t.Context(), keptForDays(30), time.Now())
	must(t, err)
	if left := aside(t, database); left != "" {
		t.Errorf("set aside are %s", left)
	}
}

// What is pending keeps its part, and that of what it needs, until it is over; then all of it goes.
func TestKeepParts_NeededStays(t *testing.T) {
	tenant := newTenant(t)
	s := newWatched(t, tenant.Database, testkit.Roles.Worker)
	note, endpoint := tenant.accept(t, "old"), tenant.addEndpoint(t)
	tables := []string{"events", "deliveries", "delivery_attempts"}
	for _, table := range tables {
		addOldPart(t, tenant.Database, table, "202501")
	}
	then := time.Date(2025, time.January, 9, 0, 0, 0, 0, time.UTC)
	event, delivery := nfse.FirstID(nfse.PrefixEvent, then), nfse.FirstID(nfse.PrefixDelivery, then)
	tenant.Exec(t, `INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
		SELECT $1, organization_id, livemode, id, 'nfse.issued', '', now() FROM notes WHERE id = $2`, event, note)
	tenant.Exec(t, `INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id)
		SELECT $1, organization_id, livemode, id, $2 FROM events`, delivery, endpoint)
	tenant.Exec(t, `INSERT INTO delivery_attempts (id, delivery_id, started_at, duration_ms, answer)
		SELECT first_id(NULL, '2025-01-10')::bigint, id, now(), 1, '' FROM deliveries`)
	expect := func(kept bool) {
		t.Helper()
		_, err := s.Operate.KeepParts(t.Context(), keptForDays(30), time.Now())
		must(t, err)
		s.expectFailures(t, "parts", 0)
		for _, table := range tables {
			if found := strings.Contains(partsOf(t, tenant.Database, table), "_202501"); found != kept {
				t.Errorf("the old part of %s is there: %v", table, found)
			}
		}
	}
	expect(true)
	tenant.Exec(t, `UPDATE deliveries SET status = 'delivered', resolved_at = now()`)
	pauseOver(t, tenant.Database)
	for range tables { // each goes once what refers to it is gone
		_, err := s.Operate.KeepParts(t.Context(), keptForDays(30), time.Now())
		must(t, err)
		pauseOver(t, tenant.Database)
	}
	expect(false)
}

// The worker may neither drop what is kept nor make what is far away, no matter what its settings say.
func TestParts_Guarded(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	for _, statement := range []string{
		`SELECT drop_part(part_name) FROM parts WHERE name = 'events' AND part_name NOT LIKE '%before%'`,
		`SELECT drop_part(part_name) FROM parts WHERE name = 'notes'`,
		`SELECT drop_part(part_name) FROM parts WHERE name = 'ledger_entries'`,
		`SELECT drop_part(part_name) FROM parts WHERE name = 'fiscal_calls'`,
		`SELECT add_part('events', '2020-01-01')`,
		`SELECT add_part('events', date_trunc('month', now())::date + 1)`,
		`SELECT add_part('events', (date_trunc('month', now()) + interval '2 years')::date)`,
		`SELECT add_part('organizations', date_trunc('month', now())::date)`,
	} {
		if _, err := database.SQL.Exec(statement); err == nil {
			t.Errorf("%s is done", statement)
		}
	}
}

// Who makes a part in the same moment has made its row type when PostgreSQL looks for that, though the table was not
// there a moment before: it is tried again, as everything that somebody else is about to make.
func TestAddPart_MadeBySomebodyElse(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	const later = `date_trunc('month', now() + interval '6 months')::date`
	added := func() string { return database.Text(t, `SELECT add_part('events', `+later+`)`) }
	part := "months." + database.Text(t, `SELECT to_char(`+later+`, '"events_"YYYYMM')`)
	database.Exec(t, `CREATE TYPE `+part+` AS ENUM ()`)
	if did := added(); did != "false" {
		t.Errorf("a part that somebody makes is added: %s", did)
	}
	database.Exec(t, `DROP TYPE `+part)
	if did := added(); did != "true" {
		t.Errorf("a part that nobody makes any more is not added: %s", did)
	}
}
