package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/store/operate"
	"emissor/test/testkit"
)

// A batch looks at its rows and no others, however many there are.
func oldCopiesAreBounded(t *testing.T, database crowded) {
	const limit = 50
	database.Exec(t, `UPDATE note_documents SET created_at = created_at - interval '2 hours'`)
	database.Exec(t, `UPDATE events SET created_at = created_at - interval '2 hours'`)
	database.Exec(t, `UPDATE delivery_attempts SET started_at = started_at - interval '2 hours'`)
	p := newPlanned(t, database.Database)
	for range 3 {
		p.plans = nil
		looked, removed, err := p.Operate.RemoveOldCopies(t.Context(),
			operate.Retention{TestNotes: time.Hour, Events: time.Hour, Attempts: time.Hour}, limit)
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

// removeOld removes what is older than testRetention, and returns how much that was.
func (w *watched) removeOld(t *testing.T, limit int) (looked, removed int) {
	t.Helper()
	looked, removed, err := w.Operate.RemoveOldCopies(t.Context(), testRetention, limit)
	must(t, err)
	return looked, removed
}

// What something still needs is passed, and goes when it is needed no longer.
func TestRetention_NeededIsPassed(t *testing.T) {
	tenant := newTenant(t)
	s := newWatched(t, tenant.Database, testkit.Roles.Worker)
	events := oldEvents(t, tenant)
	endpoint := tenant.addEndpoint(t)
	tenant.Exec(t, `INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id)
		SELECT 'dlv_0', organization_id, livemode, id, $1 FROM events WHERE id = $2`, endpoint, events[0])
	if _, removed := s.removeOld(t, 10); removed != 2 {
		t.Errorf("%d copies are removed", removed)
	}
	for range 2 { // it is looked at again after an hour each time, however often it was needed
		if expected := events[0] + " 0 60"; aside(t, tenant.Database) != expected {
			t.Errorf("set aside is %q, expected %q", aside(t, tenant.Database), expected)
		}
		pauseOver(t, tenant.Database)
		if _, removed := s.removeOld(t, 10); removed != 0 {
			t.Error("what is needed is removed")
		}
	}
	tenant.Exec(t, `UPDATE deliveries SET status = 'delivered', resolved_at = now()`)
	if _, removed := s.removeOld(t, 10); removed != 0 {
		t.Error("it is looked at before its time")
	}
	pauseOver(t, tenant.Database)
	if _, removed := s.removeOld(t, 10); removed != 1 || aside(t, tenant.Database) != "" {
		t.Errorf("%d copies are removed, set aside is %q", removed, aside(t, tenant.Database))
	}
	s.expectFailures(t, "retention: test events", 0)
}

// One kind of copies that cannot even be looked at stops no other.
func TestRetention_KindsAreApart(t *testing.T) {
	tenant := newTenant(t)
	s := newWatched(t, tenant.Database, testkit.Roles.Worker)
	oldDocuments(t, tenant) // the first kind; the second are the events
	tenant.Exec(t, `UPDATE events SET created_at = created_at - interval '2 hours'`)
	tenant.Exec(t, `REVOKE SELECT ON note_documents FROM `+testkit.Roles.Worker)
	_, removed, err := s.Operate.RemoveOldCopies(t.Context(), testRetention, 10)
	if err == nil || !strings.Contains(err.Error(), "old copies, test documents") || removed != 3 {
		t.Errorf("%d copies are removed, %v", removed, err)
	}
}

// Rows that cannot be removed are passed in every batch, and the walk comes to its end.
func TestRetention_PoisonInEveryBatch(t *testing.T) {
	tenant := newTenant(t)
	s := newWatched(t, tenant.Database, testkit.Roles.Worker)
	for i := range 9 {
		tenant.issue(t, fmt.Sprint(i), "")
	}
	tenant.Exec(t, `UPDATE note_documents SET created_at = created_at - interval '2 hours'`)
	notes := tenant.selected(t, `SELECT note_id FROM note_documents ORDER BY note_id`)
	poison := []string{notes[0], notes[4], notes[8]}
	tenant.Exec(t, `CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $poison$
		BEGIN
			IF OLD.note_id IN ('`+strings.Join(poison, "', '")+`') THEN RAISE EXCEPTION 'poison'; END IF;
			RETURN OLD;
		END $poison$`)
	tenant.Exec(t, `CREATE TRIGGER poison BEFORE DELETE ON note_documents FOR EACH ROW EXECUTE FUNCTION poison()`)
	total := 0
	for looked := 3; looked == 3; {
		var removed int
		looked, removed = s.removeOld(t, 3)
		total += removed
	}
	if total != 6 {
		t.Errorf("%d copies are removed", total)
	}
	s.expectFailures(t, "retention: test documents", 1, poison...)
	tenant.Exec(t, `DROP TRIGGER poison ON note_documents`)
	pauseOver(t, tenant.Database)
	if _, removed := s.removeOld(t, 3); removed != 3 || aside(t, tenant.Database) != "" {
		t.Errorf("once they are mended %d copies are removed", removed)
	}
}
