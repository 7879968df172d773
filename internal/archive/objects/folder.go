package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"emissor/internal/archive"
)

// folder keeps objects as files.
type folder struct{ path string }

// Put implements Store. The file is there whole or not at all, also after the power was cut.
func (f folder) Put(_ context.Context, key string, content []byte) (err error) {
	if err := checkKey(key); err != nil {
		return err
	}
	if err := f.isThere(); err != nil {
		return err
	}
	target := filepath.Join(f.path, filepath.FromSlash(key))
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return failed(err)
	}
	file, err := os.CreateTemp(filepath.Dir(target), ".part-*")
	if err != nil {
		return failed(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, written := file.Write(content)
	if err := errors.Join(written, file.Sync(), file.Close()); err != nil {
		return failed(err)
	}
	if err := os.Rename(file.Name(), target); err != nil {
		return failed(err)
	}
	return f.sync(filepath.Dir(target))
}

// isThere is an error where the folder itself is away, as when a disk is not mounted: nothing is written beside it, and
// nothing was deleted in it.
func (f folder) isThere() error {
	if _, err := os.Stat(f.path); err != nil {
		return failed(err)
	}
	return nil
}

// sync makes the names in a folder, and the folder's own, durable.
func (f folder) sync(path string) error {
	for {
		opened, err := os.Open(path)
		if err != nil {
			return failed(err)
		}
		if err := errors.Join(opened.Sync(), opened.Close()); err != nil {
			return failed(err)
		}
		if path == f.path || len(path) <= len(f.path) {
			return nil
		}
		path = filepath.Dir(path)
	}
}

// Read implements Store.
func (f folder) Read(ctx context.Context, key string, from int64, length int) ([]byte, error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return nil, err
	}
	file, err := os.Open(filepath.Join(f.path, filepath.FromSlash(key)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", archive.ErrNotThere, key)
	case err != nil:
		return nil, failed(err)
	}
	defer func() { _ = file.Close() }()
	content := make([]byte, length)
	if _, err := file.ReadAt(content, from); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%w: %s is too short", archive.ErrNotThere, key)
		}
		return nil, failed(err)
	}
	return content, nil
}

// Delete implements Store.
func (f folder) Delete(_ context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if err := f.isThere(); err != nil {
		return err
	}
	target := filepath.Join(f.path, filepath.FromSlash(key))
	switch err := os.Remove(target); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return failed(err)
	}
	return f.sync(filepath.Dir(target))
}

// failed says what kind of failure an error of the file system is.
func failed(err error) error {
	for _, refusal := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS, fs.ErrPermission} {
		if errors.Is(err, refusal) {
			return fmt.Errorf("%w: %w", archive.ErrRefused, err)
		}
	}
	return fmt.Errorf("objects: %w", err)
}
