package api_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"emissor/internal/archive/objects"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

// A document that is in the archive is served as any; while the archive is away the caller is told to repeat the
// request, and everything else is answered.
func TestNoteXML_InTheArchive(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/archive"
	var archive *store.Store
	s := testkit.NewSystem(t, testkit.Options{Connect: func(t testing.TB, databaseURL string) *store.Store {
		t.Helper()
		kept, err := objects.Open(t.Context(), objects.Address{Folder: path})
		if err == nil {
			archive, err = store.Open(t.Context(), postgres.Config{URL: databaseURL, MaxConnections: 20,
				StatementTimeout: 5 * time.Second, Archive: postgres.DocumentArchive{Objects: kept}})
		}
		if err != nil {
			t.Fatal(err)
		}
		return archive
	}})
	service := s.NewService(t, s.TestKey)
	issued := s.Issue(t, s.TestKey, testkit.Issuance(service, "order-1"))
	begin(t, s, issued)
	settleIssued(t, s, issued, "<nfse>São José</nfse>")
	id := nfse.FirstID(nfse.PrefixNote, time.Now().AddDate(-2, 0, 0))
	s.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id', $2::text, 'reference',
		'old'))).* FROM notes n WHERE id = $1`, issued, id)
	s.Exec(t, `INSERT INTO note_documents (note_id, xml, digest) SELECT $2, xml, digest FROM note_documents
		WHERE note_id = $1`, issued, id)
	s.Exec(t, `ALTER TABLE notes DISABLE TRIGGER ALL`)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	keepTestNote(t, s, archive, id)
	read := func() testkit.Answer { return get(t, s, "/v1/nfse/"+id+"/xml") }
	same(t, "the XML", string(read().Expect(t, http.StatusOK).Raw), "<nfse>São José</nfse>")
	if err := os.Rename(path, filepath.Join(filepath.Dir(path), "away")); err != nil {
		t.Fatal(err)
	}
	away := read().ExpectError(t, http.StatusServiceUnavailable, nfse.CodeServiceUnavailable, "")
	if away.Header.Get("Retry-After") == "" || away.At("error", "retryable") != true {
		t.Errorf("the answer is %s, %v", away.Raw, away.Header)
	}
	get(t, s, "/v1/nfse/"+id).Expect(t, http.StatusOK)
	get(t, s, "/v1/nfse/"+issued+"/xml").Expect(t, http.StatusOK)
	if err := os.Rename(filepath.Join(filepath.Dir(path), "away"), path); err != nil {
		t.Fatal(err)
	}
	same(t, "the XML", string(read().Expect(t, http.StatusOK).Raw), "<nfse>São José</nfse>")
}

// keepTestNote moves a document into the archive as that of a live note is: for a moment its note is one.
func keepTestNote(t *testing.T, s *testkit.System, archive *store.Store, id string) {
	t.Helper()
	var scenario *string
	if err := s.SQL.Get(&scenario, `SELECT scenario FROM notes WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE notes SET livemode = true, scenario = NULL WHERE id = $1`, id)
	round, err := archive.Archive.KeepArchive(t.Context(), 90*24*time.Hour, time.Now().Add(time.Minute))
	if err != nil || round.Moved != 1 {
		t.Fatalf("%+v, %v", round, err)
	}
	s.Exec(t, `UPDATE notes SET livemode = false, scenario = $2 WHERE id = $1`, id, scenario)
}
