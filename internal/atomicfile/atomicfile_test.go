package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// old makes a folder with a file of old content.
func old(t *testing.T, perm fs.FileMode) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := errors.Join(os.WriteFile(path, []byte("old"), 0o600), os.Chmod(path, perm)); err != nil {
		t.Fatal(err)
	}
	return path
}

// has checks that a folder has one file, and this content in it.
func has(t *testing.T, path, want string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil || string(content) != want {
		t.Errorf("the file has %q, %v; want %q", content, err, want)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

// TestLasts: the new file is synced before the rename, and the folder after it. After a failure only the old file is
// left.
func TestLasts(t *testing.T) {
	broken := errors.New("broken")
	for _, tc := range []struct {
		fails string
		want  []string
		left  string
	}{
		{"", []string{"sync", "rename", "folder"}, "new"},
		{"sync", []string{"sync"}, "old"},
		{"rename", []string{"sync", "rename"}, "old"},
		{"folder", []string{"sync", "rename", "folder"}, "new"},
	} {
		path := old(t, 0o644)
		var did []string
		do := func(what string, f func() error) error {
			if did = append(did, what); what == tc.fails {
				return broken
			}
			return f()
		}
		on := disk{
			func(f *os.File) error {
				if content, err := os.ReadFile(f.Name()); err != nil || string(content) != "new" {
					t.Errorf("synced is %q, %v", content, err)
				}
				return do("sync", f.Sync)
			},
			func(from, to string) error { return do("rename", func() error { return os.Rename(from, to) }) },
			func(folder string) error {
				if folder != filepath.Dir(path) {
					t.Errorf("the folder synced is %s", folder)
				}
				return do("folder", func() error { return SyncFolder(folder) })
			},
		}
		err := write(on, path, 0o666, func(w io.Writer) error {
			_, err := io.WriteString(w, "new")
			return err
		})
		if errors.Is(err, broken) != (tc.fails != "") || !slices.Equal(did, tc.want) {
			t.Errorf("%q fails: %v, %v", tc.fails, did, err)
		}
		has(t, path, tc.left)
	}
}

// TestFails: whoever fails or panics half way leaves the old file, and nothing else.
func TestFails(t *testing.T) {
	broken := errors.New("broken")
	path := old(t, 0o644)
	half := func(w io.Writer) {
		if _, err := io.WriteString(w, strings.Repeat("new", 100_000)); err != nil {
			t.Error(err)
		}
	}
	err := Write(path, 0o666, func(w io.Writer) error {
		half(w)
		return broken
	})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	has(t, path, "old")
	func() {
		defer func() { _ = recover() }()
		_ = Write(path, 0o666, func(w io.Writer) error {
			half(w)
			panic("broken")
		})
	}()
	has(t, path, "old")
}

// TestNamesFile: an error names the file that was to be written, not the temporary one.
func TestNamesFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "file")
	var at *fs.PathError
	if err := WriteFile(path, nil, 0o666); !errors.As(err, &at) || at.Path != path || !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(folder, nil, 0o666); err == nil || !strings.Contains(err.Error(), folder) {
		t.Error(err)
	}
	if entries, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

func TestMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such permissions")
	}
	for _, tc := range []struct{ old, perm, want fs.FileMode }{
		{0o640, 0o666, 0o640},
		{0o444, 0o666, 0o444},
		{0o644, 0o600, 0o600}, // was written by an earlier version, before it was private
		{0o400, 0o600, 0o400},
	} {
		path := old(t, tc.old)
		if err := WriteFile(path, []byte("new"), tc.perm); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != tc.want {
			t.Errorf("%v replaced by %v: %v, %v", tc.old, tc.perm, info.Mode(), err)
		}
	}
	like := filepath.Join(t.TempDir(), "like") // what umask makes of it
	path := filepath.Join(t.TempDir(), "new")
	if err := errors.Join(os.WriteFile(like, nil, 0o666), WriteFile(path, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(like)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != want.Mode() {
		t.Errorf("a new file has %v, %v; want %v", info.Mode(), err, want.Mode())
	}
}

// TestWriters: of many who write one file at once, one has written it whole.
func TestWriters(t *testing.T) {
	path := old(t, 0o644)
	var all sync.WaitGroup
	for _, letter := range "abcdefgh" {
		all.Go(func() {
			if err := WriteFile(path, []byte(strings.Repeat(string(letter), 100_000)), 0o666); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	content, err := os.ReadFile(path)
	if err != nil || len(content) != 100_000 {
		t.Fatalf("%d bytes, %v", len(content), err)
	}
	has(t, path, strings.Repeat(string(content[:1]), 100_000))
}

func TestPlace(t *testing.T) {
	dir := t.TempDir()
	part, path := filepath.Join(dir, "folder.part"), filepath.Join(dir, "folder")
	if err := Place(part, path); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(part, "below"), 0o777), os.WriteFile(filepath.Join(part, "below", "file"), nil, 0o444)); err != nil {
		t.Fatal(err)
	}
	if err := Place(part, path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(path, "below", "file")); err != nil {
		t.Error(err)
	}
}

// TestSweep: what a killed process left is removed, and what may be being written is not.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	left, now, other := prefix+"A"+suffix, prefix+"B"+suffix, "other"+suffix
	for _, name := range []string{left, now, other} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if before := time.Now().Add(-abandoned - time.Hour); name != now {
			if err := os.Chtimes(path, before, before); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := Sweep(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 || entries[0].Name() != now || entries[1].Name() != other {
		t.Errorf("left is %v, %v", entries, err)
	}
}
