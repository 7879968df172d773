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

// Without a database nothing fails and nothing hangs: one word says so.
func TestVulnerabilities_NoDatabase(t *testing.T) {
	silent := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(silent.Close)
	for _, database := range []string{t.TempDir(), "/nowhere", "file:///nowhere", "http://127.0.0.1:1", silent.URL} {
		var out bytes.Buffer
		err := vulnerabilities{database: database}.check(t.Context(), &out)
		if err != nil || !strings.HasPrefix(out.String(), "govulncheck was SKIPPED: its database cannot be had") ||
			strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%s: %v, and it says\n%s", database, err, &out)
		}
	}
}

func TestVulnerabilities_HangingDatabase(t *testing.T) {
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(release) })
	if address, err := reach(t.Context(), hanging.URL, 50*time.Millisecond); err == nil {
		t.Errorf("%s is good", address)
	}
}

func TestVulnerabilities_Reach(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "index"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "index", "db.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	for database, expected := range map[string]string{
		folder: "file://" + folder, "file://" + folder: "file://" + folder, server.URL: server.URL,
	} {
		if address, err := reach(t.Context(), database, time.Minute); err != nil || address != expected {
			t.Errorf("%s is reached at %s, %v", database, address, err)
		}
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

// The product is linked with nothing that asks for its source.
func TestLicences_OfTheProduct(t *testing.T) {
	var out bytes.Buffer
	if err := printLicences(t.Context(), &out, "../..", "./cmd/emissor"); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "github.com/lib/pq ") || strings.Contains(out.String(), "toxiproxy") {
		t.Errorf("printed is\n%s", &out)
	}
}
