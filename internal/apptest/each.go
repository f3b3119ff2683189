package apptest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/compare"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// CompareFile runs a comparison file and returns its output folder, its results and its progress.
func CompareFile(t *testing.T, dir, text string) (folder, results, progress string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.yaml")
	folder = filepath.Join(filepath.Dir(path), "out")
	text = strings.Replace(text, "small.warc", filepath.Join(dir, "small.warc"), 1) + "output: out\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	err = compare.Compare(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &log}}, path)
	return folder, out.String(), log.String(), err
}
