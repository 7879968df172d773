package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/internal/archive/objects"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/archive"
	"emissor/store/operate"
	"emissor/store/postgres"
	"emissor/test/long"
	"emissor/test/simulators/objectstore"
	"emissor/test/testkit"
)

// archived is a live tenant whose store has an archive, in an object storage that fails on demand.
type archived struct {
	tenancy
	service *objectstore.Server
	archive *store.Store // of the worker's role
	keeper  *store.Changes
	objects objects.Store
	first   string // the id of an issued note
	mu      sync.Mutex
	failed  []error
}

// Where Amazon's client looks for credentials; tests side by side cannot set variables of their own.
func init() {
	_ = os.Setenv("AWS_ACCESS_KEY_ID", "test")
	_ = os.Setenv("AWS_SECRET_ACCESS_KEY", "test")
}

// long ago enough for every test, and its month.
var (
	lastJanuary  = time.Date(2025, 1, 10, 12, 0, 0, 0, nfse.Brasilia)
	archiveMonth = nfse.Month("2025-01")
)

const archiveAge = 90 * 24 * time.Hour

func newArchived(t *testing.T) *archived {
	t.Helper()
	n := newTenant(t).inLive(t)
	service := objectstore.New()
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	address, err := objects.ParseAddress("s3://bucket/emissor?region=sa-east-1&endpoint=" + server.URL)
	must(t, err)
	kept, err := objects.Open(t.Context(), address)
	must(t, err)
	return withArchive(t, n, kept, service)
}

func withArchive(t *testing.T, n tenancy, kept objects.Store, service *objectstore.Server) *archived {
	t.Helper()
	a := &archived{tenancy: n, service: service, objects: kept}
	a.archive = a.open(t, testkit.Roles.Worker, time.Minute)
	a.keeper = a.open(t, testkit.Roles.Operator, time.Minute).By(testkit.Operator)
	a.first = n.begin(t, "the first")
	_, err := n.settleIssued(t, n.Store, a.first)
	must(t, err)
	return a
}

// open opens the database as a role, with the archive.
func (a *archived) open(t *testing.T, role string, readTimeout time.Duration) *store.Store {
	t.Helper()
	opened, err := store.Open(t.Context(), postgres.Config{
		URL: a.As(role), MaxConnections: 20, StatementTimeout: 30 * time.Second, Application: "emissor-test",
		Archive: postgres.DocumentArchive{Objects: a.objects, ReadTimeout: readTimeout,
			Failed: func(_ context.Context, _ string, err error) {
				a.mu.Lock()
				defer a.mu.Unlock()
				a.failed = append(a.failed, err)
			}},
	})
	must(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	return opened
}

// add makes notes with these documents, a minute after each other from a moment on.
func (a *archived) add(t *testing.T, from time.Time, documents ...[]byte) (ids []string) {
	t.Helper()
	for i, document := range documents {
		id := nfse.FirstID(nfse.PrefixNote, from.Add(time.Duration(i)*time.Minute))
		a.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id', $2::text, 'reference',
			$2::text))).* FROM notes n WHERE id = $1`, a.first, id)
		a.Exec(t, `INSERT INTO note_documents (note_id, xml, created_at) VALUES ($1, $2, $3)`, id, document,
			from.Add(time.Duration(i)*time.Minute))
		ids = append(ids, id)
	}
	return ids
}

// addTest adds the document of a note of the test environment.
func (a *archived) addTest(t *testing.T, at time.Time) {
	t.Helper()
	n := tenantOf(t, a.Database, a.scope.OrganizationID, false)
	settled := n.begin(t, "of the test environment")
	_, err := n.settleIssued(t, n.Store, settled)
	must(t, err)
	id := nfse.FirstID(nfse.PrefixNote, at)
	a.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id', $2::text, 'reference',
		$2::text))).* FROM notes n WHERE id = $1`, settled, id)
	a.Exec(t, `INSERT INTO note_documents (note_id, xml) VALUES ($1, 'x')`, id)
}

func xmlOf(i int) []byte {
	return fmt.Appendf(nil, "<NFSe><nNFSe>%d</nNFSe><xNome>São José</xNome>"+
		"<X509Certificate>MII%d</X509Certificate></NFSe>", i, i%3)
}

func someXML(number int) (documents [][]byte) {
	for i := range number {
		documents = append(documents, xmlOf(i))
	}
	return documents
}

// keep is a round of the worker.
func (a *archived) keep(t *testing.T) (archive.ArchiveRound, error) {
	t.Helper()
	return a.archive.Archive.KeepArchive(t.Context(), archiveAge, time.Now().Add(time.Minute))
}

// reads expects that every note has its document, by whichever door.
func (a *archived) reads(t *testing.T, ids []string, documents [][]byte) {
	t.Helper()
	for i, id := range ids {
		xml, err := a.archive.Notes.NoteXML(t.Context(), a.scope, id)
		if err != nil || !bytes.Equal(xml, documents[i]) {
			t.Errorf("%s: %q, %v", id, xml, err)
		}
		document, err := a.archive.Notes.NoteDocument(t.Context(), id)
		if err != nil || !bytes.Equal(document.XML, documents[i]) {
			t.Errorf("%s, with its events: %q, %v", id, document.XML, err)
		}
	}
}

func (a *archived) inArchive(t *testing.T) int {
	t.Helper()
	return a.Count(t, `SELECT count(*) FROM note_documents WHERE xml IS NULL AND segment_id IS NOT NULL`)
}

// Documents of months that are over are moved, a segment for each month, and read as before; others and those of test
// notes stay. Restored, they are in the database again, and the archive is empty.
func TestArchive(t *testing.T) {
	a := newArchived(t)
	documents := someXML(20)
	january := a.add(t, lastJanuary, documents...)
	march := a.add(t, lastJanuary.AddDate(0, 2, 0), documents...)
	a.add(t, time.Now().Add(-time.Hour), xmlOf(1))
	a.addTest(t, lastJanuary.Add(time.Second))
	round, err := a.keep(t)
	if err != nil || round.Moved != 40 || round.Segments != 2 || round.More || a.inArchive(t) != 40 {
		t.Fatalf("%+v, %v, %d are in the archive", round, err, a.inArchive(t))
	}
	if keys := a.service.Keys(); len(keys) != 2 || !strings.Contains(keys[0], "bucket/emissor/documents/2025-01/") {
		t.Errorf("the objects are %v", keys)
	}
	a.reads(t, january, documents)
	a.reads(t, march, documents)
	if again, err := a.keep(t); err != nil || again != (archive.ArchiveRound{}) {
		t.Errorf("the next round did %+v, %v", again, err)
	}
	if _, err := a.Store.Notes.NoteXML(t.Context(), a.scope, january[0]); !postgres.IsArchiveAway(err) {
		t.Errorf("a process that does not know the archive says %v", err)
	}
	verified := 0
	must(t, a.archive.Archive.VerifyArchive(t.Context(), "", func(segment archive.VerifiedSegment) error {
		if verified += segment.Documents; segment.Problem != "" {
			t.Errorf("%+v", segment)
		}
		return nil
	}))
	months, err := a.archive.Archive.ArchivedMonths(t.Context())
	if err != nil || len(months) != 2 || months[0].Documents != 20 || verified != 40 {
		t.Errorf("%+v, %d documents were verified, %v", months, verified, err)
	}
	for range 2 { // repeated, it changes nothing
		restored, err := a.keeper.Archive.RestoreMonth(t.Context(), archiveMonth)
		if err != nil || restored.Left != 0 || a.inArchive(t) != 20 {
			t.Errorf("%+v, %v, %d are in the archive", restored, err, a.inArchive(t))
		}
	}
	a.reads(t, january, documents)
	if round, err = a.keep(t); err != nil || round.Deleted != 1 || round.Moved != 0 || len(a.service.Keys()) != 1 {
		t.Errorf("after the restore: %+v, %v, %v", round, err, a.service.Keys())
	}
	must(t, a.archive.Archive.ArchiveAgain(t.Context(), archiveMonth))
	if round, err = a.keep(t); err != nil || round.Moved != 20 {
		t.Errorf("again: %+v, %v", round, err)
	}
	a.reads(t, january, documents)
}

// No fault of the storage loses anything: a document leaves the database only after it was read back.
func TestArchive_Faults(t *testing.T) {
	for name, c := range map[string]struct {
		faults  objectstore.Faults
		problem string
	}{
		"403":                       {objectstore.Faults{Status: 403}, "refused"},
		"403 to reading":            {objectstore.Faults{Status: 403, Only: "GET"}, "refused"},
		"500":                       {objectstore.Faults{Status: 500}, "other"},
		"cuts":                      {objectstore.Faults{Cut: true}, "other"},
		"lies about a digest":       {objectstore.Faults{Lies: true}, "broken"},
		"acknowledges and loses it": {objectstore.Faults{Loses: true}, "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newArchived(t)
			documents := someXML(5)
			ids := a.add(t, lastJanuary, documents...)
			a.service.SetFaults(c.faults)
			if round, err := a.keep(t); err == nil || round.Moved != 0 || a.inArchive(t) != 0 {
				t.Fatalf("%+v, %v, %d are in the archive", round, err, a.inArchive(t))
			}
			state, err := a.archive.Archive.ArchiveState(t.Context())
			if err != nil || state.FailingSince == nil || *state.Problem != c.problem {
				t.Errorf("it says %+v, %v", state, err)
			}
			gauges, err := a.archive.Operate.Gauges(t.Context())
			if err != nil || gauges.ArchiveFailing == 0 && state.FailingSince == nil {
				t.Errorf("%+v, %v", gauges, err)
			}
			a.reads(t, ids, documents)
			a.service.SetFaults(objectstore.Faults{})
			a.Exec(t, `UPDATE row_failures SET retry_after = now()`)
			if round, err := a.keep(t); err != nil || round.Moved != 5 {
				t.Errorf("afterwards: %+v, %v", round, err)
			}
			state, err = a.archive.Archive.ArchiveState(t.Context())
			if err != nil || state.FailingSince != nil || state.Leaving+state.Writing != 0 || len(a.service.Keys()) != 1 {
				t.Errorf("afterwards it says %+v, %v, and has %v", state, err, a.service.Keys())
			}
			a.reads(t, ids, documents)
		})
	}
}

// While the archive is away a document is asked for again; one that is another, or of another version, is no document.
func TestArchive_ReadingFails(t *testing.T) {
	a := newArchived(t)
	documents := someXML(3)
	ids := a.add(t, lastJanuary, documents...)
	_, err := a.keep(t)
	must(t, err)
	key := a.service.Keys()[0]
	other := bytes.ToUpper(a.service.Object(key))
	hasty := a.open(t, testkit.Roles.Worker, time.Second)
	for name, faults := range map[string]objectstore.Faults{
		"403": {Status: 403}, "503": {Status: 503}, "cuts": {Cut: true}, "lies": {Lies: true}, "slow": {Delay: time.Hour},
	} {
		a.service.SetFaults(faults)
		before := len(a.failed)
		_, err := hasty.Notes.NoteXML(t.Context(), a.scope, ids[1])
		var known *nfse.Error
		if !errors.As(err, &known) || known.Code != nfse.CodeServiceUnavailable || !known.Retryable ||
			len(a.failed) != before+1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	a.service.SetFaults(objectstore.Faults{})
	a.reads(t, ids, documents)
	a.service.Overwrite(key, other)
	if _, err := a.archive.Notes.NoteXML(t.Context(), a.scope, ids[1]); !postgres.IsArchiveAway(err) {
		t.Errorf("another object: %v", err)
	}
	must(t, a.archive.Archive.VerifyArchive(t.Context(), archiveMonth, func(segment archive.VerifiedSegment) error {
		if segment.Problem == "" {
			t.Error("another object is verified")
		}
		return nil
	}))
	if _, err := a.keeper.Archive.RestoreMonth(t.Context(), archiveMonth); err == nil || a.inArchive(t) != 3 {
		t.Errorf("another object is restored: %v", err)
	}
	a.service.SetFaults(objectstore.Faults{Stale: true}) // the version before is the right one here
	a.reads(t, ids, documents)
}

// An archive that is slow is waited for by few at once: the others are told before it answers.
func TestArchive_SlowHoldsFew(t *testing.T) {
	a := newArchived(t)
	ids := a.add(t, lastJanuary, xmlOf(1))
	_, err := a.keep(t)
	must(t, err)
	a.service.SetFaults(objectstore.Faults{Delay: time.Hour})
	slow := a.open(t, testkit.Roles.API, time.Hour)
	ctx, release := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	defer readers.Wait()
	defer release()
	for range 40 {
		readers.Go(func() { _, _ = slow.Notes.NoteXML(ctx, a.scope, ids[0]) })
	}
	testkit.Eventually(t, "20 of 40 are told", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		told := 0
		for _, err := range a.failed {
			if strings.Contains(err.Error(), "too much is read from the archive at once") {
				told++
			}
		}
		return told >= 20
	})
}

// A worker that dies between writing and the commit leaves an object that is deleted, and documents that are moved
// again; one that loses its time does not move what another has moved.
func TestArchive_KilledAfterPut(t *testing.T) {
	a := newArchived(t)
	documents := someXML(4)
	ids := a.add(t, lastJanuary, documents...)
	ctx, kill := context.WithCancel(t.Context())
	a.service.SetFaults(objectstore.Faults{AfterPut: func(string) { kill() }})
	if _, err := a.archive.Archive.KeepArchive(ctx, archiveAge, time.Now().Add(time.Minute)); err == nil {
		t.Error("the round that was killed ended well")
	}
	a.service.SetFaults(objectstore.Faults{})
	// As if the process had not even put the lease and the segment back.
	a.Exec(t, `UPDATE archive_segments SET state = 'writing'`)
	a.Exec(t, `UPDATE archive_state SET token = 'dead', lease_until = now() + interval '1 hour'`)
	if a.inArchive(t) != 0 || len(a.service.Keys()) != 1 {
		t.Fatalf("%d are in the archive, which has %v", a.inArchive(t), a.service.Keys())
	}
	if round, err := a.keep(t); err != nil || round != (archive.ArchiveRound{}) {
		t.Errorf("under another's lease: %+v, %v", round, err)
	}
	a.Exec(t, `UPDATE archive_state SET lease_until = now() - interval '1 second'`)
	a.Exec(t, `UPDATE archive_segments SET created_at = now() - interval '2 hours'`)
	if round, err := a.keep(t); err != nil || round.Moved != 4 || round.Deleted != 1 {
		t.Errorf("afterwards: %+v, %v", round, err)
	}
	if len(a.service.Keys()) != 1 || a.Count(t, `SELECT count(*) FROM archive_segments`) != 1 {
		t.Errorf("the objects are %v", a.service.Keys())
	}
	a.reads(t, ids, documents)
}

// A document that is not what was stored is set aside, and stops none of the others; mended, it may be moved.
func TestArchive_PoisonDocument(t *testing.T) {
	a := newArchived(t)
	documents := someXML(5)
	ids := a.add(t, lastJanuary, documents...)
	a.Exec(t, `UPDATE note_documents SET digest = sha256('another') WHERE note_id = $1`, ids[2])
	if round, err := a.keep(t); err != nil || round.Moved != 4 || a.inArchive(t) != 4 {
		t.Errorf("%+v, %v", round, err)
	}
	aside := func() int {
		return a.Count(t, `SELECT count(*) FROM row_failures WHERE loop = 'archive' AND row_id = $1`, ids[2])
	}
	if aside() != 1 {
		t.Error("it is not set aside")
	}
	a.Exec(t, `UPDATE note_documents SET digest = NULL WHERE note_id = $1`, ids[2])
	must(t, a.archive.Archive.ArchiveAgain(t.Context(), archiveMonth))
	if round, err := a.keep(t); err != nil || round.Moved != 1 {
		t.Errorf("mended: %+v, %v", round, err)
	}
	a.reads(t, ids, documents)
}

// A document that is erased while its segment is written stays in neither, and its neighbours are moved.
func TestArchive_ErasedMeanwhile(t *testing.T) {
	a := newArchived(t)
	documents := someXML(4)
	ids := a.add(t, lastJanuary, documents...)
	once := false
	a.service.SetFaults(objectstore.Faults{AfterPut: func(string) {
		if !once {
			once = true
			a.Exec(t, `DELETE FROM note_documents WHERE note_id = $1`, ids[1])
		}
	}})
	if round, err := a.keep(t); err != nil || round.Moved != 3 {
		t.Errorf("%+v, %v", round, err)
	}
	if _, err := a.keep(t); err != nil || len(a.service.Keys()) != 1 {
		t.Errorf("left are %v, %v", a.service.Keys(), err)
	}
	a.reads(t, append(ids[:1:1], ids[2:]...), append(documents[:1:1], documents[2:]...))
}

// Erasure reaches the archive: what was erased is in no object any more, and its neighbours are read as before. While
// the archive is away it waits, and says so.
func TestArchive_Erasure(t *testing.T) {
	a := newArchived(t)
	documents := someXML(4)
	ids := a.add(t, lastJanuary.AddDate(-9, 0, 0), documents...)
	_, err := a.keep(t)
	must(t, err)
	a.Exec(t, `UPDATE notes SET created_at = '2016-01-01', issued_at = '2016-01-01'`)
	taxID := nfse.TaxID(a.Text(t, `SELECT tax_id FROM customers`))
	a.Exec(t, `UPDATE notes SET customer_id = (SELECT id FROM customers) WHERE id = $1`, ids[1])
	// Only one of them is this taker's.
	a.Exec(t, `INSERT INTO customers SELECT (jsonb_populate_record(c, jsonb_build_object('id', 'cus_other', 'tax_id',
		'52998224725'))).* FROM customers c`)
	a.Exec(t, `UPDATE notes SET customer_id = 'cus_other' WHERE id <> $1 AND id = ANY($2)`, ids[1],
		fmt.Sprintf("{%s}", strings.Join(ids, ",")))
	erasure, err := a.keeper.Privacy.EraseCustomer(t.Context(), a.scope.OrganizationID, taxID, true)
	if err != nil || erasure.InArchive != 1 {
		t.Fatalf("%+v, %v", erasure, err)
	}
	if _, err := a.archive.Notes.NoteXML(t.Context(), a.scope, ids[1]); !nfse.IsCode(err, nfse.CodeXMLNotAvailable) {
		t.Errorf("what was erased is %v", err)
	}
	before := a.service.Keys()[0]
	a.service.SetFaults(objectstore.Faults{Status: 403})
	if _, err := a.keep(t); err == nil {
		t.Error("an archive that refuses it has erased it")
	}
	if state, err := a.archive.Archive.ArchiveState(t.Context()); err != nil || state.Erasures != 1 {
		t.Errorf("it says %+v, %v", state, err)
	}
	a.service.SetFaults(objectstore.Faults{})
	a.Exec(t, `UPDATE row_failures SET retry_after = now()`)
	round, err := a.keep(t)
	if err != nil || round.Erased != 1 {
		t.Errorf("%+v, %v", round, err)
	}
	keys := a.service.Keys()
	if len(keys) != 1 || keys[0] == before || bytes.Contains(a.service.Object(keys[0]), []byte(ids[1])) {
		t.Errorf("the objects are %v, and were %s", keys, before)
	}
	if state, err := a.archive.Archive.ArchiveState(t.Context()); err != nil || state.Erasures != 0 ||
		state.Documents != 3 {
		t.Errorf("it says %+v, %v", state, err)
	}
	a.reads(t, append(ids[:1:1], ids[2:]...), append(documents[:1:1], documents[2:]...))
}

// Retention reaches it too: a segment goes once all its documents are over.
func TestArchive_Retention(t *testing.T) {
	a := newArchived(t)
	a.add(t, lastJanuary.AddDate(-9, 0, 0), someXML(3)...)
	kept := a.add(t, lastJanuary, someXML(3)...)
	_, err := a.keep(t)
	must(t, err)
	_, removed, err := a.archive.Operate.RemoveOldCopies(t.Context(),
		operate.Retention{FiscalDocuments: 5 * 366 * 24 * time.Hour},
		100)
	must(t, err)
	round, err := a.keep(t)
	if err != nil || removed != 3 || round.Deleted != 1 || len(a.service.Keys()) != 1 {
		t.Errorf("%d were removed; %+v, %v, %v", removed, round, err, a.service.Keys())
	}
	a.reads(t, kept, someXML(3))
}

// In a folder too: a full disk, or one that is away, loses nothing.
func TestArchive_Folder(t *testing.T) {
	n := newTenant(t).inLive(t)
	path := filepath.Join(t.TempDir(), "archive")
	kept, err := objects.Open(t.Context(), objects.Address{Folder: path})
	must(t, err)
	a := withArchive(t, n, kept, nil)
	documents := someXML(3)
	ids := a.add(t, lastJanuary, documents...)
	if _, err := a.keep(t); err == nil || a.inArchive(t) != 0 { // the disk is not mounted
		t.Errorf("it was moved: %v", err)
	}
	must(t, os.Mkdir(path, 0o700))
	a.Exec(t, `UPDATE row_failures SET retry_after = now()`)
	if round, err := a.keep(t); err != nil || round.Moved != 3 {
		t.Errorf("%+v, %v", round, err)
	}
	a.reads(t, ids, documents)
	must(t, os.Rename(path, path+"-away"))
	if _, err := a.archive.Notes.NoteXML(t.Context(), a.scope, ids[0]); !postgres.IsArchiveAway(err) {
		t.Errorf("a folder that is away: %v", err)
	}
	must(t, os.Rename(path+"-away", path))
	a.reads(t, ids, documents)
}

// No document's bytes change: ten thousand random ones and every sample of the authorities are stored, moved and read
// back, and what is signed still verifies.
func TestArchive_EveryByte(t *testing.T) {
	a := newArchived(t)
	documents, signed := allDocuments(t)
	var ids []string
	for i := range documents {
		ids = append(ids, nfse.FirstID(nfse.PrefixNote, lastJanuary.Add(time.Duration(i)*time.Second)))
	}
	a.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id', i.id, 'reference', i.id))).*
		FROM notes n, unnest($2::text[]) AS i (id) WHERE n.id = $1`, a.first, "{"+strings.Join(ids, ",")+"}")
	for begin := 0; begin < len(ids); begin += 1000 {
		tx := begun(t, a.Database)
		for i := begin; i < min(begin+1000, len(ids)); i++ {
			_, err := tx.Exec(`INSERT INTO note_documents (note_id, xml) VALUES ($1, $2)`, ids[i], documents[i])
			must(t, err)
		}
		must(t, tx.Commit())
	}
	began := time.Now()
	moved, segments := 0, 0
	for more := true; more; { // a round ends after its time, which a busy machine may need more often
		round, err := a.keep(t)
		if err != nil || round.Moved == 0 {
			t.Fatalf("%+v, %v", round, err)
		}
		moved, segments, more = moved+round.Moved, segments+round.Segments, round.More
	}
	t.Logf("%d documents into %d segments in %s, %v", moved, segments, time.Since(began), a.archiveBytes(t))
	if moved != len(documents) || segments < 1 {
		t.Fatalf("%d of %d documents were moved, into %d segments", moved, len(documents), segments)
	}
	began = time.Now()
	for i, id := range ids {
		xml, err := a.archive.Notes.NoteXML(t.Context(), a.scope, id)
		if err != nil || !bytes.Equal(xml, documents[i]) {
			t.Fatalf("document %d: %d bytes became %d, %v", i, len(documents[i]), len(xml), err)
		}
		if element := signed[i]; element != "" {
			verifySigned(t, xml, element)
		}
	}
	t.Logf("%s for each that was read back", time.Since(began)/time.Duration(len(ids)))
}

func (a *archived) archiveBytes(t *testing.T) string {
	t.Helper()
	return a.Text(t, `SELECT sum(size)::text || ' bytes' FROM archive_segments`)
}

// allDocuments are the samples, with the name of the element that is signed of those that verify, and random ones.
func allDocuments(t *testing.T) (documents [][]byte, signed map[int]string) {
	t.Helper()
	signed = map[int]string{}
	const shared = "../../shared"
	if _, err := os.Stat(shared); err != nil {
		t.Log("the authorities' samples are not on this machine, and not tried: ", err)
	} else {
		must(t, filepath.WalkDir(shared, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".xml" {
				return err
			}
			content, err := os.ReadFile(path)
			if err == nil && len(content) > 0 {
				if element := signedElement(t, content); element != "" {
					signed[len(documents)] = element
				}
				documents = append(documents, content)
			}
			return err
		}))
		t.Logf("%d samples, of which %d verify", len(documents), len(signed))
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range long.Cases(10_000, 500) {
		body := make([]byte, 200+random.IntN(4000))
		for i := range body {
			body[i] = byte(random.IntN(256))
		}
		documents = append(documents, fmt.Appendf(nil, "<NFSe><X509Certificate>MII%d</X509Certificate>%s</NFSe>",
			random.IntN(40), body))
	}
	return documents, signed
}

// signedElement is the element of a sample whose signature xmlsec1 verifies; empty for none.
func signedElement(t *testing.T, document []byte) string {
	t.Helper()
	if _, err := exec.LookPath("xmlsec1"); err != nil || !bytes.Contains(document, []byte("<SignatureValue")) {
		return ""
	}
	for _, element := range []string{"infNFSe", "infDPS", "infPedReg", "infEvento"} {
		if xmlsec(t, document, element) == nil {
			return element
		}
	}
	return ""
}

func verifySigned(t *testing.T, document []byte, element string) {
	t.Helper()
	if err := xmlsec(t, document, element); err != nil {
		t.Errorf("%s does not verify any more: %v", element, err)
	}
}

func xmlsec(t *testing.T, document []byte, element string) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "document.xml")
	must(t, os.WriteFile(file, document, 0o600))
	output, err := exec.Command("xmlsec1", "--verify", "--insecure", "--id-attr:Id", element, file).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
}
