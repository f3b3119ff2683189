package apptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/starting"
	"orbweaver/ledger"
)

// CrawlLive crawls a web in memory in virtual time, and returns its pages.jsonl and the printed text.
func CrawlLive(t *testing.T, w *fetchtest.Web, dir, keys string, seeds ...string) (lines []ledger.Line, printed string) {
	t.Helper()
	n := fetchtest.NewNetwork()
	defer n.Close()
	w.Serve(n)
	file := filepath.Join(dir, "live.yaml")
	text := fmt.Sprintf(toy.LiveFile, strings.Join(seeds, ", "), keys)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
	if err := verbs.Crawl(context.Background(), a, file); err != nil && !errors.Is(err, starting.ErrHostsDown) {
		t.Fatalf("%v\n%s", err, &out)
	}
	for line, err := range ledger.Lines(filepath.Join(dir, "crawls", "live", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines, out.String()
}
