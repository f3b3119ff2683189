//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package manners

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Files of a folder.
const (
	pageFile    = "places-%03x"
	processFile = "process-"
	oldest      = time.Minute // of a process's file that is not locked: it may be about to be
)

// tries is how often a lock is asked for before a page counts as busy. It is held for microseconds.
const tries = 8

// A folder is the records of the processes of a user.
type folder struct {
	path string
	at   int    // the folder, open
	own  int    // the file of this process, open and locked
	name string // of that file
	page page   // of the update under way
}

// openFolder opens a folder, makes it if need be, and enters this process. process is the number of the process, whose lower 24 bits are zero.
func openFolder(path string) (s store, process int64, err error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, 0, err
	}
	at, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	f := &folder{path: path, at: at, own: -1}
	if err = f.private(); err == nil {
		f.sweep()
		process, err = f.enter()
	}
	if err != nil {
		f.close()
		return nil, 0, err
	}
	return f, process, nil
}

// private returns an error unless the folder belongs to this user, and to nobody else.
func (f *folder) private() error {
	var info unix.Stat_t
	if err := unix.Fstat(f.at, &info); err != nil {
		return &fs.PathError{Op: "stat", Path: f.path, Err: err}
	}
	switch {
	case int(info.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to another user", f.path)
	case info.Mode&0o077 != 0:
		return fmt.Errorf("other users may use %s: chmod 700 %s", f.path, f.path)
	}
	return nil
}

// enter makes and locks the file of this process.
func (f *folder) enter() (process int64, err error) {
	process = rand.Int64N(1<<39) << 24 // the lower bits number the members
	f.name = fmt.Sprintf("%s%016x", processFile, process)
	if f.own, err = f.open(f.name, unix.O_CREAT|unix.O_EXCL); err == nil {
		err = f.lock(f.own)
	}
	return process, err
}

// sweep removes the files of processes that have ended.
func (f *folder) sweep() {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(e.Name(), processFile) || time.Since(info.ModTime()) < oldest {
			continue
		}
		if !f.locked(e.Name()) {
			_ = os.Remove(filepath.Join(f.path, e.Name())) // the next process tries again
		}
	}
}

// open opens a file of the folder.
func (f *folder) open(name string, flags int) (file int, err error) {
	file, err = unix.Openat(f.at, name, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOFOLLOW|flags, 0o600)
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: filepath.Join(f.path, name), Err: err}
	}
	return file, nil
}

// lock locks an open file until it is closed; errBusy if another has the lock.
func (f *folder) lock(file int) (err error) {
	for range tries {
		switch err = unix.Flock(file, unix.LOCK_EX|unix.LOCK_NB); {
		case err == nil:
			return nil
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			return fmt.Errorf("lock in %s: %w", f.path, err)
		}
	}
	return errBusy
}

// locked reports whether a process has a lock on a file of the folder.
func (f *folder) locked(name string) bool {
	file, err := f.open(name, 0)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer unix.Close(file)
	return f.lock(file) != nil
}

// alive implements store.
func (f *folder) alive(process int64) bool {
	name := fmt.Sprintf("%s%016x", processFile, process)
	return name == f.name || f.locked(name)
}

// update implements store.
func (f *folder) update(k key, change func(*record)) error {
	name := fmt.Sprintf(pageFile, k.page())
	file, err := f.open(name, unix.O_CREAT)
	if err != nil {
		return err
	}
	defer unix.Close(file)
	if err := f.lock(file); err != nil {
		return err
	}
	n, err := unix.Pread(file, f.page[:], 0)
	if err != nil {
		return &fs.PathError{Op: "read", Path: filepath.Join(f.path, name), Err: err}
	}
	clear(f.page[n:])
	slot, r := f.page.find(k)
	change(&r)
	r.encode(k, f.page.slot(slot))
	if n, err = unix.Pwrite(file, f.page.slot(slot), int64(slot*slotSize)); err == nil && n < slotSize {
		err = unix.ENOSPC
	}
	if err != nil {
		return &fs.PathError{Op: "write", Path: filepath.Join(f.path, name), Err: err}
	}
	return nil
}

// close implements store.
func (f *folder) close() {
	if f.own >= 0 {
		_ = os.Remove(filepath.Join(f.path, f.name)) // the next process removes it
		unix.Close(f.own)
	}
	unix.Close(f.at)
}
