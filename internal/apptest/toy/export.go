package toy

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"orbweaver/internal/console"
	"orbweaver/internal/offline/export"
	"orbweaver/ledger"
)

// Exported runs an export and returns its standard output and standard error.
func Exported(dir string, opts export.Options) (stdout, stderr string, err error) {
	var out, log bytes.Buffer
	err = export.Write(context.Background(), &console.Console{Out: &out, Err: &log}, dir, opts)
	return out.String(), log.String(), err
}

// MustExport is like Exported, but fails the test on an error.
func MustExport(t *testing.T, dir string, opts export.Options) string {
	t.Helper()
	stdout, stderr, err := Exported(dir, opts)
	if err != nil || stderr != "" {
		t.Fatalf("%+v: %v\n%s", opts, err, stderr)
	}
	return stdout
}

// LinesOf reads a pages.jsonl.
func LinesOf(t *testing.T, dir string) (all []ledger.Line) {
	t.Helper()
	for line, err := range ledger.Committed(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
	return all
}
