// Package crawlfolder manages crawl folders: which crawl a folder belongs to, its crawl.yaml, and atomic file
// replacement. Errors that the user can fix wrap orbweaver.ErrInput. Errors about the folder of another crawl wrap
// orbweaver.ErrForeign.
package crawlfolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/crawlfile"
)

// RunFile is the file in the crawl folder that holds the crawl file as run.
const RunFile = "crawl.yaml"

// Check checks that the output folder is empty or missing, belongs to this crawl, or belongs to a crawl that fetched
// no page.
func Check(c *crawlfile.Crawl) error {
	entries, err := os.ReadDir(c.Output)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && isBlank(entries):
		return nil
	case err != nil:
		return fmt.Errorf("output: %w (%w)", err, orbweaver.ErrInput)
	}
	path := filepath.Join(c.Output, RunFile)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("output: %s is not a crawl folder and not empty: choose another (%w)", c.Output, orbweaver.ErrForeign)
	}
	ran, err := c.Schema.LoadRun(path)
	if err != nil {
		return err
	}
	if differences := c.Differences(ran); len(differences) > 0 && !HasNothing(c.Output) {
		return fmt.Errorf("output: %s holds another crawl; these keys differ: %s. Name another output, or remove the folder; to go on with that crawl, write them as its %s has them (%w)",
			c.Output, strings.Join(differences, ", "), RunFile, orbweaver.ErrForeign)
	}
	return nil
}

// CheckResults checks that the output folder of a comparison is missing or holds only results of a comparison, which
// are overwritten.
func CheckResults(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("output: %w (%w)", err, orbweaver.ErrInput)
	}
	for _, e := range entries {
		if atomicfile.IsTemporary(e.Name()) {
			continue
		}
		switch strings.TrimSuffix(e.Name(), Partial) { // earlier versions left such
		case "runs", "comparison.csv", "comparison.json", "paired.csv", "paired.json", "report.html":
		default:
			return fmt.Errorf("output: %s holds %s, which is not a result of a comparison: choose another (%w)", folder, e.Name(), orbweaver.ErrForeign)
		}
	}
	return nil
}

// isBlank reports whether a folder is empty or holds only the partial crawl.yaml of crawls that were killed before they
// began, also of earlier versions.
func isBlank(entries []fs.DirEntry) bool {
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !atomicfile.IsTemporary(e.Name()) && e.Name() != RunFile+Partial
	})
}

// IsFresh reports whether a folder that passed Check holds no crawl yet.
func IsFresh(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, RunFile))
	return err != nil
}

// Make creates the crawl folder if it is missing, removes what killed processes left half written in it, and writes
// crawl.yaml, for its owner alone: commands and URLs of services may hold keys.
func Make(c *crawlfile.Crawl) error {
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	if err := atomicfile.Sweep(c.Output); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	text, err := c.Marshal()
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return atomicfile.WriteFile(filepath.Join(c.Output, RunFile), text, 0o600)
}

// Partial is the suffix of a folder being written. If a killed process left one, the next one makes it anew.
const Partial = ".part"

// CheckCrawl checks that a folder is a crawl folder.
func CheckCrawl(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such folder (%w)", dir, orbweaver.ErrInput)
	case err != nil:
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	case !info.IsDir():
		return fmt.Errorf("%s is a file: name the crawl's folder, which is `output` in its crawl file (%w)", dir, orbweaver.ErrInput)
	}
	if _, err := os.Stat(filepath.Join(dir, RunFile)); err != nil {
		return fmt.Errorf("%s is not a crawl folder: it has no %s (%w)", dir, RunFile, orbweaver.ErrInput)
	}
	return nil
}

// Archive returns the folder of a crawl's own WARC files.
func Archive(output string) string { return filepath.Join(output, "archive") }

// WriteNew creates a file. It fails if the file exists.
func WriteNew(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
