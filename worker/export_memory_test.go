package worker_test

import (
	"runtime"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/books"
	"emissor/test/long"
	"emissor/test/testkit"
)

// What a worker holds in memory while it makes a ZIP does not grow with the notes in it.
func TestExport_Memory(t *testing.T) {
	long.Only(t, "makes the ZIP of 5,000 notes and looks at the memory of the process")
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	manyNotes(t, s, 250)
	few, small := heapWhileMaking(t, s)
	s.Exec(t, `DELETE FROM note_documents WHERE note_id IN (SELECT id FROM notes WHERE reference LIKE 'copy-%')`)
	s.Exec(t, `DELETE FROM notes WHERE reference LIKE 'copy-%'`)
	s.Exec(t, `DELETE FROM note_references WHERE reference LIKE 'copy-%'`)
	copies(t, s, 5000)
	many, large := heapWhileMaking(t, s)
	t.Logf("the ZIP of 250 notes has %d kB, and the heap at most %d kB; that of 5,000 %d kB, and %d kB", small>>10,
		few>>10, large>>10, many>>10)
	if large < 10*small {
		t.Errorf("the ZIP of 5,000 notes has %d bytes, that of 250 %d", large, small)
	}
	if more := int64(many) - int64(few); more > large/4 {
		t.Errorf("with 5,000 notes the heap has %d bytes more, and the ZIP %d", more, large)
	}
}

// heapWhileMaking has the ZIP of the month made again. It returns the most of the heap that was in use meanwhile,
// after a collection, and the size of the ZIP.
func heapWhileMaking(t *testing.T, s *testkit.System) (most uint64, size int64) {
	t.Helper()
	scope := nfse.Scope{OrganizationID: s.Organization.ID}
	if err := s.Changes().Books.MakeArchive(t.Context(), scope, thisMonth()); err != nil {
		t.Fatal(err)
	}
	var memory runtime.MemStats
	for deadline := time.Now().Add(10 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		archive, err := s.Store.Books.ArchiveOf(t.Context(), scope, thisMonth())
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the ZIP is not ready: %+v, %v", archive, err)
		}
		runtime.GC()
		runtime.ReadMemStats(&memory)
		most = max(most, memory.HeapAlloc)
		if archive.Status == books.ArchiveReady {
			return most, archive.Size
		}
	}
}
