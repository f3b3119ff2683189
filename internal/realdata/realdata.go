// Package realdata locates, for tests, the project's own files, and the real webs, ontologies and test
// suites that tests use. The latter are not part of the project: a test that needs them is skipped if they
// are missing.
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

// File returns the path of a file or folder of the data: below $ORBWEAVER_DATA, or else ../shared/data
// beside the module. If it is missing, File skips the test and names it.
func File(tb testing.TB, name string) string {
	tb.Helper()
	return filepath.Join(Folder(tb, name), name)
}

// Folder returns the folder of the data. Like File, it skips the test unless all of the names exist.
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

// Cases returns the folder of small inputs that others got wrong: $ORBWEAVER_CASES, or else ../shared/cases
// beside the module. If it is missing, Cases skips the test.
func Cases(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("ORBWEAVER_CASES")
	if dir == "" {
		dir = filepath.Join(Root(tb), "..", "shared", "cases")
	}
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("needs the cases: %v; ORBWEAVER_CASES says where they are", err)
	}
	return dir
}
