package testkit

import (
	"net/url"
	"testing"
	"time"
)

// clockSchema is searched before PostgreSQL's own schema by sessions with a clock of the
// test's: now() is then what SetClock says.
const clockSchema = "test_clock"

// withClock is the URL of a database for sessions that ask the test's clock. Defaults of
// columns go on asking the server's.
func (d *Database) withClock(t testing.TB, databaseURL string) string {
	t.Helper()
	d.Exec(t, `CREATE SCHEMA `+clockSchema)
	t.Cleanup(func() { d.Exec(t, `DROP SCHEMA `+clockSchema+` CASCADE`) })
	d.Exec(t, `GRANT USAGE ON SCHEMA `+clockSchema+` TO PUBLIC`)
	d.SetClock(t, time.Now())
	return databaseURL + "&search_path=" + url.QueryEscape(clockSchema+", pg_catalog, public")
}

// SetClock stops the clock of sessions that ask the test's at a moment: see
// Options.OwnClock.
func (d *Database) SetClock(t testing.TB, at time.Time) {
	t.Helper()
	d.Exec(t, `CREATE OR REPLACE FUNCTION `+clockSchema+`.now() RETURNS timestamptz LANGUAGE sql STABLE
		AS $$ SELECT timestamptz '`+at.UTC().Format(time.RFC3339Nano)+`' $$`)
}
