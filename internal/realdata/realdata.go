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

// File returns the path of a file or folder of the data: below $ORBWEAVER_DATA, or else ../shared/data beside the module.
// The test is skipped when it is not there, and says which data it lacks.
func File(tb testing.TB, name string) string {
	tb.Helper()
	return filepath.Join(Folder(tb, name), name)
}

// Folder returns the folder of the data. The test is skipped, as by File, unless all of the names are there.
func Folder(tb testing.TB, names ...string) string {
	tb.Helper()
	dir := folder(tb)
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			tb.Skipf("needs %s: %v; CONTRIBUTING.md says where it comes from (make data), ORBWEAVER_DATA where it is", name, err)
		}
	}
	return dir
}

func folder(tb testing.TB) string {
	tb.Helper()
	if dir := os.Getenv("ORBWEAVER_DATA"); dir != "" {
		return dir
	}
	return filepath.Join(Root(tb), "..", "shared", "data")
}
