// Package realdata finds, for tests, the project's own files and the real webs, ontologies and suites
// that it is tested on. Those are not part of the project: a test that needs them is skipped where
// they are not.
package realdata

import (
	"os"
	"path/filepath"
	"testing"
)

// Root returns the folder of go.mod, above the test's working directory.
func Root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			tb.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}

// File returns the path of a file or folder of the data, "." being all of it: below $ORBWEAVER_DATA,
// or else ../shared/data beside the module. The test is skipped when it is not there.
func File(tb testing.TB, name string) string {
	tb.Helper()
	folder := os.Getenv("ORBWEAVER_DATA")
	if folder == "" {
		folder = filepath.Join(Root(tb), "..", "shared", "data")
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("no data to test on, set ORBWEAVER_DATA: %v", err)
	}
	return path
}
