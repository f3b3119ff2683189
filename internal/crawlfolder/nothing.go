package crawlfolder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver/internal/crawlfile"
	"orbweaver/ledger"
)

// WorkersFolder is where the folders of the processes are that share a crawl, in its folder.
const WorkersFolder = "workers"

// HasNothing reports whether the crawl of a folder, running or not, has fetched no page, and no process that shares it has.
func HasNothing(folder string) bool {
	entries, _ := os.ReadDir(filepath.Join(folder, WorkersFolder)) // most crawls have none
	for _, e := range entries {
		if e.IsDir() && !hasNothing(filepath.Join(folder, WorkersFolder, e.Name())) {
			return false
		}
	}
	return hasNothing(folder)
}

func hasNothing(folder string) bool {
	for line, err := range ledger.Lines(filepath.Join(folder, ledger.JournalFile)) {
		if errors.Is(err, fs.ErrNotExist) {
			return true
		}
		if err != nil || line.Error == "" && line.Redirect == "" {
			return false
		}
	}
	return true
}

// Differs reports whether the output folder holds a crawl other than c.
func Differs(c *crawlfile.Crawl) bool {
	ran, err := c.Schema.LoadRun(filepath.Join(c.Output, RunFile))
	return err != nil || len(c.Differences(ran)) > 0
}

// Empty removes from a folder all files that a crawl without pages writes, except crawl.yaml. It keeps the user's own
// files.
func Empty(folder string) error {
	for _, name := range []string{
		ledger.JournalFile, "ledger", "archive", "report.html", "endpoints.json", "item.html", "model",
		"rounds.json", "nodes.jsonl", "graph.nq", "asked.json", "terms.jsonl", "datasets.jsonl", "rejected.jsonl", "times.jsonl",
		"changes.jsonl", "changes.atom", "webhook.json", "findings.ttl", "drift.jsonl", "spotlight", "answers", SteeringFile, GatheredFile, "gathered", WorkersFolder,
	} {
		if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}
