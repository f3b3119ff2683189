//go:build e2e

package crawls_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
	"orbweaver/internal/upkeep"
)

// says runs something and returns what it prints.
func says(do func(a *job.Job) error) (string, error) {
	var out bytes.Buffer
	err := do(&job.Job{Console: console.Console{Out: &out, Err: io.Discard}})
	return out.String(), err
}

// stored loads texts into a new store.
func stored(t *testing.T, texts ...string) string {
	t.Helper()
	folder := t.TempDir()
	dir := filepath.Join(folder, "store")
	for i, text := range texts {
		file := toy.Put(t, folder, fmt.Sprintf("%d.nq", i), text)
		if _, err := says(func(a *job.Job) error {
			return store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{file}})
		}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// dumped is the dump of a store.
func dumped(t *testing.T, dir string, d store.Dumping) string {
	t.Helper()
	if d.Format == "" {
		d.Format = "nquads"
	}
	text, err := says(func(a *job.Job) error { return upkeep.Dump(t.Context(), a, upkeep.DumpJob{Dumping: d, Dir: dir}) })
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const (
	one = "<u:a> <u:p> \"1\" .\n<u:a> <u:p> <u:b> .\n<u:c> <u:p> \"ä\\n\"@de <u:g> .\n"
	two = "<u:a> <u:p> \"2\" <u:h> .\n<u:z> <u:p> \"3\" .\n<u:a> <u:p> \"2\" <u:g> .\n"
)

// TestDump: a dump has every statement once, in an order that does not depend on how they came; in TriG and of single graphs
// too.
func TestDump(t *testing.T) {
	var lines []string
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 3000 {
		lines = append(lines, fmt.Sprintf("<u:%d> <u:p%d> \"%d\" %s.\n", i, i%7, i*i, []string{"", "<u:g> ", "<u:h> "}[i%3]))
	}
	want := strings.Join(lines, "")
	first := dumped(t, stored(t, want), store.Dumping{})
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	second := dumped(t, stored(t, strings.Join(lines[:1000], ""), strings.Join(lines[500:], "")), store.Dumping{})
	if first != second {
		t.Error("two stores with the same statements have other dumps")
	}
	if again := dumped(t, stored(t, first), store.Dumping{}); again != first || strings.Count(first, "\n") != 3000 {
		t.Errorf("a dump that is loaded has another dump, of %d lines", strings.Count(first, "\n"))
	}
	dir := stored(t, one, two)
	if got, want := dumped(t, dir, store.Dumping{Graphs: []string{"u:h"}}), "<u:a> <u:p> \"2\" <u:h> .\n"; got != want {
		t.Errorf("one graph: %q, want %q", got, want)
	}
	trig := dumped(t, dir, store.Dumping{Format: "trig"})
	folder := t.TempDir()
	var b bytes.Buffer
	if err := store.Query(t.Context(), &job.Job{Console: console.Console{Out: &b, Err: io.Discard}}, store.QueryOptions{
		Text: "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", Format: "csv", Data: store.QueryData{Files: []string{toy.Put(t, folder, "a.trig", trig)}},
	}); err != nil || b.String() != "n\r\n3\r\n" {
		t.Errorf("%v, %q of %s", err, b.String(), trig)
	}
	for _, d := range []store.Dumping{{Format: "turtle"}, {Format: "nquads", Graphs: []string{"u:none"}}, {Format: "nquads", Graphs: []string{"<>"}}} {
		if _, err := says(func(a *job.Job) error { return upkeep.Dump(t.Context(), a, upkeep.DumpJob{Dumping: d, Dir: dir}) }); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v", d, err)
		}
	}
}

// TestDumpToFile: a file is written whole, compressed by its name, and replaces none.
func TestDumpToFile(t *testing.T) {
	dir := stored(t, one, two)
	file := filepath.Join(t.TempDir(), "all.nq.gz")
	dump := func(ctx context.Context, out string) error {
		_, err := says(func(a *job.Job) error {
			return upkeep.Dump(ctx, a, upkeep.DumpJob{Dumping: store.Dumping{Format: "nquads"}, Dir: dir, Out: out})
		})
		return err
	}
	if err := dump(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); err != nil || string(text) != dumped(t, dir, store.Dumping{}) {
		t.Errorf("%q, %v", text, err)
	}
	if err := dump(t.Context(), file); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("again: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := dump(ended, filepath.Join(filepath.Dir(file), "other.nq")); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestBackup: a backup is the store as it was, can be queried, and is put back into a new folder or in place of the
// store; nothing is replaced that should not be.
func TestBackup(t *testing.T) {
	dir := stored(t, one)
	before := dumped(t, dir, store.Dumping{})
	folder := t.TempDir()
	backup, fresh := filepath.Join(folder, "backup"), filepath.Join(folder, "fresh")
	back := func(from, to string) error {
		_, err := says(func(a *job.Job) error { return upkeep.Backup(t.Context(), a, from, to) })
		return err
	}
	restore := func(from, to string, force bool) error {
		_, err := says(func(a *job.Job) error { return upkeep.Restore(t.Context(), a, from, to, force) })
		return err
	}
	if err := back(dir, backup); err != nil {
		t.Fatal(err)
	}
	if err := back(dir, backup); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("a second backup in one folder: %v", err)
	}
	update(t, dir, "CLEAR ALL ; INSERT DATA { <u:x> <u:y> 1 }")
	changed := dumped(t, dir, store.Dumping{})
	if got := dumped(t, backup, store.Dumping{}); got != before || changed == before {
		t.Errorf("the backup has %q, the store %q", got, changed)
	}
	if err := restore(backup, dir, false); !errors.Is(err, orbweaver.ErrForeign) || dumped(t, dir, store.Dumping{}) != changed {
		t.Errorf("without force: %v", err)
	}
	if err := errors.Join(restore(backup, dir, true), restore(backup, fresh, false)); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{dir, fresh, backup} {
		if got := dumped(t, at, store.Dumping{}); got != before {
			t.Errorf("%s: %q", at, got)
		}
	}
	update(t, fresh, "CLEAR ALL")
	if got := dumped(t, backup, store.Dumping{}); got != before {
		t.Errorf("a change of the store that was restored is one of the backup: %q", got)
	}
	crawl := stored(t, one)
	toy.Put(t, crawl, "crawl.yaml", "seeds: [http://a.test/]\n")
	for what, err := range map[string]error{
		"a backup of nothing":      back(filepath.Join(folder, "none"), filepath.Join(folder, "x")),
		"a backup of a folder":     back(folder, filepath.Join(folder, "x")),
		"no backup":                restore(dir, filepath.Join(folder, "x"), false),
		"a folder of other things": restore(backup, folder, true),
		"a crawl":                  restore(backup, crawl, true),
	} {
		if !errors.Is(err, orbweaver.ErrInput) && !errors.Is(err, orbweaver.ErrForeign) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// update updates a store.
func update(t *testing.T, dir, text string) {
	t.Helper()
	if _, err := says(func(a *job.Job) error {
		return store.Query(t.Context(), a, store.QueryOptions{Text: text, Update: true, Data: store.QueryData{Crawl: dir}})
	}); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedBackup: a backup that lacks a table is not restored, and the store stays.
func TestDamagedBackup(t *testing.T) {
	dir := stored(t, one)
	backup := filepath.Join(t.TempDir(), "backup")
	if _, err := says(func(a *job.Job) error { return upkeep.Backup(t.Context(), a, dir, backup) }); err != nil {
		t.Fatal(err)
	}
	tables, err := filepath.Glob(filepath.Join(backup, "ledger", "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	if err := os.Remove(tables[0]); err != nil {
		t.Fatal(err)
	}
	before := dumped(t, dir, store.Dumping{})
	if _, err := says(func(a *job.Job) error { return upkeep.Restore(t.Context(), a, backup, dir, true) }); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("%v", err)
	}
	if dumped(t, dir, store.Dumping{}) != before {
		t.Error("the store is another one")
	}
}

// TestBesideLoad: a backup and a dump made while a file is loaded have the state before; compacting waits.
func TestBesideLoad(t *testing.T) {
	dir := stored(t, one)
	before := dumped(t, dir, store.Dumping{})
	in, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard, In: in}}
		err := store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{"-"}, From: "nquads"})
		in.CloseWithError(errors.New("ended"))
		ended <- err
	}()
	if _, err := io.WriteString(out, strings.Repeat(two, 5000)); err != nil {
		t.Fatal(err)
	}
	if got := dumped(t, dir, store.Dumping{}); got != before {
		t.Errorf("a dump: %q", got)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	if _, err := says(func(a *job.Job) error { return upkeep.Backup(t.Context(), a, dir, backup) }); err != nil {
		t.Fatal(err)
	}
	if _, err := says(func(a *job.Job) error { return upkeep.Compact(t.Context(), a, dir) }); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("compact: %v", err)
	}
	if _, err := says(func(a *job.Job) error { return upkeep.Restore(t.Context(), a, backup, dir, true) }); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("restore: %v", err)
	}
	if err := errors.Join(out.Close(), <-ended); err != nil {
		t.Fatal(err)
	}
	if got := dumped(t, backup, store.Dumping{}); got != before {
		t.Errorf("the backup: %q", got)
	}
	if got := dumped(t, dir, store.Dumping{}); strings.Count(got, "\n") != 6 {
		t.Errorf("the store: %q", got)
	}
}

// TestCompact: what was removed takes no more space, and what is there stays.
func TestCompact(t *testing.T) {
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "<u:%d> <u:p> \"%d\" .\n", i, i*i)
	}
	dir := stored(t, text.String(), two)
	update(t, dir, "DELETE { ?s <u:p> ?o } WHERE { ?s <u:p> ?o FILTER(?s != <u:z>) }")
	before := dumped(t, dir, store.Dumping{})
	size := func() (n int64) {
		entries, err := os.ReadDir(filepath.Join(dir, "ledger"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				n += info.Size()
			}
		}
		return n
	}
	large := size()
	said, err := says(func(a *job.Job) error { return upkeep.Compact(t.Context(), a, dir) })
	if small := size(); err != nil || small*4 > large || !strings.Contains(said, " before, ") {
		t.Errorf("%v, %s: %d bytes, and %d before", err, said, small, large)
	}
	if dumped(t, dir, store.Dumping{}) != before {
		t.Error("the store is another one")
	}
}
