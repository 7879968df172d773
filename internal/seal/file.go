package seal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// File is where a keyset is kept.
type File struct {
	Path string
	KEK  KEK // encrypts what is in the file; nil: it is in clear text
}

// Create makes a keyset in a new file that only its owner may read.
func (f File) Create() error {
	content, err := NewKeysetUnder(f.KEK)
	if err != nil {
		return err
	}
	return writeNew(f.Path, content)
}

// Read reads the keyset.
func (f File) Read() (*Keyset, error) {
	content, err := os.ReadFile(f.Path)
	if err != nil {
		return nil, fmt.Errorf("read the keyset: %w", err)
	}
	return parse(content, f.KEK)
}

// Change changes the keyset in its file, one change at a time. The file stays the
// same one, because a container may have only it mounted; what is to be in it is
// written beside it first, so that a change that was cut off is finished by the
// next.
func (f File) Change(change func(*Keyset) error) error { return f.rewrite(f.KEK, change) }

// Encrypt encrypts a keyset that is in clear text by the file's KEK.
func (f File) Encrypt() error {
	clearText := File{Path: f.Path}
	return clearText.rewrite(f.KEK, func(*Keyset) error { return nil })
}

// rewrite changes the keyset and leaves it encrypted by kek.
func (f File) rewrite(kek KEK, change func(*Keyset) error) error {
	file, err := os.OpenFile(f.Path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("change the keyset: %w", err)
	}
	defer file.Close()
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("change the keyset: somebody else is changing %s: %w", f.Path, err)
	}
	if err := f.finish(file); err != nil {
		return err
	}
	keyset, err := f.Read()
	if err != nil {
		return err
	}
	if err := change(keyset); err != nil {
		return err
	}
	content, err := keyset.marshal(kek)
	if err != nil {
		return err
	}
	if err := writeNew(f.next(), content); err != nil {
		return err
	}
	return File{f.Path, kek}.finish(file)
}

// next is the path at which the next content of the file is written first.
func (f File) next() string { return f.Path + ".next" }

// finish moves the content at next, if there is any, into the file. If it is no
// keyset, writing it was cut off, and the file itself is still whole.
func (f File) finish(file *os.File) error {
	content, err := os.ReadFile(f.next())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := parse(content, f.KEK); err == nil {
		if err := overwrite(file, content); err != nil {
			return err
		}
	}
	return os.Remove(f.next())
}

func overwrite(file *os.File, content []byte) error {
	if _, err := file.WriteAt(content, 0); err != nil {
		return err
	}
	return errors.Join(file.Truncate(int64(len(content))), file.Sync())
}

func writeNew(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close(), syncFolder(filepath.Dir(path)))
}

// syncFolder makes the name of a new file durable, as Sync does its content.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
