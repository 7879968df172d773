package seal_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"emissor/internal/seal"
)

func newFile(t *testing.T) seal.File {
	t.Helper()
	file := seal.File{Path: filepath.Join(t.TempDir(), "keyset.json")}
	must(t, file.Create())
	return file
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func addKey(keyset *seal.Keyset) error {
	_, err := keyset.AddKey()
	return err
}

// What was sealed under a key opens as long as the key is in the file, and a
// Sealer finds a key that it does not know by itself.
func TestSealer_FollowsItsFile(t *testing.T) {
	file := newFile(t)
	behind, err := seal.Open(seal.Source{File: file.Path})
	must(t, err)
	old := behind.Keys().Primary()
	sealedBefore, err := behind.Seal([]byte("x"), "a")
	must(t, err)

	var added seal.KeyID
	must(t, file.Change(func(keyset *seal.Keyset) (err error) {
		if added, err = keyset.AddKey(); err != nil {
			return err
		}
		return keyset.MakePrimary(added)
	}))
	ahead, err := seal.Open(seal.Source{File: file.Path})
	must(t, err)
	if keys := ahead.Keys(); keys.Primary() != added || keys.Newest() != added ||
		!slices.Equal(keys.BeforePrimary(), []seal.KeyID{old}) {
		t.Fatalf("the keys are %+v", keys)
	}
	sealed, err := ahead.Seal([]byte("x"), "a")
	must(t, err)
	if id, ok := seal.KeyOf(sealed); !ok || id != added {
		t.Errorf("it was sealed with %d", id)
	}
	if opened, err := behind.Unseal(sealed, "a"); err != nil || string(opened) != "x" {
		t.Errorf("a key that was added since is not found: %v", err)
	}
	_, err = ahead.Unseal(sealedBefore, "a")
	must(t, err)

	must(t, file.Change(func(keyset *seal.Keyset) error { return keyset.Remove(old) }))
	must(t, ahead.Reload())
	if _, err := ahead.Unseal(sealedBefore, "a"); err == nil {
		t.Error("a key that was removed still opens")
	}
}

// A file that cannot be read for a moment, or is half written, changes nothing.
func TestSealer_BadFileLater(t *testing.T) {
	file := newFile(t)
	sealer, err := seal.Open(seal.Source{File: file.Path})
	must(t, err)
	sealed, err := sealer.Seal([]byte("x"), "a")
	must(t, err)
	must(t, os.WriteFile(file.Path, []byte(`{"primaryKeyId":`), 0o600))
	if err := sealer.Reload(); err == nil {
		t.Error("half a file is a keyset")
	}
	_, err = sealer.Unseal(sealed, "a")
	must(t, err)
	must(t, os.Remove(file.Path))
	if err := sealer.Reload(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	_, err = sealer.Unseal(sealed, "a")
	must(t, err)
}

// The file stays the same one, for those who have only it mounted.
func TestFile_ChangeKeepsTheFile(t *testing.T) {
	file := newFile(t)
	before, err := os.Stat(file.Path)
	must(t, err)
	must(t, file.Change(addKey))
	after, err := os.Stat(file.Path)
	must(t, err)
	if !os.SameFile(before, after) || after.Mode() != before.Mode() {
		t.Error("it is another file")
	}
	wrong := errors.New("too early")
	err = file.Change(func(keyset *seal.Keyset) error { return errors.Join(addKey(keyset), wrong) })
	if !errors.Is(err, wrong) {
		t.Error(err)
	}
	expectKeys(t, file, 2)
	if err := file.Create(); !errors.Is(err, os.ErrExist) {
		t.Errorf("a keyset was overwritten: %v", err)
	}
}

// A change that was cut off is finished by the next, or was never begun.
func TestFile_ChangeCutOff(t *testing.T) {
	file := newFile(t)
	content, err := os.ReadFile(file.Path)
	must(t, err)
	must(t, file.Change(addKey))
	changed, err := os.ReadFile(file.Path)
	must(t, err)

	must(t, os.WriteFile(file.Path+".next", changed, 0o600))
	must(t, os.WriteFile(file.Path, append(changed[:40:40], content[40:]...), 0o600)) // half of each
	must(t, file.Change(addKey))
	expectKeys(t, file, 3)

	must(t, os.WriteFile(file.Path+".next", changed[:40], 0o600))
	must(t, file.Change(addKey))
	expectKeys(t, file, 4)
	if _, err := os.Stat(file.Path + ".next"); !errors.Is(err, os.ErrNotExist) {
		t.Error("what was written beside is still there")
	}
}

func TestFile_OneChangeAtATime(t *testing.T) {
	file := newFile(t)
	must(t, file.Change(func(*seal.Keyset) error {
		if err := file.Change(addKey); err == nil {
			t.Error("two changed it at once")
		}
		return nil
	}))
	expectKeys(t, file, 1)
}

func expectKeys(t *testing.T, file seal.File, count int) {
	t.Helper()
	keyset, err := file.Read()
	must(t, err)
	if keys := keyset.Keys(); len(keys) != count {
		t.Errorf("the keys are %+v, expected %d", keys, count)
	}
}
