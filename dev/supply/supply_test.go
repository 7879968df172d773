package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Without a database nothing fails and nothing hangs: one line says so, and since when. A release fails.
func TestVulnerabilities_NoDatabase(t *testing.T) {
	silent := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(silent.Close)
	day := filepath.Join(t.TempDir(), "day")
	since := "never yet on this machine"
	for _, database := range []string{t.TempDir(), "/nowhere", "file:///nowhere", "http://127.0.0.1:1", silent.URL} {
		var out bytes.Buffer
		err := vulnerabilities{database: database, day: day}.check(t.Context(), &out)
		if err != nil || !strings.HasPrefix(out.String(), "vulnerabilities were NOT LOOKED FOR ("+since+"): the database") ||
			strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%s: %v, and it says\n%s", database, err, &out)
		}
		if err := (vulnerabilities{database: database, day: day, must: true}).check(t.Context(), &out); err == nil {
			t.Errorf("%s is enough for a release", database)
		}
		if err := os.WriteFile(day, []byte("2026-11-03"), 0o644); err != nil {
			t.Fatal(err)
		}
		since = "the last time with the database of 2026-11-03"
	}
}

func TestVulnerabilities_HangingDatabase(t *testing.T) {
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(release) })
	if address, _, err := reach(t.Context(), hanging.URL, 50*time.Millisecond); err == nil {
		t.Errorf("%s is good", address)
	}
}

// newDatabase makes a database of a moment without vulnerabilities.
func newDatabase(t *testing.T, modified time.Time) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "index"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, indexFile),
		[]byte(`{"modified":"`+modified.Format(time.RFC3339)+`"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestVulnerabilities_Reach(t *testing.T) {
	made := time.Now().Add(-time.Hour).Truncate(time.Second)
	folder := newDatabase(t, made)
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	for database, expected := range map[string]string{
		folder: "file://" + folder, "file://" + folder: "file://" + folder, server.URL: server.URL,
	} {
		address, modified, err := reach(t.Context(), database, time.Minute)
		if err != nil || address != expected || !modified.Equal(made) {
			t.Errorf("%s is reached at %s, of %s, %v", database, address, modified, err)
		}
	}
}

// A release is not made by a database that may lack a month of what is known.
func TestVulnerabilities_OldDatabase(t *testing.T) {
	old := newDatabase(t, time.Now().Add(-mostAge-time.Hour))
	err := vulnerabilities{database: old, must: true}.check(t.Context(), new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "more than 30 days ago") {
		t.Errorf("it ends with %v", err)
	}
}

// A vulnerability of one module hides none of the next.
func TestVulnerabilities_EveryModule(t *testing.T) {
	program := filepath.Join(t.TempDir(), "govulncheck")
	if err := os.WriteFile(program, []byte("#!/bin/sh\npwd\n[ ! -e vulnerable ]\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	vulnerable, sound := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(vulnerable, "vulnerable"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := scanAll(t.Context(), &out, program, "", []string{vulnerable, sound})
	if err == nil || !strings.Contains(err.Error(), vulnerable) || strings.Contains(err.Error(), sound) {
		t.Errorf("it ends with %v", err)
	}
	for _, module := range []string{vulnerable, sound} {
		if !strings.Contains(out.String(), "\n"+module+"\n") {
			t.Errorf("%s is not looked at:\n%s", module, &out)
		}
	}
}
