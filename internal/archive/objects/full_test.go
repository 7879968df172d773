package objects_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"emissor/internal/archive"
)

// fullFolder names the folder of the process that TestFolder_Full starts.
const fullFolder = "TEST_FULL_FOLDER"

// Where no file may become longer, as on a full disk, writing is refused and leaves nothing behind. The limit is one
// of the process, so the test runs itself again.
func TestFolder_Full(t *testing.T) {
	path := os.Getenv(fullFolder)
	if path == "" {
		again := exec.Command(os.Args[0], "-test.run=^TestFolder_Full$", "-test.v")
		again.Env = append(os.Environ(), fullFolder+"="+t.TempDir())
		if output, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	store := open(t, "file://"+path)
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 64 << 10, Max: 64 << 10}); err != nil {
		t.Fatal(err)
	}
	err := store.Put(t.Context(), "a", bytes.Repeat([]byte("x"), 1<<20))
	if !errors.Is(err, archive.ErrRefused) {
		t.Errorf("it ended with %v", err)
	}
	if entries, err := os.ReadDir(path); err != nil || len(entries) != 0 {
		t.Errorf("left are %v, %v", entries, err)
	}
	if err := store.Put(t.Context(), "b", []byte("small")); err != nil {
		t.Error(err)
	}
}
