package store_test

import (
	"errors"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/books"
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
		_, _, err := n.Store.Books.ArchiveAt(t.Context(), "zip_1", 100)
		return err
	}
	must(t, part())

	taker := n.takerOf(t, n.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, id))
	operator := testkit.OpenStore(t, n.As(testkit.Roles.Operator)).By(testkit.Operator)
	must(t, second(operator.Privacy.EraseCustomer(t.Context(), n.scope.OrganizationID, taker, true)))
	if _, err := n.Store.Books.Archive(t.Context(), n.scope, "zip_1"); !errors.Is(err, books.ErrNoArchive) {
		t.Errorf("it can be downloaded: %v", err)
	}
	if err := part(); !errors.Is(err, books.ErrNoArchive) {
		t.Errorf("a download of it goes on: %v", err)
	}
	parts := func() int { return n.Count(t, `SELECT count(*) FROM month_archive_parts`) }
	if parts() != 120 {
		t.Errorf("with the erasure all but %d parts went", parts())
	}

	const limit = 10
	worker, rounds := testkit.OpenStore(t, n.As(testkit.Roles.Worker)), 1
	for ; rounds < 20; rounds++ { // as the maintenance does in a round
		looked, _, err := worker.Books.RemoveArchives(t.Context(), limit)
		must(t, err)
		if looked < limit {
			break
		}
	}
	if parts() != 0 || rounds != 3 || n.Count(t, `SELECT count(*) FROM month_archives WHERE cleared`) != 1 {
		t.Errorf("after %d times %d parts are left", rounds, parts())
	}
}

// A range of a ZIP is an entry of the audit log of its own where it goes on with no download of the last hour.
func TestDownloadArchive_InParts(t *testing.T) {
	n := newTenant(t)
	archive := books.Archive{ID: "zip_1", Scope: n.scope, Month: "2026-11"}
	before := func(ago time.Duration, subject, actor string) {
		t.Helper()
		at := time.Now().Add(-ago)
		n.Exec(t, `INSERT INTO audit_log (id, at, actor_kind, actor_id, actor_from, request_id, action, subject_id)
			VALUES ($1, $2, 'user', $3, 'x', '', 'archive.download', $4)`,
			nfse.FirstID(nfse.PrefixAuditEntry, at)+subject+actor, nfse.Timestamp{Time: at}, actor, subject)
	}
	before(2*time.Hour, "zip_1", "usr_1")
	before(time.Minute, "zip_2", "usr_1")
	before(time.Minute, "zip_1", "usr_2")
	dashboard := testkit.OpenStore(t, n.As(testkit.Roles.Dashboard)).
		By(nfse.Actor{Kind: nfse.ActorUser, ID: "usr_1", From: "::1"})
	recorded := func() int {
		return n.Count(t, `SELECT count(*) FROM audit_log WHERE subject_id = 'zip_1' AND actor_id = 'usr_1'`)
	}
	for i, expected := range []int{2, 2} {
		must(t, dashboard.Books.DownloadArchive(t.Context(), archive, true))
		if recorded() != expected {
			t.Errorf("after %d ranges there are %d entries", i+1, recorded())
		}
	}
	must(t, dashboard.Books.DownloadArchive(t.Context(), archive, false))
	if recorded() != 3 {
		t.Errorf("with a whole download there are %d entries", recorded())
	}
}
