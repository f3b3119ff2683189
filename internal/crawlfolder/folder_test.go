package crawlfolder

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"orbweaver/ledger"
)

// TestReplaceLasts: the new file is synced before the rename, and the folder after it. After a failure only the old file
// is left.
func TestReplaceLasts(t *testing.T) {
	broken := errors.New("broken")
	for _, tc := range []struct {
		fails string
		want  []string
		stays bool
	}{
		{"", []string{"sync", "rename", "folder"}, false},
		{"sync", []string{"sync"}, true},
		{"rename", []string{"sync", "rename"}, true},
		{"folder", []string{"sync", "rename", "folder"}, false},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, []byte("before"), 0o666); err != nil {
			t.Fatal(err)
		}
		var did []string
		do := func(what string, f func() error) error {
			if did = append(did, what); what == tc.fails {
				return broken
			}
			return f()
		}
		on := disk{
			func(f *os.File) error {
				if content, err := os.ReadFile(f.Name()); err != nil || string(content) != "after" {
					t.Errorf("synced is %q, %v", content, err)
				}
				return do("sync", f.Sync)
			},
			func(from, to string) error { return do("rename", func() error { return os.Rename(from, to) }) },
			func(path string) error {
				if path != dir {
					t.Errorf("the folder synced is %s", path)
				}
				return do("folder", func() error { return syncFolder(path) })
			},
		}
		err := replaceOn(on, path, func(f *os.File) error {
			_, err := f.WriteString("after")
			return err
		})
		if errors.Is(err, broken) != (tc.fails != "") || !slices.Equal(did, tc.want) {
			t.Errorf("%q fails: %v, %v", tc.fails, did, err)
		}
		content, _ := os.ReadFile(path)
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || (string(content) == "before") != tc.stays {
			t.Errorf("%q fails: %q among %v", tc.fails, content, entries)
		}
	}
}

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
