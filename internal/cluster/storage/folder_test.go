package storage

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"orbweaver"
)

// in opens a store of a folder with a fault.
func in(t *testing.T, dir string, fault func(step string) error) *store {
	t.Helper()
	return opened(t, dir, options{fault: fault})
}

// files returns what is in a folder, below it too.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestFolderFull: a disk that is full at any step of a write leaves the former object, and nothing beside it.
func TestFolderFull(t *testing.T) {
	for _, step := range []string{"write", "sync", "rename"} {
		t.Run(step, func(t *testing.T) {
			dir, full := t.TempDir(), false
			s := in(t, dir, func(at string) error {
				if full && at == step {
					return &os.PathError{Op: at, Path: "x", Err: syscall.ENOSPC}
				}
				return nil
			})
			put(t, s, "a/one", "former")
			full = true
			for _, err := range []error{
				s.Put(t.Context(), "a/one", []byte("new")), s.PutFile(t.Context(), "a/one", "folder_test.go"), s.Put(t.Context(), "b/two", nil),
			} {
				if !errors.Is(err, ErrFull) || errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), dir) {
					t.Errorf("%v", err)
				}
			}
			if got := files(t, dir); !slices.Equal(got, []string{"a/one"}) || get(t, s, "a/one") != "former" {
				t.Errorf("there are %v", got)
			}
			if _, err := open(t.Context(), dir, options{fault: s.to.(*folder).fault}); !errors.Is(err, ErrFull) {
				t.Errorf("opened: %v", err)
			}
			full = false
			put(t, s, "a/one", "new")
			if got := get(t, s, "a/one"); got != "new" {
				t.Errorf("with room again it is %q", got)
			}
		})
	}
}

// TestFolderKilled: of a writer that is killed between write and rename no list tells, and the file that it leaves is removed when it is
// old.
func TestFolderKilled(t *testing.T) {
	dir := t.TempDir()
	s := in(t, dir, nil)
	put(t, s, "a/one", "former")
	var left []string
	for range 2 {
		beside, err := s.to.(*folder).write("a", func(file *os.File) error { // and no more
			_, err := file.WriteString("new")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, beside)
	}
	old := time.Now().Add(-leftover - time.Hour)
	if err := os.Chtimes(filepath.Join(dir, left[0]), old, old); err != nil {
		t.Fatal(err)
	}
	again := in(t, dir, nil)
	if got := list(t, again, ""); !slices.Equal(got, []string{"a/one"}) || get(t, again, "a/one") != "former" {
		t.Errorf("there are %v", got)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"a/one", left[1]}) {
		t.Errorf("there are the files %v", got)
	}
	check := filepath.Join(dir, checkMark+"LEFT")
	if err := os.WriteFile(check, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(check, old, old); err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir); !slices.Contains(got, checkMark+"LEFT") {
		t.Fatal(got)
	}
	in(t, dir, nil)
	if got := files(t, dir); slices.Contains(got, checkMark+"LEFT") {
		t.Errorf("there are the files %v", got)
	}
}

// TestFolderLinks: links are no objects, and none leads out of the folder.
func TestFolderLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"out": outside, "file": filepath.Join(outside, "secret"), "up": "../" + filepath.Base(outside)} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	s := in(t, dir, nil)
	for _, name := range []string{"out/secret", "up/secret", "file"} {
		if body, err := s.Range(t.Context(), name, 0, 10); err == nil {
			t.Errorf("%s: %q", name, body)
		}
		if err := s.Delete(t.Context(), name); name == "file" && err != nil {
			t.Errorf("delete %s: %v", name, err)
		}
	}
	if got := list(t, s, ""); len(got) > 0 {
		t.Errorf("there are %v", got)
	}
	for _, name := range []string{"out/new", "up/new", "out/secret"} {
		if err := s.Put(t.Context(), name, []byte("new")); err == nil {
			t.Errorf("%s was put", name)
		}
	}
	put(t, s, "file", "own") // in place of the link
	if got := files(t, outside); !slices.Equal(got, []string{"secret"}) || get(t, s, "file") != "own" {
		t.Errorf("outside there are %v", got)
	}
	if body, err := os.ReadFile(filepath.Join(outside, "secret")); err != nil || string(body) != "secret" {
		t.Errorf("outside is %q, %v", body, err)
	}
}

// TestFolderNames: a name cannot be that of an object and of a folder of objects.
func TestFolderNames(t *testing.T) {
	s := in(t, t.TempDir(), nil)
	put(t, s, "a/b", "x")
	put(t, s, "c", "x")
	for _, name := range []string{"a", "c/d", "c/d/e"} {
		if err := s.Put(t.Context(), name, nil); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := list(t, s, ""); !slices.Equal(got, []string{"a/b", "c"}) {
		t.Errorf("there are %v", got)
	}
}

// TestFolderRemoved: a folder within that somebody removed is made again.
func TestFolderRemoved(t *testing.T) {
	dir := t.TempDir()
	s := in(t, dir, nil)
	put(t, s, "a/b/c", "x")
	if err := os.RemoveAll(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if got := list(t, s, ""); len(got) > 0 {
		t.Errorf("there are %v", got)
	}
	put(t, s, "a/b/c", "y")
	if got := get(t, s, "a/b/c"); got != "y" {
		t.Errorf("it is %q", got)
	}
}

// TestFolderReplaced: a reader of an object that is replaced reads on.
func TestFolderReplaced(t *testing.T) {
	s := in(t, t.TempDir(), nil)
	put(t, s, "a", "former")
	body, err := s.Get(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	put(t, s, "a", "new")
	got := make([]byte, 10)
	if n, err := body.Read(got); err != nil || string(got[:n]) != "former" {
		t.Errorf("%q, %v", got[:n], err)
	}
}

// TestOpenFolder: what is no folder says so.
func TestOpenFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, location := range []string{"", file, file + "/below"} {
		if _, err := Open(t.Context(), location); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), location) {
			t.Errorf("%q: %v", location, err)
		}
	}
	t.Chdir(t.TempDir())
	s := in(t, "relative/one", nil)
	put(t, s, "a", "x")
	t.Chdir("/")
	if got := list(t, s, ""); !slices.Equal(got, []string{"a"}) {
		t.Errorf("in another folder, there are %v", got)
	}
}
