package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/sink"
	"orbweaver/sink/rows"
)

func accepted(n int64, url, text string) sink.Item {
	return sink.Item{ID: fmt.Sprint(n), Kind: sink.Accepted, N: n, URL: url, Page: &sink.Page{
		Outcome: n, Title: "T\x00\xff", Text: text, Score: .5, Fetched: time.Unix(0, 0), Reasons: []orbweaver.Reason{{Rule: "r", Evidence: "e\x00", Weight: 1}}, Creators: []string{"A"},
	}}
}

// newTable returns a table that waits for no lock.
func newTable(t *testing.T, file, name string) *Table {
	t.Helper()
	table := New(Options{File: file, Table: name})
	table.waits = 0
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return table
}

// rowsOf returns the rows of a table, as a reader beside the crawl sees them.
func rowsOf(t *testing.T, file, name string) string {
	t.Helper()
	db, err := sql.Open("sqlite", New(Options{File: file}).location())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Query(`SELECT url, typeof(n) || n, text, title, typeof(score) || score, json_extract(reasons, '$[0].rule') FROM "` + name + `" ORDER BY url`)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	var all []string
	for found.Next() {
		var v [6]string
		if err := found.Scan(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5]); err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.Join(v[:], " "))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, ", ")
}

// TestTable: rows by URL, with types, replaced by later versions alone, deleted, the same again; a reader sees them at once.
func TestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "a ?#%20'.db")
	table := newTable(t, file, "my pages")
	for range 2 {
		if err := table.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	items := []sink.Item{accepted(1, "a", "old"), accepted(2, "b", "b"), accepted(30, "a", "new"), {Kind: sink.Withdrawn, N: 40, URL: "b"}, accepted(5, "c", "c"), {Kind: sink.End, N: 50}}
	want := "a integer30 new T\ufffd\ufffd real0.5 r, c integer5 c T\ufffd\ufffd real0.5 r"
	for range 2 {
		if err := table.Deliver(t.Context(), items); err != nil {
			t.Fatal(err)
		}
		if got := rowsOf(t, file, table.o.Table); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, earlier := range [][]sink.Item{items[:2], {{Kind: sink.Withdrawn, N: 7, URL: "a"}}} {
		if err := table.Deliver(t.Context(), earlier); err != nil {
			t.Fatal(err)
		}
		if got := rowsOf(t, file, table.o.Table); !strings.Contains(got, "a integer30 new") {
			t.Error(got)
		}
	}
}

// TestFull: a full file and a lock of another process are said, nothing of the delivery is there, and the next try succeeds.
func TestFull(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pages.db")
	table := newTable(t, file, "pages")
	if err := errors.Join(table.Check(t.Context()), table.Deliver(t.Context(), []sink.Item{accepted(1, "a", "a")})); err != nil {
		t.Fatal(err)
	}
	if _, err := table.db.Exec("PRAGMA max_page_count = 5"); err != nil {
		t.Fatal(err)
	}
	large := []sink.Item{accepted(2, "b", "b"), accepted(3, "c", strings.Repeat("x", 1<<20))}
	err := table.Deliver(t.Context(), large)
	if err == nil || !strings.Contains(err.Error(), "pages.db: table pages: ") || !strings.Contains(err.Error(), "disk is full") || errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
	if got := rowsOf(t, file, "pages"); strings.Contains(got, "b ") {
		t.Error(got)
	}
	other, err := sql.Open("sqlite", "file:"+file+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err = table.Deliver(t.Context(), large); err == nil || !strings.Contains(err.Error(), "another process writes to it") || errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := table.Deliver(t.Context(), large); err != nil {
		t.Error(err)
	}
	if got := rowsOf(t, file, "pages"); !strings.Contains(got, "b ") || !strings.Contains(got, "c ") {
		t.Error(len(got))
	}
}

// TestUnfit: what is wrong with a file or a table is said before anything is delivered.
func TestUnfit(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "pages.db")
	good := newTable(t, file, "good")
	if err := good.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"CREATE TABLE narrow (url TEXT PRIMARY KEY, n TEXT)", strings.Replace(rows.Create("loose", typeOf), " PRIMARY KEY", "", 1),
		"ALTER TABLE good ADD COLUMN mine TEXT"} {
		if _, err := good.db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "text.db"), []byte(strings.Repeat("no database\n", 99)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := good.Check(t.Context()); err != nil { // with a column of somebody else
		t.Error(err)
	}
	for _, tc := range []struct{ file, table, want string }{
		{"pages.db", "narrow", "lacks columns: id TEXT, n INTEGER,"},
		{"pages.db", "loose", "UNIQUE"},
		{"text.db", "pages", "not a database"},
		{"text.db/x.db", "pages", "not a directory"},
		{"", "pages", "unable to open"},
	} {
		err := newTable(t, filepath.Join(folder, tc.file), tc.table).Check(t.Context())
		if err == nil || !strings.Contains(err.Error(), tc.want) || !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s %s: %v", tc.file, tc.table, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newTable(t, file, "good").Deliver(ctx, []sink.Item{accepted(1, "a", "a")}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
