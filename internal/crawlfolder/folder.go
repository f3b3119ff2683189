// Package crawlfolder is the folder of a crawl from outside: whose it is, the crawl file as run in it, and
// files that are written whole or not at all. Errors that are the user's to mend wrap
// orbweaver.ErrInput; a folder that is another's, orbweaver.ErrForeign.
package crawlfolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"orbweaver"
	"orbweaver/internal/crawlfile"
)

// RunFile is the crawl file as run, within the crawl folder.
const RunFile = "crawl.yaml"

// Check makes sure that the output folder is free, belongs to this very crawl, or to one that fetched nothing.
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
		return fmt.Errorf("output: %s is no crawl folder and not empty: choose another (%w)", c.Output, orbweaver.ErrForeign)
	}
	ran, err := c.Schema.LoadRun(path)
	if err != nil {
		return err
	}
	if differences := c.Differences(ran); len(differences) > 0 && !HasNothing(c.Output) {
		return fmt.Errorf("output: %s holds another crawl; different are: %s. Name another output, or remove the folder (%w)",
			c.Output, strings.Join(differences, ", "), orbweaver.ErrForeign)
	}
	return nil
}

// CheckResults makes sure that the output folder of a comparison is free, or holds results of one:
// those are written anew.
func CheckResults(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("output: %w (%w)", err, orbweaver.ErrInput)
	}
	for _, e := range entries {
		switch strings.TrimSuffix(e.Name(), Partial) {
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
	return len(entries) == 0 || len(entries) == 1 && entries[0].Name() == RunFile+Partial
}

// IsFresh reports whether a folder, already checked, holds no crawl yet.
func IsFresh(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, RunFile))
	return err != nil
}

// Make makes the crawl folder and writes the crawl file as run.
func Make(c *crawlfile.Crawl) error {
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	text, err := c.Marshal()
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return ReplaceFile(filepath.Join(c.Output, RunFile), text)
}

// ReplaceFile writes a file whole or not at all.
func ReplaceFile(path string, content []byte) error {
	return ReplaceWith(path, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// Partial ends the name of a file that is being written. One that a killed crawl left is written
// over by the next.
const Partial = ".part"

// ReplaceWith lets write fill a file that takes path's place when that went well. After a power cut
// there is the file before, or this one, whole.
func ReplaceWith(path string, write func(*os.File) error) error {
	return replaceOn(disk{(*os.File).Sync, os.Rename, syncFolder}, path, write)
}

// A disk is what makes a change last, in the order in which it does; a test puts another in its place.
type disk struct {
	sync   func(*os.File) error // brings a file's bytes to the disk
	rename func(from, to string) error
	folder func(path string) error // brings the names in a folder to the disk
}

func replaceOn(on disk, path string, write func(*os.File) error) error {
	f, err := os.Create(path + Partial)
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = on.sync(f)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = on.rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return on.folder(filepath.Dir(path))
}

// syncFolder makes the names in a folder last. Where folders cannot be synced, names are as lasting as
// the system makes them.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	if err = folder.Sync(); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}

// CheckCrawl makes sure that a folder is one of a crawl.
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
		return fmt.Errorf("%s is no crawl folder: it has no %s (%w)", dir, RunFile, orbweaver.ErrInput)
	}
	return nil
}

// Archive is where a crawl keeps its WARC files.
func Archive(output string) string { return filepath.Join(output, "archive") }

// WriteNew writes a file that is not there yet.
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
