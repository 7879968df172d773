package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/internal/testkit"
	"emissor/store"
)

// A batch looks at its rows and no others, however many there are.
func TestPlans_OldCopiesAreBounded(t *testing.T) {
	const limit = 50
	database := testkit.NewDatabase(t)
	for _, name := range []string{"Clínica", "Escola"} {
		database.NewOrganization(t, name)
	}
	manyRows(t, database)
	database.Exec(t, `UPDATE note_documents SET created_at = created_at - interval '2 hours'`)
	database.Exec(t, `UPDATE events SET created_at = created_at - interval '2 hours'`)
	database.Exec(t, `UPDATE delivery_attempts SET started_at = started_at - interval '2 hours'`)
	p := newPlanned(t, database)
	for range 3 {
		p.plans = nil
		looked, removed, err := p.RemoveOldCopies(t.Context(),
			store.Retention{TestNotes: time.Hour, Events: time.Hour, Attempts: time.Hour}, limit)
		if must(t, err); looked != limit || removed < limit {
			t.Errorf("a batch looks at %d rows and removes %d copies", looked, removed)
		}
		for _, plan := range p.plans {
			for _, node := range plan.all() {
				touched := (node.Rows + node.Filtered + node.Rechecks) * node.Loops
				bulk := []string{"note_documents", "notes", "events", "deliveries", "delivery_attempts"}
				if slices.Contains(bulk, node.Relation) && (touched > limit || strings.Contains(node.Type, "Seq")) {
					t.Errorf("%s of %s by %q touches %v rows", node.Type, node.Relation, node.Index, touched)
				}
			}
		}
	}
}
