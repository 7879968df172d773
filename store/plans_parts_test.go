package store_test

import (
	"fmt"
	"testing"

	"emissor/test/testkit"
)

// cutAmong cuts the parts of the tables anew, so that the rows of manyRows lie in all of them, three at
// least: their ids are not of a time.
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
