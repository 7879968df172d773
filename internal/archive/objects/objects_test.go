package objects_test

import (
	"bytes"
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"emissor/internal/archive"
	"emissor/internal/archive/objects"
	"emissor/test/simulators/objectstore"
)

func newBucket(t *testing.T) (objects.Store, *objectstore.Server) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	service := objectstore.New()
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	return open(t, "s3://bucket/folder?region=sa-east-1&endpoint="+server.URL), service
}

func open(t *testing.T, address string) objects.Store {
	t.Helper()
	parsed, err := objects.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	store, err := objects.Open(t.Context(), parsed)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// A bucket and a folder keep what they are given, hand out ranges, and say what is not there.
func TestStore(t *testing.T) {
	bucket, service := newBucket(t)
	for name, store := range map[string]objects.Store{"bucket": bucket, "folder": open(t, "file://"+t.TempDir())} {
		t.Run(name, func(t *testing.T) {
			content := bytes.Repeat([]byte("0123456789"), 1000)
			const key = "documents/2026-01/a.segment"
			if err := store.Put(t.Context(), key, content); err != nil {
				t.Fatal(err)
			}
			for _, part := range []struct{ from, length int }{{0, len(content)}, {11, 3}, {len(content) - 1, 1}} {
				read, err := store.Read(t.Context(), key, int64(part.from), part.length)
				if err != nil || !bytes.Equal(read, content[part.from:part.from+part.length]) {
					t.Errorf("%+v: %d bytes, %v", part, len(read), err)
				}
			}
			if _, err := store.Read(t.Context(), key, int64(len(content)), 1); !errors.Is(err, archive.ErrNotThere) {
				t.Errorf("behind the end: %v", err)
			}
			if _, err := store.Read(t.Context(), key, int64(len(content))-1, 2); err == nil {
				t.Error("more than there is was read")
			}
			for range 2 { // deleting what is gone is none
				if err := store.Delete(t.Context(), key); err != nil {
					t.Error(err)
				}
			}
			if _, err := store.Read(t.Context(), key, 0, 1); !errors.Is(err, archive.ErrNotThere) {
				t.Errorf("what was deleted: %v", err)
			}
			for _, key := range []string{"", "/etc/passwd", "../up", "a/../../up", ".hidden"} {
				if store.Put(t.Context(), key, content) == nil || store.Delete(t.Context(), key) == nil {
					t.Errorf("%q is a key", key)
				}
			}
		})
	}
	if keys := service.Keys(); len(keys) != 0 {
		t.Errorf("left are %v", keys)
	}
}

// What a service does wrong is an error that says what kind it is, or other bytes, which digests show.
func TestBucket_Faults(t *testing.T) {
	bucket, service := newBucket(t)
	const key = "a"
	content := bytes.Repeat([]byte("x"), 10_000)
	if err := bucket.Put(t.Context(), key, content); err != nil {
		t.Fatal(err)
	}
	service.SetFaults(objectstore.Faults{Status: 403})
	if err := bucket.Put(t.Context(), key, content); !errors.Is(err, archive.ErrRefused) || strings.Contains(err.Error(),
		"AWS4") {
		t.Errorf("403: %v", err)
	}
	service.SetFaults(objectstore.Faults{Status: 503})
	if _, err := bucket.Read(t.Context(), key, 0, 1); err == nil {
		t.Error("503 is no error")
	}
	service.SetFaults(objectstore.Faults{Cut: true})
	if _, err := bucket.Read(t.Context(), key, 0, len(content)); err == nil {
		t.Error("what was cut off is whole")
	}
	service.SetFaults(objectstore.Faults{Delay: time.Minute})
	within, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := bucket.Read(within, key, 0, 1); !archive.IsAway(err) || time.Since(began) > 5*time.Second {
		t.Errorf("slow: %v after %s", err, time.Since(began))
	}
	service.SetFaults(objectstore.Faults{Lies: true})
	if read, err := bucket.Read(t.Context(), key, 0, len(content)); err != nil || bytes.Equal(read, content) {
		t.Errorf("a lie: %v", err)
	}
}

// A file is there whole or not at all; nothing is left of one that could not be written, and a folder that is away is
// no folder without the file.
func TestFolder_Failures(t *testing.T) {
	path := t.TempDir()
	store := open(t, "file://"+path)
	if err := os.WriteFile(filepath.Join(path, "documents"), nil, 0o600); err != nil { // where a folder is to be
		t.Fatal(err)
	}
	if err := store.Put(t.Context(), "documents/a", []byte("x")); err == nil {
		t.Error("it was written")
	}
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) != 1 {
		t.Errorf("left are %v, %v", entries, err)
	}
	if err := open(t, "file://"+filepath.Join(path, "away")).Put(t.Context(), "a", nil); err == nil {
		t.Error("a folder that is away was made")
	}
	away := open(t, "file://"+filepath.Join(path, "away"))
	if err := away.Delete(t.Context(), "a"); err == nil {
		t.Error("something was deleted in a folder that is away")
	}
}

func TestParseAddress(t *testing.T) {
	for _, good := range []string{"file:///var/archive", "s3://bucket?region=sa-east-1",
		"s3://bucket/a/b?region=x&endpoint=https://s3.example.com", "s3://b?region=x&endpoint=http://127.0.0.1:9000"} {
		if _, err := objects.ParseAddress(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "file://host/x", "file:relative", "s3://bucket", "s3://key:secret@bucket?region=x",
		"s3://bucket?region=x&endpoint=http://s3.example.com", "s3://bucket?region=x&secret=y", "https://bucket",
		"s3://bucket?region=x&endpoint=https://key:secret@s3.example.com"} {
		if address, err := objects.ParseAddress(bad); err == nil {
			t.Errorf("%s is %+v", bad, address)
		}
	}
}
