package crawlfolder

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/internal/crawlfile"
	"orbweaver/ledger"
)

// TestNothingOfWorkers: a crawl whose processes have fetched pages that are not gathered yet has something.
func TestNothingOfWorkers(t *testing.T) {
	folder := t.TempDir()
	worker := filepath.Join(folder, WorkersFolder, "one")
	if err := errors.Join(os.MkdirAll(worker, 0o777), os.WriteFile(worker+".log", []byte("said"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if !HasNothing(folder) {
		t.Error("it has something")
	}
	if err := os.WriteFile(filepath.Join(worker, ledger.JournalFile), []byte(`{"n":1,"url":"http://a/","status":200}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if HasNothing(folder) {
		t.Error("it has nothing")
	}
}

// TestBlank: a folder with nothing but what a killed process left half written is as good as empty.
func TestBlank(t *testing.T) {
	for name, blank := range map[string]bool{".orbweaver-A.part": true, RunFile + Partial: true, "notes.txt": false} {
		c := &crawlfile.Crawl{Output: t.TempDir()}
		if err := os.WriteFile(filepath.Join(c.Output, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := Check(c); (err == nil) != blank {
			t.Errorf("%s: %v", name, err)
		}
	}
}
