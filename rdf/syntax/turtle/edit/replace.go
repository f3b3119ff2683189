package edit

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// A version is a file as read; info is nil if it did not exist.
type version struct {
	path    string
	content []byte
	info    fs.FileInfo
}

// open reads a file, which need not exist.
func open(path string) (*version, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &version{path: path}, nil
	}
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(path)
	return &version{path, content, info}, err
}

// replace replaces the version by other content: it syncs a temporary file beside it, with the same
// permissions, and renames it. It fails if another program wrote the file since, or if the file is read-only.
func (v *version) replace(content []byte) (err error) {
	mode := fs.FileMode(0o644)
	if v.info != nil {
		if mode = v.info.Mode().Perm(); mode&0o222 == 0 { // its folder would let us
			return fmt.Errorf("%w: nobody may write it", fs.ErrPermission)
		}
	}
	beside, err := os.CreateTemp(filepath.Dir(v.path), "."+filepath.Base(v.path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(beside.Name()))
		}
	}()
	_, err = beside.Write(content)
	if err == nil {
		err = beside.Chmod(mode)
	}
	if err == nil {
		err = beside.Sync()
	}
	if err = errors.Join(err, beside.Close()); err != nil {
		return err
	}
	if err = v.stands(); err != nil {
		return err
	}
	if err = os.Rename(beside.Name(), v.path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(v.path))
}

// stands returns an error if the file has changed since it was read.
func (v *version) stands() error {
	info, err := os.Stat(v.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && v.info == nil:
		return nil
	case err != nil:
		return fmt.Errorf("%w: %w", ErrChanged, err)
	case v.info == nil || info.Size() != v.info.Size() || !info.ModTime().Equal(v.info.ModTime()):
		return ErrChanged
	}
	return nil
}

// syncFolder syncs a folder's entries.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// fileURL returns the base of a file's relative IRIs.
func fileURL(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()
}
