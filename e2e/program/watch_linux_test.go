//go:build e2e

package program_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// watched are the changes that a watcher tells of.
const watched = syscall.IN_CREATE | syscall.IN_MODIFY | syscall.IN_MOVED_TO

// A watcher tells of each change below a folder as it happens (inotify), so that a process can be
// met at any point of its work without waiting by the clock.
type watcher struct {
	file *os.File
	dirs map[int32]string
	buf  []byte
}

// watching begins to watch a folder and those in it.
func watching(t *testing.T, folder string) *watcher {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{file: os.NewFile(uintptr(fd), "inotify"), dirs: map[int32]string{}, buf: make([]byte, 64<<10)}
	w.add(t, folder)
	return w
}

func (w *watcher) add(t *testing.T, folder string) {
	t.Helper()
	number, err := syscall.InotifyAddWatch(int(w.fd(t)), folder, watched)
	if errors.Is(err, os.ErrNotExist) {
		return // it was there for a moment
	}
	if err != nil {
		t.Fatal(err)
	}
	w.dirs[int32(number)] = folder
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			w.add(t, filepath.Join(folder, e.Name()))
		}
	}
}

// fd is the descriptor, which stays non-blocking.
func (w *watcher) fd(t *testing.T) (fd uintptr) {
	t.Helper()
	raw, err := w.file.SyscallConn()
	if err == nil {
		err = raw.Control(func(n uintptr) { fd = n })
	}
	if err != nil {
		t.Fatal(err)
	}
	return fd
}

// until runs a command and, at the first change that over says so of, sends it a signal. It returns
// when the process has ended.
func (w *watcher) until(t *testing.T, c *exec.Cmd, s os.Signal, over func(path string) bool) {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait() // how it ended is in c.ProcessState
		_ = w.file.SetReadDeadline(time.Unix(1, 0))
		close(ended)
	}()
	for done := false; !done; {
		n, err := w.file.Read(w.buf)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range w.paths(t, w.buf[:n]) {
			if done = over(path); done {
				_ = c.Process.Signal(s) // it may be over
				break
			}
		}
	}
	<-ended
	if err := w.file.Close(); err != nil {
		t.Fatal(err)
	}
}

// paths reads events; folders that are new are watched too.
func (w *watcher) paths(t *testing.T, events []byte) (paths []string) {
	t.Helper()
	for len(events) >= syscall.SizeofInotifyEvent {
		// the fields of an event: watch, mask, cookie, length of the name
		wd, mask, length := binary.NativeEndian.Uint32(events), binary.NativeEndian.Uint32(events[4:]), binary.NativeEndian.Uint32(events[12:])
		name := bytes.TrimRight(events[syscall.SizeofInotifyEvent:syscall.SizeofInotifyEvent+int(length)], "\x00")
		events = events[syscall.SizeofInotifyEvent+int(length):]
		path := filepath.Join(w.dirs[int32(wd)], string(name))
		if mask&syscall.IN_ISDIR != 0 {
			w.add(t, path)
		}
		paths = append(paths, path)
	}
	return paths
}
