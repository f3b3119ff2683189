package server

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"orbweaver"
)

// names lists a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// TestPrivate: the socket is its user's alone, whatever the umask, and stands alone.
func TestPrivate(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077} {
		dir := t.TempDir()
		before := syscall.Umask(mask)
		s, err := Serve(dir, &fake{})
		syscall.Umask(before)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(filepath.Join(dir, SocketFile))
		if err != nil || info.Mode() != fs.ModeSocket|0o600 {
			t.Errorf("umask %03o: %v, %v", mask, info.Mode(), err)
		}
		if got := names(t, dir); got != SocketFile {
			t.Errorf("umask %03o: the folder has %s", mask, got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if got := names(t, dir); got != "" {
			t.Errorf("umask %03o: closing leaves %s", mask, got)
		}
	}
}

// TestNeverOpen: the folder that a socket is made in lets nobody else in, so that its mode before it
// has its name is of no matter.
func TestNeverOpen(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	dir := t.TempDir()
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	watch := os.NewFile(uintptr(fd), "inotify")
	defer watch.Close()
	if _, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_CREATE|syscall.IN_MOVED_TO); err != nil {
		t.Fatal(err)
	}
	serve(t, dir, &fake{})
	events := make([]byte, 4096)
	n, err := watch.Read(events)
	if err != nil {
		t.Fatal(err)
	}
	// the folder is made, then the socket comes by a move: it is never made under its own name
	private, socket := strings.Index(string(events[:n]), SocketFile+".part\x00"), strings.LastIndex(string(events[:n]), SocketFile+"\x00")
	if private < 0 || socket < private || strings.Count(string(events[:n]), SocketFile+"\x00") != 1 {
		t.Errorf("events are %q", events[:n])
	}
}

// TestStale: what a killed process left is replaced: its socket, and a folder in which it was about
// to make one.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	stale(t, filepath.Join(dir, SocketFile))
	if err := os.Mkdir(filepath.Join(dir, SocketFile+".part"), 0o777); err != nil {
		t.Fatal(err)
	}
	stale(t, filepath.Join(dir, SocketFile+".part", "s"))
	serve(t, dir, &fake{})
	if _, err := dial(t, dir).Status(t.Context()); err != nil {
		t.Error(err)
	}
	if got := names(t, dir); got != SocketFile {
		t.Errorf("the folder has %s", got)
	}
}

// TestBusy: there are never two servers, and the first does not suffer from the second.
func TestBusy(t *testing.T) {
	f := &fake{}
	c, dir := running(t, f)
	for range 3 {
		if _, err := Serve(dir, &fake{}); !errors.Is(err, orbweaver.ErrBusy) {
			t.Fatalf("a second server: %v", err)
		}
	}
	if _, err := c.Status(t.Context()); err != nil || len(f.told) != 1 {
		t.Errorf("%v; told %q", err, f.told)
	}
	if got := names(t, dir); got != SocketFile {
		t.Errorf("the folder has %s", got)
	}
}

// TestInTheWay: a file of the user's stays, and so does a socket that took the place of ours.
func TestInTheWay(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, SocketFile)
	for _, make := range []func() error{
		func() error { return os.WriteFile(path, []byte("mine"), 0o600) },
		func() error { return os.Mkdir(path, 0o700) },
		func() error { return os.Symlink("/nowhere", path) },
	} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Serve(dir, &fake{}); !errors.Is(err, orbweaver.ErrForeign) {
			t.Errorf("%v: %v", before.Mode(), err)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("%v: it is another now: %v", before.Mode(), err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	s := serve(t, dir, &fake{})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	stale(t, path)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := names(t, dir); got != SocketFile {
		t.Errorf("closing removed the socket of another: the folder has %q", got)
	}
	if _, err := Serve(filepath.Join(dir, "none"), &fake{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestFolders: wherever the folder lies and however it is named, a crawl in it can be reached.
func TestFolders(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, strings.Repeat("a", 90), strings.Repeat("b", 90), strings.Repeat("c", 90))
	deeper := filepath.Join(deep, strings.Repeat(strings.Repeat("d", 200)+"/", 15))
	for _, tc := range []struct{ name, dir, here string }{
		{"deep, from elsewhere", deep, "/"},
		{"deep, from above", deep, filepath.Dir(deep)},
		{"deep, from within", deep, deep},
		{"3000 bytes deep", deeper, "/"},
		{"a name as of Linux' sockets without a file", "@abstract", root},
		{"here", ".", filepath.Join(root, "@abstract")},
		{"nothing but a name", "crawl", root},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := os.MkdirAll(tc.here, 0o777); err != nil {
				t.Fatal(err)
			}
			t.Chdir(tc.here)
			if err := os.MkdirAll(tc.dir, 0o777); err != nil {
				t.Fatal(err)
			}
			s := serve(t, tc.dir, &fake{})
			info, err := os.Lstat(filepath.Join(tc.dir, SocketFile))
			if err != nil || info.Mode() != fs.ModeSocket|0o600 {
				t.Errorf("the socket: %v, %v", info, err)
			}
			if _, err := dial(t, tc.dir).Status(t.Context()); err != nil {
				t.Error(err)
			}
			if _, err := Serve(tc.dir, &fake{}); !errors.Is(err, orbweaver.ErrBusy) {
				t.Errorf("a second server: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if _, err := Dial(tc.dir); !errors.Is(err, ErrNoCrawl) {
				t.Errorf("after its end: %v", err)
			}
			if got := names(t, tc.dir); strings.Contains(got, SocketFile) {
				t.Errorf("closing leaves %s", got)
			}
		})
	}
}

// TestReach: a path that is short enough is taken as it is.
func TestReach(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	long := filepath.Join(root, strings.Repeat("x", maxSocketPath-2-len("s")))
	if err := os.Mkdir(long, 0o777); err != nil {
		t.Fatal(err)
	}
	longer := long + "yy"
	if err := os.Mkdir(longer, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ dir, name, want string }{
		{"/a", "s", "/a/s"},
		{"a/../b", "s", "b/s"},
		{"@a", "s", "./@a/s"},
		{long, "s", filepath.Base(long) + "/s"},
		{longer, "s", "/proc/self/fd/"},
	} {
		err := reach(tc.dir, tc.name, func(path string) error {
			if path != tc.want && !(strings.HasSuffix(tc.want, "/fd/") && strings.HasPrefix(path, tc.want)) || len(path) > maxSocketPath {
				t.Errorf("%s is reached by %s, want %s", tc.dir, path, tc.want)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", tc.dir, err)
		}
	}
}
