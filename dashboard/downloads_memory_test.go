package dashboard_test

import (
	"io"
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
)

// A download is sent while it is read: the first of it comes long before the last, and what the process holds in memory
// meanwhile does not grow with the notes in it.
func TestDownloads_Memory(t *testing.T) {
	long.Only(t, "downloads a CSV of 120,000 notes and looks at the memory of the process")
	s := newSite(t, nil)
	model := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "modelo"))
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	copies := func(from, to int) {
		s.Exec(t, `INSERT INTO notes SELECT added.* FROM notes n, generate_series($1::int, $2::int) i,
			jsonb_populate_record(n, jsonb_build_object('id', 'nfse_' || lpad(i::text, 26, '0'), 'status', 'issued',
				'issued_at', now(), 'authority_issued_at', now(), 'authority_number', i::text, 'processing_at', now(),
				'verification_code', '1', 'reference', 'copia-' || i)) added WHERE n.id = $3`, from, to, model)
	}
	measure := func(path string) (held uint64, bytes int64, first, all time.Duration) {
		var heap []uint64 // what was live at collections, while the server goes on
		began := time.Now()
		response, err := viewer.client.Get(s.base + path)
		must(t, err)
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Fatalf("%s is answered %d", path, response.StatusCode)
		}
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for piece := int64(1); ; piece = 64 << 10 {
			n, err := io.CopyN(io.Discard, response.Body, piece)
			if bytes += n; first == 0 {
				first = time.Since(began)
			}
			runtime.GC()
			metrics.Read(live)
			heap = append(heap, live[0].Value.Uint64())
			if err == io.EOF {
				// What is held is there in the whole middle of a download; what is made meanwhile comes and goes.
				middle := heap[len(heap)/4 : len(heap)-len(heap)/4]
				return slices.Min(middle), bytes, first, time.Since(began)
			}
			must(t, err)
		}
	}
	paths := []string{s.at("/notes.csv"), s.at("/closing.csv") + "&month=" + thisMonth()}
	copies(1, 5000)
	few := map[string]uint64{}
	for _, path := range paths {
		few[path], _, _, _ = measure(path)
	}
	copies(5001, 120_000)
	for _, path := range paths {
		held, bytes, first, all := measure(path)
		t.Logf("%s: %d kB, the first after %s, the last after %s; the heap %d kB, with 5,000 notes %d", path, bytes>>10,
			first, all, held>>10, few[path]>>10)
		if bytes < 4<<20 || first > all/4 {
			t.Errorf("%s: of %d bytes the first came after %s, the last after %s", path, bytes, first, all)
		}
		if more := int64(held) - int64(few[path]); more > bytes { // rows that are held are several times as large as their file
			t.Errorf("%s: with 120,000 notes the heap has %d bytes more, and the file %d", path, more, bytes)
		}
	}
}
