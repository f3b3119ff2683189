package spotlight_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver"
	"orbweaver/fetch/spotlight"
	"orbweaver/internal/database"
)

func openKept(t *testing.T, open func(string) (*spotlight.Store, error), dir string) *spotlight.Store {
	t.Helper()
	s, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeKept(t *testing.T, s *spotlight.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestStore(t *testing.T) {
	dir := t.TempDir()
	long := []byte(strings.Repeat("answer ", 1<<20))
	s := openKept(t, spotlight.OpenKept, dir)
	for key, answer := range map[string][]byte{"a": []byte("one"), "b": long, "c": {}} {
		if err := s.Put(key, answer); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Put("a", []byte("two")); err != nil {
		t.Fatal(err)
	}
	if err := s.Put("d", make([]byte, 8<<20+1)); !errors.Is(err, orbweaver.ErrTooLarge) {
		t.Errorf("too long an answer: %v", err)
	}
	if err := s.Put(strings.Repeat("d", 300), nil); !errors.Is(err, orbweaver.ErrTooLarge) {
		t.Errorf("too long a key: %v", err)
	}
	if _, err := spotlight.OpenKept(dir); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("opened twice: %v", err)
	}
	closeKept(t, s)
	for _, open := range []func(string) (*spotlight.Store, error){spotlight.OpenKept, spotlight.ReadKept} {
		s := openKept(t, open, dir)
		for key, want := range map[string][]byte{"a": []byte("two"), "b": long, "c": {}} {
			if got, known, err := s.Get(key); err != nil || !known || !bytes.Equal(got, want) {
				t.Errorf("%s: %.20q, %t, %v", key, got, known, err)
			}
		}
		if _, known, err := s.Get("d"); known || err != nil {
			t.Errorf("%t, %v", known, err)
		}
		closeKept(t, s)
	}
	s = openKept(t, spotlight.ReadKept, dir)
	defer closeKept(t, s)
	if err := s.Put("a", nil); err == nil {
		t.Error("written by a reader")
	}
}

func TestStoreThatIsNone(t *testing.T) {
	dir := t.TempDir()
	if _, err := spotlight.ReadKept(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "spotlight")); err == nil {
		t.Error("a reader made the folder")
	}
	s := openKept(t, spotlight.OpenKept, dir)
	closeKept(t, s)
	tables, err := filepath.Glob(filepath.Join(dir, "spotlight", "MANIFEST-*"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	for _, name := range tables {
		if err := os.WriteFile(name, []byte("junk"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := spotlight.OpenKept(dir); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("damaged: %v", err)
	}
}

// A nearlyFull disk has little room left.
type nearlyFull struct{ vfs.FS }

func (nearlyFull) GetDiskUsage(string) (vfs.DiskUsage, error) {
	return vfs.DiskUsage{AvailBytes: 60 << 20}, nil
}

// TestNearlyFullDisk: what is known is read, and nothing more is written, before the database finds no room.
func TestNearlyFullDisk(t *testing.T) {
	disk := vfs.NewMem()
	s, err := spotlight.OpenOn(disk, "spotlight")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put("a", []byte("one")); err != nil {
		t.Fatal(err)
	}
	closeKept(t, s)
	if s, err = spotlight.OpenOn(nearlyFull{disk}, "spotlight"); err != nil {
		t.Fatal(err)
	}
	defer closeKept(t, s)
	if err := s.Put("a", []byte("two")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("put: %v", err)
	}
	if got, known, err := s.Get("a"); string(got) != "one" || !known || err != nil {
		t.Errorf("%q, %t, %v", got, known, err)
	}
}

// TestDamagedAnswers: a value that was changed, or that unpacks to more than an answer may have, is an
// error, and no answer.
func TestDamagedAnswers(t *testing.T) {
	dir := t.TempDir()
	s := openKept(t, spotlight.OpenKept, dir)
	answer := bytes.Repeat([]byte("Berlin Paris "), 99)
	if err := s.Put("a", answer); err != nil {
		t.Fatal(err)
	}
	closeKept(t, s)
	db, err := database.Open(filepath.Join(dir, "spotlight"), database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	value, _, err := db.Value([]byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range value {
		changed := bytes.Clone(value)
		changed[i] ^= 0x40
		if err := db.Set([]byte{'c', byte(i)}, changed, nil); err != nil {
			t.Fatal(err)
		}
		if err := db.Set([]byte{'s', byte(i)}, value[:i], nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s = openKept(t, spotlight.ReadKept, dir)
	defer closeKept(t, s)
	for i := range value {
		for _, key := range []string{string([]byte{'c', byte(i)}), string([]byte{'s', byte(i)})} {
			got, known, err := s.Get(key)
			if err == nil && bytes.Equal(got, answer) {
				continue // a bit that means nothing
			}
			if known || !errors.Is(err, orbweaver.ErrDamaged) {
				t.Errorf("%q: %.20q, %t, %v", key, got, known, err)
			}
		}
	}
}

// TestReplayFromDisk: a crawl's answers are there for who reads them later.
func TestReplayFromDisk(t *testing.T) {
	dir := t.TempDir()
	_, o := loopback(t)
	s := openKept(t, spotlight.OpenKept, dir)
	o.Kept = s
	live, _, err := newClient(t, o).Annotate(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	closeKept(t, s)
	s = openKept(t, spotlight.ReadKept, dir)
	defer closeKept(t, s)
	o.Kept, o.Poster = s, nil
	again, tally, err := newClient(t, o).Annotate(t.Context(), text)
	if err != nil || tally.Kept != 3 || show(text, again) != show(text, live) {
		t.Errorf("%v %+v %v", again, tally, err)
	}
	if _, _, err := newClient(t, o).Annotate(t.Context(), "Berlin"); !errors.Is(err, spotlight.ErrNotKept) {
		t.Errorf("%v", err)
	}
}
