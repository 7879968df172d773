package store_test

import (
	"errors"
	"testing"

	"emissor/store"
	"emissor/test/testkit"
)

// A ZIP with an erased taker's note can be downloaded no longer at once, also where a download of it goes on;
// its parts, of which there may be thousands, go in the next round of the maintenance, and not in the erasure.
func TestErasure_Archives(t *testing.T) {
	n := newTenant(t)
	id := n.issue(t, "order", "")
	n.Exec(t, `INSERT INTO month_archives (id, organization_id, livemode, month, status, parts, size)
		SELECT 'zip_1', organization_id, livemode, date_trunc('month', competence)::date, 'ready', 120, 240 FROM notes`)
	n.Exec(t, `INSERT INTO month_archive_parts (archive_id, number, position, content)
		SELECT 'zip_1', i, 2 * i, 'PK' FROM generate_series(0, 119) i`)
	part := func() error {
		_, _, err := n.Store.ArchiveAt(t.Context(), "zip_1", 100)
		return err
	}
	must(t, part())

	taker := n.takerOf(t, n.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, id))
	operator := testkit.OpenStore(t, n.As(testkit.Roles.Operator)).By(testkit.Operator)
	must(t, second(operator.EraseCustomer(t.Context(), n.scope.OrganizationID, taker, true)))
	if _, err := n.Store.Archive(t.Context(), n.scope, "zip_1"); !errors.Is(err, store.ErrNoArchive) {
		t.Errorf("it can be downloaded: %v", err)
	}
	if err := part(); !errors.Is(err, store.ErrNoArchive) {
		t.Errorf("a download of it goes on: %v", err)
	}
	parts := func() int { return n.Count(t, `SELECT count(*) FROM month_archive_parts`) }
	if parts() != 120 {
		t.Errorf("with the erasure all but %d parts went", parts())
	}

	const limit = 10
	worker, rounds := testkit.OpenStore(t, n.As(testkit.Roles.Worker)), 1
	for ; rounds < 20; rounds++ { // as the maintenance does in a round
		looked, _, err := worker.RemoveArchives(t.Context(), limit)
		must(t, err)
		if looked < limit {
			break
		}
	}
	if parts() != 0 || rounds != 3 || n.Count(t, `SELECT count(*) FROM month_archives WHERE cleared`) != 1 {
		t.Errorf("after %d times %d parts are left", rounds, parts())
	}
}
