//go:build e2e

package program_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/ledger"
	"orbweaver/sink"
)

// TestKilledWithSinks kills a crawl that delivers to folders and a file of SQLite, many times, also while it delivers the rest of a crawl that is over. In the end the
// sinks have what they have without that: no page is missing, none is there twice, and none came out of order.
func TestKilledWithSinks(t *testing.T) {
	t.Parallel()
	examples := filepath.Join(realdata.Root(t), "examples")
	file := fmt.Sprintf(`seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: %s}
focus: {ontology: {files: %s, target: "http://orbweaver.example/aircraft#Airplane"}}
output: crawl
sinks: [{folder: pages, behind: 30}, {folder: {path: lines, format: jsonl}, behind: 20}, {sqlite: pages.db, behind: 25}]
`, filepath.Join(examples, "demo.warc.gz"), filepath.Join(examples, "aircraft.ttl"))
	whole, killed := t.TempDir(), t.TempDir()
	for _, folder := range []string{whole, killed} {
		write(t, filepath.Join(folder, "f.yaml"), file)
	}
	crawlOn(t, whole)
	length := int64(len(read(t, filepath.Join(whole, "crawl", ledger.JournalFile))))
	random := rand.New(rand.NewPCG(20, 3))
	for done := 0; done < kills(); {
		if killSoon(t, killed, length, random) {
			done++
			continue
		}
		for _, name := range []string{"crawl", "pages", "lines", "pages.db", "pages.db-wal", "pages.db-shm"} { // it was too fast: begin anew
			if err := os.RemoveAll(filepath.Join(killed, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	crawlOn(t, killed)
	want, got := filesIn(t, filepath.Join(whole, "pages")), filesIn(t, filepath.Join(killed, "pages"))
	if len(want) < 50 || len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %.300s\nwant %.300s", path, got[path], text)
		}
	}
	if a, b := linesIn(t, killed), linesIn(t, whole); a != len(want) || b != len(want) {
		t.Errorf("the lines have %d and %d pages, want %d", a, b, len(want))
	}
	rows, same := rowsIn(t, killed), rowsIn(t, whole)
	if len(rows) != len(want) || !slices.Equal(rows, same) {
		t.Errorf("the table has %d rows, want %d of\n%s", len(rows), len(want), strings.Join(same, "\n"))
	}
}

// rowsIn returns the rows of the table of pages.db in a folder, in the order of URLs.
func rowsIn(t *testing.T, folder string) (all []string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(folder, "pages.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Query("SELECT url || ' ' || id || n || outcome || title || text || score || reasons FROM pages ORDER BY url")
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		var row string
		if err := found.Scan(&row); err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// filesIn returns the files of a folder by their paths.
func filesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".part") {
			files[strings.TrimPrefix(path, folder)] = string(read(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// linesIn returns how many pages the lines of a folder leave. Each item must be there once, and those of a URL in order.
func linesIn(t *testing.T, folder string) int {
	t.Helper()
	seen, last, has := map[string]bool{}, map[string]int64{}, map[string]bool{}
	for line := range strings.Lines(string(read(t, filepath.Join(folder, "lines", "pages.jsonl")))) {
		var i sink.Item
		if err := json.Unmarshal([]byte(line), &i); err != nil {
			t.Fatal(err)
		}
		if seen[i.ID] || i.N < last[i.URL] {
			t.Errorf("%s %s %s comes again or late", i.ID, i.Kind, i.URL)
		}
		seen[i.ID], last[i.URL] = true, i.N
		if has[i.URL] = true; i.Kind == sink.Withdrawn {
			delete(has, i.URL)
		}
	}
	return len(has)
}
