package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store"
	"emissor/test/testkit"
)

// What a database of the version before holds is, once it was migrated, what a plain note of today
// leaves: so old notes read, print and go on as before.
func TestMigrate_OldRowsAreAsToday(t *testing.T) {
	n, certificate := newIssuer(t)
	n.KeepOldForm(t)
	n.SetProfile(t, n.issuer())
	n.signed(t, certificate, "in doubt")
	n.begin(t, "begun")
	n.settleAtAuthority(t, certificate, "cancelled")
	n.accept(t, "accepted")

	n.Exec(t, `UPDATE api_keys SET last_four = NULL`) // which keys that were made before have not

	old := testkit.OpenDatabaseAt(t, 1)
	tables := columnsOf(t, old.SQL)
	transaction := begun(t, old)
	_, err := transaction.Exec(`SET LOCAL session_replication_role = replica`)
	must(t, err)
	for table, columns := range tables {
		_, err := transaction.Exec(fmt.Sprintf(`DELETE FROM %s`, table))
		must(t, err)
		_, err = transaction.Exec(fmt.Sprintf(`INSERT INTO %[1]s (%[2]s) OVERRIDING SYSTEM VALUE
			SELECT %[2]s FROM json_populate_recordset(NULL::%[1]s, $1)`, table, columns),
			rowsOf(t, n.SQL, table, columns))
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
	must(t, transaction.Commit())
	must(t, old.Store.Migrate(t.Context()))
	nameNotes(t, old)
	tomorrow := time.Now().AddDate(0, 0, 1)
	for _, database := range []*testkit.Database{n.Database, old} { // how a month came to its figures is not kept
		must(t, database.Store.RollUpClosings(t.Context()))
		database.Exec(t, `DELETE FROM closing_figures WHERE notes = 0`)
		database.Exec(t, `UPDATE storage_form SET contracted_at = $1`, tomorrow)
		for packed := 1; packed > 0; {
			packed, err = database.Store.PackDocuments(t.Context(), 2)
			must(t, err)
		}
		database.Exec(t, `DELETE FROM retention_progress`)
		database.Exec(t, `UPDATE distributions SET notes_since = created_at`)
		if unchecked := database.Count(t, `SELECT count(*) FROM fiscal_sequences
			WHERE checked_in IS DISTINCT FROM sequence_database()`); unchecked != 0 {
			t.Errorf("%d sequences are to be checked", unchecked)
		}
		database.Exec(t, `UPDATE fiscal_sequences SET checked_in = ''`) // each has a name of its own
		database.Exec(t, `UPDATE checked_database SET name = ''`)
	}
	for table, columns := range columnsOf(t, n.SQL) {
		if now, before := rowsOf(t, n.SQL, table, columns), rowsOf(t, old.SQL, table, columns); now != before {
			t.Errorf("%s has\n%s\nand of before\n%s", table, now, before)
		}
	}
}

// settleAtAuthority has a note issued by the authority, and then asked to be cancelled.
func (n tenancy) settleAtAuthority(t *testing.T, certificate, reference string) {
	t.Helper()
	e, call := n.sending(t, n.signed(t, certificate, reference), issuing)
	key, number := strings.Repeat("1", 50), "7"
	issued := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs, Document: &fiscal.IssuedDocument{
		AccessKey: key, XML: []byte("<NFSe/>"), Authorization: nfse.Authorization{
			Number: &number, AccessKey: &key, IssuedAt: nfse.Timestamp{Time: time.Now()}},
	}}
	_, err := n.Store.SaveDecision(t.Context(), e, issuing, call, issued, e.AfterSending(issued, time.Hour),
		store.Along{})
	must(t, err)
	n.cancel(t, e.NoteID)
}

// columnsOf are the columns of every table of the schema, by its name.
func columnsOf(t *testing.T, database *sqlx.DB) map[string]string {
	t.Helper()
	var rows []struct{ Table, Columns string }
	must(t, database.SelectContext(t.Context(), &rows, `SELECT table_name AS table,
			string_agg(column_name, ', ' ORDER BY column_name) AS columns
		FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'schema_versions'
			AND is_generated = 'NEVER'
		GROUP BY table_name`))
	columns := map[string]string{}
	for _, row := range rows {
		columns[row.Table] = row.Columns
	}
	return columns
}

// rowsOf are the rows of a table in JSON, in the order of their texts.
func rowsOf(t *testing.T, database *sqlx.DB, table, columns string) (rows string) {
	t.Helper()
	must(t, database.GetContext(t.Context(), &rows, fmt.Sprintf(
		`SELECT coalesce(json_agg(one ORDER BY one::text), '[]') FROM (SELECT %s FROM %s) AS one`, columns, table)))
	return rows
}
