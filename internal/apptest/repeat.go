package apptest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/starting"
	"orbweaver/ledger"
)

// CrawlIn runs a crawl file in a folder and returns the printed text and the pages.jsonl.
func CrawlIn(t testing.TB, folder, file string) (told string, journal []byte) {
	t.Helper()
	path := filepath.Join(folder, "f.yaml")
	if err := os.WriteFile(path, []byte(file+"output: crawl\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}, path); err != nil && !errors.Is(err, starting.ErrNothing) {
		t.Fatal(err)
	}
	journal, err := os.ReadFile(filepath.Join(folder, "crawl", ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), journal
}
