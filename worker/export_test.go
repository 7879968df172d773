package worker_test

import (
	"bytes"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/books"
	"emissor/test/long"
	"emissor/test/testkit"
)

func thisMonth() nfse.Month { return nfse.Month(nfse.DayOf(time.Now())[:7]) }

// makeArchive has the ZIP of this month's test notes made, and returns its id once it is ready.
func makeArchive(t *testing.T, s *testkit.System) (id string) {
	t.Helper()
	scope := nfse.Scope{OrganizationID: s.Organization.ID}
	if err := s.Changes().Books.MakeArchive(t.Context(), scope, thisMonth()); err != nil {
		t.Fatal(err)
	}
	id = s.Text(t, `SELECT id FROM month_archives WHERE status <> 'removed'`)
	testkit.Eventually(t, "the ZIP is ready", func() bool {
		return s.Text(t, `SELECT status FROM month_archives WHERE id = $1`, id) == string(books.ArchiveReady)
	})
	return id
}

// contentOf are the bytes of a ZIP, which is read part by part, as downloads do.
func contentOf(t *testing.T, s *testkit.System, id string) (whole []byte) {
	t.Helper()
	archive, err := s.Store.Books.ArchiveToMake(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for int64(len(whole)) < archive.Size {
		part, begin, err := s.Store.Books.ArchiveAt(t.Context(), id, int64(len(whole)))
		if err != nil || begin != int64(len(whole)) {
			t.Fatalf("the part at %d begins at %d: %v", len(whole), begin, err)
		}
		whole = append(whole, part...)
	}
	return whole
}

// manyNotes copies an issued note, so that a ZIP has several parts.
func manyNotes(t *testing.T, s *testkit.System, notes int) {
	t.Helper()
	service := s.NewService(t, s.TestKey)
	id := s.Issue(t, s.TestKey, testkit.Issuance(service, "one"))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	copies(t, s, notes)
}

// copies makes so many copies of the first note.
func copies(t *testing.T, s *testkit.System, notes int) {
	t.Helper()
	s.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id',
		'nfse_' || lpad(i::text, 26, '0'), 'reference', 'copy-' || i))).* FROM notes n, generate_series(1, $1) i`, notes)
	s.Exec(t, `INSERT INTO note_documents (note_id, xml) SELECT n.id, d.xml FROM notes n, note_documents d
		WHERE n.reference LIKE 'copy-%'`)
}

// The run of a ZIP is killed after its first part: what was made stays, another run goes on, and the
// ZIP is the same as one that was made without a break.
func TestExport_KilledAfterAPart(t *testing.T) {
	long.Only(t, "kills the making of a ZIP")
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	manyNotes(t, s, 160)
	whole := contentOf(t, s, makeArchive(t, s))

	// The second part is refused: the attempt fails again and again.
	s.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'killed here'; END $$`)
	s.Exec(t, `CREATE TRIGGER refuse BEFORE INSERT ON month_archive_parts FOR EACH ROW WHEN (NEW.number = 1)
		EXECUTE FUNCTION refuse()`)
	scope := nfse.Scope{OrganizationID: s.Organization.ID}
	if err := s.Changes().Books.MakeArchive(t.Context(), scope, thisMonth()); err != nil {
		t.Fatal(err)
	}
	id := s.Text(t, `SELECT id FROM month_archives WHERE status = 'pending'`)
	testkit.Eventually(t, "it has its first part", func() bool {
		return s.Count(t, `SELECT parts FROM month_archives WHERE id = $1`, id) == 1
	})
	s.Worker.Stop()
	if err := s.Temporal.TerminateWorkflow(t.Context(), id, "", "killed by the test"); err != nil {
		t.Fatal(err)
	}
	first := s.Text(t, `SELECT xmin::text FROM month_archive_parts WHERE archive_id = $1`, id)
	s.Exec(t, `DROP TRIGGER refuse ON month_archive_parts`)
	s.Exec(t, `UPDATE month_archives SET requeue_after = now() WHERE id = $1`, id)
	if _, requeued, err := s.Store.Books.RequeueArchives(t.Context(), 10); requeued != 1 || err != nil {
		t.Fatalf("%d are started again: %v", requeued, err)
	}
	s.StartWorker(t)
	testkit.Eventually(t, "the ZIP is ready", func() bool {
		return s.Text(t, `SELECT status FROM month_archives WHERE id = $1`, id) == string(books.ArchiveReady)
	})
	if again := s.Text(t, `SELECT xmin::text FROM month_archive_parts WHERE archive_id = $1 AND number = 0`,
		id); again != first {
		t.Error("the first part was made again")
	}
	if !bytes.Equal(whole, contentOf(t, s, id)) {
		t.Error("after the break it is another ZIP")
	}
}

// Of two runs that make the same part at once one adds nothing.
func TestExport_TwoAtOnce(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{})
	scope := nfse.Scope{OrganizationID: s.Organization.ID}
	if err := s.Changes().Books.MakeArchive(t.Context(), scope, thisMonth()); err != nil {
		t.Fatal(err)
	}
	archive, err := s.Store.Books.ArchiveOf(t.Context(), scope, thisMonth())
	if err != nil {
		t.Fatal(err)
	}
	part := books.ArchivePart{Lines: []byte("x\n"), Notes: 1}
	part.Content = []byte("PK")
	for range 2 {
		if err := s.Store.Books.AddToArchive(t.Context(), archive, part); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := s.Store.Books.ArchiveOf(t.Context(), scope, thisMonth()); now.Parts != 1 || now.Size != 2 ||
		err != nil {
		t.Errorf("it has %d parts and %d bytes: %v", now.Parts, now.Size, err)
	}
}
