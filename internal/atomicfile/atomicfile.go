// Package atomicfile replaces files and folders in one step. Whoever opens one, also after an error, a kill or a
// power failure, finds the old content or the new, never a part. It does not keep two writers of one file apart: the
// last one to finish wins.
package atomicfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// WriteFile is os.WriteFile in one step: see Write.
func WriteFile(path string, content []byte, perm fs.FileMode) error {
	return Write(path, perm, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Write replaces the file at path by what fill writes, buffered, and syncs it. A new file has the permissions perm
// before umask; one that is replaced keeps those of its permissions that are in perm. After an error the old file
// stays, unless only its folder could not be synced.
func Write(path string, perm fs.FileMode, fill func(io.Writer) error) error {
	return write(disk{(*os.File).Sync, os.Rename, SyncFolder}, path, perm, fill)
}

// A disk has the operations that make a replacement durable, in the order of their use. Tests replace it.
type disk struct {
	sync   func(*os.File) error
	rename func(from, to string) error
	folder func(path string) error // fsync of the folder
}

// A temporary file is called prefix, random letters, suffix: it fits where path's own name is as long as can be.
const (
	prefix = ".orbweaver-"
	suffix = ".part"
)

func write(on disk, path string, perm fs.FileMode, fill func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	beside := temporary(dir)
	placed := false
	defer func() {
		var at *fs.PathError
		if errors.As(err, &at) && at.Path == beside {
			at.Path = path // the name that the caller knows
		}
	}()
	file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer func() {
		if !placed { // after a panic too
			_ = file.Close()
			err = errors.Join(err, os.Remove(beside))
		}
	}()
	w := bufio.NewWriterSize(file, 64<<10)
	if err := fill(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := keepMode(file, path, perm); err != nil {
		return err
	}
	if err := on.sync(file); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := on.rename(beside, path); err != nil {
		return err
	}
	placed = true
	return on.folder(dir)
}

// keepMode gives a file the permissions of the one that it replaces, if there is one, within perm.
func keepMode(file *os.File, path string, perm fs.FileMode) error {
	old, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	now, err := file.Stat()
	if mode := old.Mode().Perm() & perm; err == nil && now.Mode().Perm() != mode {
		err = file.Chmod(mode)
	}
	return err
}

// Place gives a file or folder that was written under the name part its own name, path, after it has synced all that
// is in it. What is at path must be a file or an empty folder, or missing.
func Place(part, path string) error {
	err := filepath.WalkDir(part, func(name string, d fs.DirEntry, err error) error {
		if err == nil && (d.IsDir() || d.Type().IsRegular()) {
			err = SyncFolder(name)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(path))
}

// SyncFolder makes the names in a folder durable, or the content of a file. It does nothing on systems that cannot
// sync what is open for reading alone.
func SyncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) ||
		runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// Check reports whether files can be written in a folder, by a temporary one, and sweeps it.
func Check(folder string) error {
	_ = Sweep(folder) // whoever may write need not be able to list it
	file, err := os.OpenFile(temporary(folder), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return &fs.PathError{Op: "write", Path: folder, Err: errors.Unwrap(err)}
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

func temporary(folder string) string { return filepath.Join(folder, prefix+rand.Text()+suffix) }

// IsTemporary reports whether a file's name is that of a file that Write has not placed.
func IsTemporary(name string) bool {
	return strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix)
}

// abandoned is how long nothing has been written to a temporary file whose process was killed.
const abandoned = 24 * time.Hour

// Sweep removes the temporary files in a folder that killed processes left.
func Sweep(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !IsTemporary(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) > abandoned {
			err = os.Remove(filepath.Join(folder, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may sweep too
			return err
		}
	}
	return nil
}
