package record_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	"orbweaver/internal/cluster/record"
	"orbweaver/internal/cluster/storage"
)

// TestRemove: what a storage has of a crawl is removed, and nothing of another whose name begins with its name.
func TestRemove(t *testing.T) {
	folder := t.TempDir()
	store, err := storage.Open(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, name := range []string{"one/log/one-a/000000000000", "one/archive/one-a/index.cdxj.part/000000000000000", "one-more/log/one-more-a/000000000000"} {
		if err := store.Put(t.Context(), name, []byte("entries")); err != nil {
			t.Fatal(err)
		}
	}
	if err := record.Remove(t.Context(), folder, "one"); err != nil {
		t.Error(err)
	}
	var left []string
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			left = append(left, path)
		}
		return err
	})
	if err != nil || len(left) != 1 || filepath.Base(filepath.Dir(left[0])) != "one-more-a" {
		t.Errorf("there is %v, %v", left, err)
	}
}
