package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/internal/app/crawlfile"
)

// runFile is the crawl file as run, within the crawl folder.
const runFile = "crawl.yaml"

// checkFolder makes sure that the output folder is free, or belongs to this very crawl.
func checkFolder(c *crawlfile.Crawl) error {
	entries, err := os.ReadDir(c.Output)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && isBlank(entries):
		return nil
	case err != nil:
		return fmt.Errorf("output: %w (%w)", err, orbweaver.ErrInput)
	}
	path := filepath.Join(c.Output, runFile)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("output: %s is no crawl folder and not empty: choose another (%w)", c.Output, orbweaver.ErrForeign)
	}
	ran, err := crawlfile.LoadRun(path)
	if err != nil {
		return err
	}
	if differences := c.Differences(ran); len(differences) > 0 {
		return fmt.Errorf("output: %s holds another crawl; different are: %s. Name another output, or remove the folder (%w)",
			c.Output, strings.Join(differences, ", "), orbweaver.ErrForeign)
	}
	return nil
}

// checkResults makes sure that the output folder of a comparison is free, or holds results of one:
// those are written anew.
func checkResults(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("output: %w (%w)", err, orbweaver.ErrInput)
	}
	for _, e := range entries {
		switch strings.TrimSuffix(e.Name(), partial) {
		case "runs", "comparison.csv", "comparison.json", "report.html":
		default:
			return fmt.Errorf("output: %s holds %s, which is no result of a comparison: choose another (%w)", folder, e.Name(), orbweaver.ErrForeign)
		}
	}
	return nil
}

// isBlank reports whether a folder has nothing in it but what a crawl leaves there that was killed
// before it began.
func isBlank(entries []fs.DirEntry) bool {
	return len(entries) == 0 || len(entries) == 1 && entries[0].Name() == runFile+partial
}

// isFresh reports whether a folder, already checked, holds no crawl yet.
func isFresh(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, runFile))
	return err != nil
}

// makeFolder makes the crawl folder and writes the crawl file as run.
func makeFolder(c *crawlfile.Crawl) error {
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	text, err := c.Marshal()
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return replaceFile(filepath.Join(c.Output, runFile), text)
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, content []byte) error {
	return replaceWith(path, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// partial ends the name of a file that is being written. One that a killed crawl left is written
// over by the next.
const partial = ".part"

// replaceWith lets write fill a file that takes path's place when that went well.
func replaceWith(path string, write func(*os.File) error) error {
	f, err := os.Create(path + partial)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
