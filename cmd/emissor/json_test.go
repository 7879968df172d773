package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"emissor/internal/archive"
	"emissor/internal/packed"
	"emissor/nfse"
	"emissor/store"
	"emissor/test/testkit"
)

// What is in a segment is listed without a database, for people and for scripts, and written as files.
func TestArchiveCommand_Read(t *testing.T) {
	t.Parallel()
	plain := []byte("<NFSe>São Paulo</NFSe>")
	sum := sha256.Sum256(plain)
	note, digest := nfse.NewID(nfse.PrefixNote), hex.EncodeToString(sum[:])
	dictionary, err := packed.Version(packed.Latest)
	must(t, err)
	frame, err := dictionary.Pack(plain)
	must(t, err)
	segment := archive.NewSegment("2026-01")
	_, err = segment.Add(archive.Document{NoteID: note, Plain: plain, Frame: frame},
		archive.Dictionary{ID: packed.Latest, Version: packed.Latest})
	must(t, err)
	content, err := segment.Content()
	must(t, err)
	file, folder := write(t, "a.segment", content), t.TempDir()
	read := printed[[]readDocument](t, settings{}, "archive", "read", file, "--to", folder)
	if !reflect.DeepEqual(read, []readDocument{{note, len(plain), digest}}) {
		t.Errorf("a script reads %+v", read)
	}
	if written, err := os.ReadFile(filepath.Join(folder, note+".xml")); err != nil || string(written) != string(plain) {
		t.Errorf("written is %q, %v", written, err)
	}
	table := cells(succeeds(t, settings{}, "archive", "read", file))
	if !reflect.DeepEqual(table, [][]string{{"NOTE", "BYTES", "SHA-256"}, {note, "23", digest}}) {
		t.Errorf("printed is %q", table)
	}
}

// What brings a database of before into its new form prints each step; where nothing is left to do, none.
func TestStorageCommand_Contract(t *testing.T) {
	t.Parallel()
	database := testkit.OpenDatabaseAt(t, 16)
	database.Exec(t, `UPDATE storage_form SET contracted_at = NULL`)
	s := settingsOf(database).withoutTemporal()
	if result := execute(t, s, "migrate", "--database-only"); result.code != 0 {
		t.Fatalf("the migration ended with %d\n%s", result.code, result.stderr)
	}
	steps := printed[[]contractionStep](t, s, "storage", "contract")
	if len(steps) < 2 || steps[0].Table == nil || steps[len(steps)-1] != (contractionStep{Step: store.StepContracted}) {
		t.Errorf("a script reads %+v", steps)
	}
	if again := printed[[]contractionStep](t, s, "storage", "contract"); again == nil || len(again) != 0 {
		t.Errorf("of a second time a script reads %+v", again)
	}
	if status := printed[store.StorageStatus](t, s, "storage", "status"); status.ContractedAt == nil {
		t.Errorf("the status is %+v", status)
	}
}

// An analysis is asked for once; a script learns whether it was by its command.
func TestNoteCommand_RequestAnalysisTwice(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	note := issueLive(t, database, bookkept(t, database), "order")
	database.RefuseByTerm(t, note)
	s := settingsOf(database).withoutTemporal()
	for _, started := range []bool{true, false} {
		asked := printed[requestedAnalysis](t, s, "note", "request-analysis", note)
		if asked != (requestedAnalysis{note, started}) {
			t.Errorf("a script reads %+v, expected that it is started: %v", asked, started)
		}
	}
}
