package upkeep

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
	"orbweaver/server"
)

const two = "<u:a> <u:p> \"1\" .\n<u:c> <u:p> \"2\" <u:g> .\n"

// quietly is a job, and what it prints.
func quietly() (*job.Job, *bytes.Buffer) {
	out := new(bytes.Buffer)
	return &job.Job{Console: console.Console{Out: out, Err: io.Discard}}, out
}

// stored is the folder of a store of two statements.
func stored(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	dir, a := filepath.Join(folder, "store"), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{toy.Put(t, folder, "two.nq", two)}}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// dumped dumps a store as N-Quads, or returns why not.
func dumped(t *testing.T, dir, out string) (string, error) {
	t.Helper()
	a, said := quietly()
	err := Dump(t.Context(), a, DumpJob{Dumping: store.Dumping{Format: "nquads"}, Dir: dir, Out: out})
	return said.String(), err
}

// namesIn are the names of what is in a folder.
func namesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestBackupAndRestore: what is restored is what was backed up; nothing but the two folders is left, and a file of the old
// store goes.
func TestBackupAndRestore(t *testing.T) {
	dir := stored(t)
	folder := t.TempDir()
	backup, fresh := filepath.Join(folder, "backup"), filepath.Join(folder, "fresh")
	a, said := quietly()
	if err := Backup(t.Context(), a, dir, backup); err != nil || !strings.Contains(said.String(), "a backup of ") {
		t.Fatal(err, said)
	}
	if names := namesIn(t, dir); slices.Contains(names, "backup.lock") || slices.Contains(names, "checkpoint.part") {
		t.Errorf("the store has %v", names)
	}
	toy.Put(t, dir, "pages.jsonl", "of the old store\n")
	for to, force := range map[string]bool{fresh: false, dir: true} {
		said.Reset()
		if err := Restore(t.Context(), a, backup, to, force); err != nil || !strings.Contains(said.String(), ": 2 statements, from ") {
			t.Errorf("%v: %s", err, said)
		}
		if old, _ := os.ReadFile(filepath.Join(to, "pages.jsonl")); len(old) > 0 { // before the store is opened, which cuts it off
			t.Errorf("%s has pages of the old store: %q", to, old)
		}
		if text, err := dumped(t, to, ""); err != nil || text != two {
			t.Errorf("%v: %q", err, text)
		}
	}
	if names := namesIn(t, folder); !slices.Equal(names, []string{"backup", "fresh"}) {
		t.Errorf("left behind: %v", names)
	}
	if err := os.Truncate(filepath.Join(backup, noteFile), 3); err != nil {
		t.Fatal(err)
	}
	if err := Restore(t.Context(), a, backup, filepath.Join(folder, "x"), false); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("from a folder whose note is cut off: %v", err)
	}
}

// TestReplaced: only a store is replaced, and only by force; a crawl never; a folder of other things never.
func TestReplaced(t *testing.T) {
	put := func(names ...string) string {
		dir := t.TempDir()
		for _, name := range names {
			toy.Put(t, dir, name, "")
		}
		return dir
	}
	for _, tc := range []struct {
		name, dir       string
		replaces, fails [2]bool // without force, with force
	}{
		{"new", filepath.Join(t.TempDir(), "new"), [2]bool{}, [2]bool{}},
		{"empty", put(), [2]bool{}, [2]bool{}},
		{"other things", put("x"), [2]bool{}, [2]bool{true, true}},
		{"a store", put(databaseName, "x"), [2]bool{false, true}, [2]bool{true, false}},
		{"a crawl", put(databaseName, "crawl.yaml"), [2]bool{}, [2]bool{true, true}},
		{"a crawl that has not begun", put("crawl.yaml"), [2]bool{}, [2]bool{true, true}},
	} {
		for i, force := range []bool{false, true} {
			replaces, err := replaced(tc.dir, force)
			if replaces != tc.replaces[i] || (err != nil) != tc.fails[i] || err != nil && !errors.Is(err, orbweaver.ErrForeign) {
				t.Errorf("%s, force %v: %v, %v", tc.name, force, replaces, err)
			}
		}
	}
	if err := free(filepath.Join(put("file"), "file")); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a file in the place of the folder: %v", err)
	}
}

// TestLocks: while a folder is backed up or restored by another, it is busy; what has no store can't be backed up.
func TestLocks(t *testing.T) {
	dir := stored(t)
	end, err := alone(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := quietly()
	if err := Backup(t.Context(), a, dir, filepath.Join(t.TempDir(), "b")); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("a second backup: %v", err)
	}
	if err := end(); err != nil || slices.Contains(namesIn(t, dir), "backup.lock") {
		t.Errorf("%v: %v", err, namesIn(t, dir))
	}
	if _, err := alone(t.TempDir()); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a backup of no store: %v", err)
	}
	lock, err := locked(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := replace(t.TempDir(), dir); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("replaced while it is in use: %v", err)
	}
}

// TestReplicate: files are copied but for the lock; tables alone are linked, if at all; nothing is replaced.
func TestReplicate(t *testing.T) {
	from := t.TempDir()
	for _, name := range []string{"1.sst", "2.log", "LOCK"} {
		toy.Put(t, from, name, name)
	}
	if err := os.Mkdir(filepath.Join(from, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	same := func(to, name string) bool {
		a, errA := os.Stat(filepath.Join(from, name))
		b, errB := os.Stat(filepath.Join(to, name))
		if err := errors.Join(errA, errB); err != nil {
			t.Fatal(err)
		}
		return os.SameFile(a, b)
	}
	for _, links := range []bool{false, true} {
		to := filepath.Join(t.TempDir(), "to")
		if err := replicate(t.Context(), from, to, links); err != nil {
			t.Fatal(err)
		}
		if names := namesIn(t, to); !slices.Equal(names, []string{"1.sst", "2.log"}) {
			t.Errorf("copied: %v", names)
		}
		if same(to, "1.sst") != links || same(to, "2.log") {
			t.Errorf("links %v: a table is linked: %v, a log: %v", links, same(to, "1.sst"), same(to, "2.log"))
		}
		if text, err := os.ReadFile(filepath.Join(to, "2.log")); err != nil || string(text) != "2.log" {
			t.Errorf("%q, %v", text, err)
		}
		if err := replicate(t.Context(), from, to, links); !errors.Is(err, fs.ErrExist) {
			t.Errorf("over what is there: %v", err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	to := filepath.Join(t.TempDir(), "to")
	if err := replicate(ended, from, to, true); !errors.Is(err, context.Canceled) || len(namesIn(t, to)) > 0 {
		t.Errorf("ended: %v, %v", err, namesIn(t, to))
	}
	if err := copied(ended, filepath.Join(from, "2.log"), filepath.Join(to, "2.log")); !errors.Is(err, context.Canceled) {
		t.Errorf("ended within a file: %v", err)
	}
	if err := replicate(t.Context(), to+"x", to, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of nothing: %v", err)
	}
}

// TestPlace: a backup that can't be made leaves nothing, one that is made has its note.
func TestPlace(t *testing.T) {
	folder := t.TempDir()
	to := filepath.Join(folder, "backup")
	if err := place(t.Context(), filepath.Join(folder, "none"), to, Note{}); !errors.Is(err, fs.ErrNotExist) || len(namesIn(t, folder)) > 0 {
		t.Errorf("%v, left behind: %v", err, namesIn(t, folder))
	}
	if err := os.MkdirAll(filepath.Join(to+".part", "of a killed process"), 0o777); err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	toy.Put(t, copied, "1.sst", "")
	if err := place(t.Context(), copied, to, Note{Of: "x"}); err != nil {
		t.Fatal(err)
	}
	if names := namesIn(t, to); !slices.Equal(names, []string{noteFile, databaseName}) || !slices.Equal(namesIn(t, folder), []string{"backup"}) {
		t.Errorf("a backup of %v in %v", names, namesIn(t, folder))
	}
	if err := isBackup(to); err != nil {
		t.Error(err)
	}
}

// TestDumpToFile: what can't be written is found before the store is opened, and no half of a file stays.
func TestDumpToFile(t *testing.T) {
	dir, folder := stored(t), t.TempDir()
	file := filepath.Join(folder, "all.nq")
	said, err := dumped(t, dir, file)
	text, _ := os.ReadFile(file)
	if err != nil || string(text) != two || !strings.Contains(said, "all.nq: ") {
		t.Errorf("%v, %q: %q", err, said, text)
	}
	none := filepath.Join(folder, "none")
	for _, tc := range []struct {
		name, dir, out string
		want           error
	}{
		{"a file that is there", none, file, orbweaver.ErrForeign},
		{"a folder that is not there", none, filepath.Join(none, "x"), orbweaver.ErrInput},
		{"a store that is not there", none, filepath.Join(folder, "x.gz"), orbweaver.ErrInput},
	} {
		if _, err := dumped(t, tc.dir, tc.out); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	a, _ := quietly()
	ended, end := context.WithCancel(t.Context())
	end()
	job := DumpJob{Dumping: store.Dumping{Format: "nquads"}, Dir: dir, Out: filepath.Join(folder, "y.gz")}
	if err := Dump(ended, a, job); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
	if names := namesIn(t, folder); !slices.Equal(names, []string{"all.nq"}) {
		t.Errorf("left behind: %v", names)
	}
}

// TestCompact: sizes are those of the files before and after.
func TestCompact(t *testing.T) {
	dir := stored(t)
	a, said := quietly()
	if err := Compact(t.Context(), a, dir); err != nil || !strings.Contains(said.String(), " before, ") {
		t.Errorf("%v: %s", err, said)
	}
	if text, err := dumped(t, dir, ""); err != nil || text != two {
		t.Errorf("%v: %q", err, text)
	}
	if err := Compact(t.Context(), a, t.TempDir()); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("of no store: %v", err)
	}
	folder := t.TempDir()
	toy.Put(t, folder, "a", "123")
	toy.Put(t, folder, "b", "4567")
	if n, err := sizeOf(folder); n != 7 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// TestUsed: the process that uses a store is asked; if it is gone by then, the store is opened; other errors stay.
func TestUsed(t *testing.T) {
	krs := t.TempDir()
	if err := os.Mkdir(filepath.Join(krs, "db"), 0o777); err != nil {
		t.Fatal(err)
	}
	never := func() error { t.Error("opened"); return nil }
	if err := used(krs, nil, never); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a KRS: %v", err)
	}
	opened := 0
	open := func() error { opened++; return io.ErrUnexpectedEOF }
	asks := func(*server.Client) error { t.Error("asked nobody"); return nil }
	if err := used(stored(t), asks, open); !errors.Is(err, io.ErrUnexpectedEOF) || opened != 1 {
		t.Errorf("%v, opened %d times", err, opened)
	}
	ended, end := context.WithCancel(t.Context())
	if err := interrupted(ended, io.EOF); err != io.EOF {
		t.Errorf("going on: %v", err)
	}
	end()
	if err := interrupted(ended, io.EOF); !errors.Is(err, console.ErrInterrupted) || interrupted(ended, nil) != nil {
		t.Errorf("interrupted: %v", err)
	}
}

// TestTold: progress is told every ten seconds, not more often.
func TestTold(t *testing.T) {
	var said bytes.Buffer
	now := time.Now()
	w := &told{w: io.Discard, a: &job.Job{Console: console.Console{Err: &said}}, dir: "d", began: now, last: now}
	write := func() {
		if n, err := w.Write(make([]byte, 500)); n != 500 || err != nil {
			t.Error(n, err)
		}
	}
	if write(); said.Len() > 0 {
		t.Errorf("told at once: %s", &said)
	}
	w.last, w.began = now.Add(-10*time.Second), now.Add(-10*time.Second)
	if write(); !strings.Contains(said.String(), "d: 1.0 kB written, ") {
		t.Errorf("not told: %q", &said)
	}
	said.Reset()
	if write(); said.Len() > 0 || w.bytes != 1500 {
		t.Errorf("told again: %s, %d bytes", &said, w.bytes)
	}
}
