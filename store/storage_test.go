package store_test

import (
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/testkit"
)

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
