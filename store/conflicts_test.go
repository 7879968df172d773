package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"emissor/test/testkit"
)

// secondKeys are the tables with several unique keys of which an insertion names one (ON CONFLICT (...)), and why
// two insertions of the same cannot meet in another: there the loser of the race would be an error.
var secondKeys = map[string]string{
	"alert_mails":           "the id is made for each insertion",
	"alerts":                "the id is counted by the database",
	"batches":               "the id is made for each insertion",
	"certificates":          "the id is made for each insertion",
	"customers":             "the id is made for each insertion",
	"document_dictionaries": "the id is counted by the database",
	"external_events":       "the others are of rows that this key is not of, and the id is counted by the database",
	"outbox":                "the id is counted by the database",
	"received_events":       "the others are of rows that this key is not of, and the id is counted by the database",
	"received_notes":        "the id is counted by the database",
	"saved_filters":         "the id is made for each insertion",
	"sessions":              "the id is made for each insertion",
	"tax_id_claims":         "one transaction at a time inserts claims of an issuer (lockIssuer)",
	"users":                 "the id is made for each insertion",
}

var insertsInto = regexp.MustCompile(`INSERT INTO ([a-z_]+)`)

// An insertion that may meet another of the same names no unique key, or the only one that both have.
func TestConflicts_SecondUniqueKey(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	several := strings.Fields(database.Text(t, `SELECT string_agg(name, ' ') FROM (
		SELECT indrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
		WHERE indisunique AND relnamespace = 'public'::regnamespace GROUP BY 1 HAVING count(*) > 1) AS several`))
	files, err := filepath.Glob("*/*.go")
	must(t, err)
	found := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		must(t, err)
		pieces := strings.Split(string(text), "ON CONFLICT ")
		for i, after := range pieces[1:] {
			inserts := insertsInto.FindAllStringSubmatch(pieces[i], -1)
			if inserts == nil || strings.HasPrefix(after, "DO NOTHING") {
				continue
			}
			table := inserts[len(inserts)-1][1]
			if found[table] = true; slices.Contains(several, table) && secondKeys[table] == "" {
				t.Errorf("%s: %s has another unique key: may two insertions of the same meet there?", file, table)
			}
		}
	}
	for table := range secondKeys {
		if !found[table] || !slices.Contains(several, table) {
			t.Errorf("%s is not inserted so any more", table)
		}
	}
}
