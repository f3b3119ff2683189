package takedown

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/changes"
	"orbweaver/weburl"
)

// File is the record of removals in a crawl folder: a line of JSON each, oldest first.
const File = "takedowns.jsonl"

// maxLine bounds a line of a file, in bytes.
const maxLine = 16 << 20

// Read returns the removals of a crawl folder, oldest first. Errors name file and line.
func Read(dir string) (all []Removal, err error) {
	path := filepath.Join(dir, File)
	err = lines(path, func(n int, line []byte) error {
		var r Removal
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%s:%d: %w (%w)", path, n, err, orbweaver.ErrDamaged)
		}
		all = append(all, r)
		return nil
	})
	return all, err
}

// lines calls do with the lines of a file, from 1; a file that is not there has none.
func lines(path string, do func(n int, line []byte) error) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		if err := do(n, in.Bytes()); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// write replaces the record of removals.
func write(dir string, all []Removal) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, r := range all {
		if err := encoder.Encode(r); err != nil {
			return err
		}
	}
	return atomicfile.WriteFile(filepath.Join(dir, File), b.Bytes(), 0o666)
}

// listed are the files of lines that tell of pages: logs, decisions, and suggestions from other knowledge.
func listed() []string { return []string{"log*.jsonl", "decisions.jsonl", "borrowed.jsonl"} }

// reportFile quotes pages, and is made again from the ledger.
const reportFile = "report.html"

// files leaves out, of files of lines, those that name a URL that is removed, and removes the report.
func (c *compiled) files(dir string) error {
	if err := os.Remove(filepath.Join(dir, reportFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, pattern := range listed() {
		names, err := filepath.Glob(filepath.Join(escape(dir), pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := c.file(name); err != nil {
				return err
			}
		}
	}
	return c.changes(dir)
}

// changes blanks the lines of the log of changes that name a URL that is removed: what lies behind them keeps its place, by which it is
// known what was told. The feed is made again.
func (c *compiled) changes(dir string) error {
	if !changes.Begun(dir) {
		return nil
	}
	if err := c.rewrite(filepath.Join(dir, changes.LogFile), func(line []byte) []byte { return append(bytes.Repeat([]byte(" "), len(line)), '\n') }); err != nil {
		return err
	}
	return changes.WriteFeed(dir, filepath.Base(dir))
}

// escape makes a path match itself alone.
func escape(path string) string { return special.ReplaceAllString(path, `\$0`) }

var special = regexp.MustCompile(`[*?\[\\]`)

// file leaves out lines of one file.
func (c *compiled) file(path string) error {
	return c.rewrite(path, func([]byte) []byte { return nil })
}

// rewrite puts something else, with its end of line, in the place of each line of a file that names a URL that is removed.
func (c *compiled) rewrite(path string, instead func(line []byte) []byte) error {
	found := false
	err := lines(path, func(_ int, line []byte) error {
		found = found || c.names(line)
		return nil
	})
	if err != nil || !found {
		return err
	}
	return atomicfile.Write(path, 0o666, func(out io.Writer) error {
		return lines(path, func(_ int, line []byte) error {
			if c.names(line) {
				_, err := out.Write(instead(line))
				return err
			}
			_, err := fmt.Fprintf(out, "%s\n", line)
			return err
		})
	})
}

// address is a URL within a text.
var address = regexp.MustCompile(`https?://[^\s"<>]+`)

// names reports whether a line of JSON names a URL that is removed.
func (c *compiled) names(line []byte) bool {
	for in := json.NewDecoder(bytes.NewReader(line)); ; {
		token, err := in.Token()
		if err != nil {
			return false
		}
		text, _ := token.(string)
		for _, found := range address.FindAllString(text, -1) {
			if url, err := weburl.Canonical(found); err == nil && c.url(url) {
				return true
			}
		}
	}
}
