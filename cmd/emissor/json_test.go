package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"emissor/cmd/emissor/company"
	"emissor/cmd/emissor/operate"
	"emissor/internal/archive"
	"emissor/internal/packed"
	"emissor/nfse"
	stored "emissor/store/operate"
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
	read := printed[[]operate.ReadDocument](t, settings{}, "archive", "read", file, "--to", folder)
	if !reflect.DeepEqual(read, []operate.ReadDocument{{NoteID: note, Bytes: len(plain), SHA256: digest}}) {
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

// A script reads of every table that grows how far its parts reach.
func TestStorageCommand_Status(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	tables := printed[[]stored.StorageTable](t, settingsOf(database).withoutTemporal(), "storage", "status")
	if grown := database.Count(t, `SELECT count(*) FROM grown_tables()`); len(tables) != grown {
		t.Errorf("it has %d tables of %d", len(tables), grown)
	}
	for _, table := range tables {
		if table.Parts < 3 || table.Bytes == 0 || table.Until.Before(time.Now()) {
			t.Errorf("a script reads %+v", table)
		}
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
		asked := printed[company.RequestedAnalysis](t, s, "note", "request-analysis", note)
		if asked != (company.RequestedAnalysis{Note: note, Started: started}) {
			t.Errorf("a script reads %+v, expected that it is started: %v", asked, started)
		}
	}
}
