//go:build e2e

package crawls_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/sink"
	"orbweaver/sink/folder"
)

// TestWatchDelivers: sinks of a crawl that is watched get a page that changed again, and lose one that is gone; what did not change does not come
// again.
func TestWatchDelivers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &watchedSite{editable: editable{pages: map[string]string{
			"/":  about("two wings", "/1", "/2", "/3"),
			"/1": about("one wing"), "/2": about("three wings"), "/3": about("four wings"),
		}}}
		w := newWatching(t, site, "schedule: {every: 1h}\nsinks: [{folder: pages}, {folder: {path: lines, format: jsonl}}, {sqlite: pages.db}]\n")
		defer w.n.Close()
		w.crawl()
		w.watch(5*time.Hour, edited{90 * time.Minute, "/1", about("one wing. Today it has two")}, edited{150 * time.Minute, "/3", "-"})

		var came []string
		text, err := os.ReadFile(filepath.Join(w.dir, "lines", folder.LinesFile))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var i sink.Item
			if err := json.Unmarshal([]byte(line), &i); err != nil {
				t.Fatal(err)
			}
			came = append(came, strings.TrimSpace(string(i.Kind)+" "+strings.TrimPrefix(i.URL, "http://a.test")+" "+i.Why))
		}
		slices.Sort(came[:4])
		want := []string{"accepted /", "accepted /1", "accepted /2", "accepted /3", "accepted /1", "withdrawn /3 gone"}
		if !slices.Equal(came, want) {
			t.Errorf("%q, want %q", came, want)
		}
		host, name := folder.Name("http://a.test/1")
		page, err := os.ReadFile(filepath.Join(w.dir, "pages", host, name))
		if err != nil || !strings.Contains(string(page), "Today it has two") {
			t.Errorf("%s, %v", page, err)
		}
		if files, err := os.ReadDir(filepath.Join(w.dir, "pages", host)); err != nil || len(files) != 3 {
			t.Errorf("%v, %v", files, err)
		}
		db, err := sql.Open("sqlite", filepath.Join(w.dir, "pages.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var rows, changed int
		if err := db.QueryRow("SELECT count(*), sum(text LIKE '%Today it has two%') FROM pages").Scan(&rows, &changed); err != nil || rows != 3 || changed != 1 {
			t.Errorf("%d rows, %d changed, %v", rows, changed, err)
		}
	})
}
