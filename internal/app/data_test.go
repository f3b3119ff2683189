package app

import (
	"os"
	"path/filepath"
	"testing"
)

// fromRoot is a path of the project.
func fromRoot(t testing.TB, path string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, path)
}

// dataFolder is where real webs lie; the test is skipped where there are none.
func dataFolder(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("ORBWEAVER_DATA")
	if folder == "" {
		folder = fromRoot(t, "../shared/data")
	}
	if _, err := os.Stat(filepath.Join(folder, "wikispeedia.warc.gz")); err != nil {
		t.Skipf("no data to test on in %s (set ORBWEAVER_DATA): %v", folder, err)
	}
	return folder
}
