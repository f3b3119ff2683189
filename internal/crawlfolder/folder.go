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
	"strings"
	"syscall"

	"orbweaver"
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
		switch strings.TrimSuffix(e.Name(), Partial) {
		case "runs", "comparison.csv", "comparison.json", "paired.csv", "paired.json", "report.html":
		default:
			return fmt.Errorf("output: %s holds %s, which is not a result of a comparison: choose another (%w)", folder, e.Name(), orbweaver.ErrForeign)
		}
	}
	return nil
}

// isBlank reports whether a folder is empty or holds only the partial crawl.yaml of a crawl that was killed before it
// began.
func isBlank(entries []fs.DirEntry) bool {
	return len(entries) == 0 || len(entries) == 1 && entries[0].Name() == RunFile+Partial
}

// IsFresh reports whether a folder that passed Check holds no crawl yet.
func IsFresh(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, RunFile))
	return err != nil
}

// Make creates the crawl folder if it is missing and writes crawl.yaml, for its owner alone: commands and URLs of services
// may hold keys.
func Make(c *crawlfile.Crawl) error {
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	text, err := c.Marshal()
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return ReplaceWith(filepath.Join(c.Output, RunFile), func(f *os.File) error {
		_, err := f.Write(text)
		return errors.Join(f.Chmod(0o600), err)
	})
}

// ReplaceFile replaces a file atomically.
func ReplaceFile(path string, content []byte) error {
	return ReplaceWith(path, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// Partial is the suffix of a file being written. If a killed crawl left one, the next crawl overwrites it.
const Partial = ".part"

// ReplaceWith replaces the file at path atomically by what write writes. After an error or a power failure, path is
// either the old file or the complete new one.
func ReplaceWith(path string, write func(*os.File) error) error {
	return replaceOn(disk{(*os.File).Sync, os.Rename, syncFolder}, path, write)
}

// A disk has the operations that make a replacement durable, in the order of their use. Tests replace it.
type disk struct {
	sync   func(*os.File) error // fsync of the file
	rename func(from, to string) error
	folder func(path string) error // fsync of the folder
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

// syncFolder fsyncs a folder. It does nothing on file systems that cannot sync folders.
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
