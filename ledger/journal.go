package ledger

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
)

// errLost reports a pages.jsonl that is shorter than the committed length.
var errLost = errors.New("lines are missing")

// A journalFile is the file of a journal: an *os.File, or in tests one that fails.
type journalFile interface {
	io.WriteSeeker
	io.Closer
	Truncate(length int64) error
	Sync() error
}

// openFile opens the file of a journal, and creates it if need be.
func openFile(path string) (journalFile, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// A journal appends to pages.jsonl.
type journal struct {
	file   journalFile
	open   func(path string) (journalFile, error)
	path   string
	length int64          // bytes, including those of the group
	lines  bytes.Buffer   // of the group
	encode *json.Encoder  // into lines
	hash   *xxhash.Digest // of all lines; nil: not known
	moved  bool           // lines were written
}

// openJournal opens the file and truncates it to length.
func openJournal(open func(path string) (journalFile, error), path string, length int64) (*journal, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	end, err := file.Seek(0, io.SeekEnd)
	if err == nil && end < length {
		err = errLost
	}
	if err == nil && end > length {
		err = file.Truncate(length)
	}
	if err == nil {
		_, err = file.Seek(length, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	j := &journal{file: file, open: open, path: path, length: length}
	if length == 0 {
		j.hash = xxhash.New()
	}
	j.encode = json.NewEncoder(&j.lines)
	j.encode.SetEscapeHTML(false) // a search for a URL with & must find it
	return j, nil
}

// write adds a line to the group.
func (j *journal) write(l Line) error {
	before := j.lines.Len()
	err := j.encode.Encode(l)
	j.length += int64(j.lines.Len() - before)
	j.moved = true
	if j.hash != nil {
		_, _ = j.hash.Write(j.lines.Bytes()[before:]) // never fails
	}
	return err
}

// sum returns the hash of all lines, given that of the last group; 0 if it is not known.
func (j *journal) sum(last uint64) uint64 {
	switch {
	case j.hash != nil:
		return j.hash.Sum64()
	case j.moved:
		return 0
	}
	return last
}

// Proof reads pages.jsonl and writes it again from the outcomes if its bytes are not those that were written. It reports whether
// it did. A session calls it before its first commit: it costs the reading of the file. Folders of earlier versions keep no hash,
// and are taken as they are.
func (l *Ledger) Proof(dir string) (rewritten bool, err error) {
	path := filepath.Join(dir, JournalFile)
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	hash := xxhash.New()
	_, err = io.Copy(hash, io.LimitReader(file, l.state.Journal))
	if err = errors.Join(err, file.Close()); err != nil {
		return false, err
	}
	if l.state.JournalSum == 0 || hash.Sum64() == l.state.JournalSum {
		l.journal.hash = hash
		return false, nil
	}
	return true, l.rewrite()
}

// flush hands the group's lines to the operating system.
func (j *journal) flush() error {
	_, err := j.file.Write(j.lines.Bytes())
	j.lines.Reset()
	return err
}

func (j *journal) sync() error { return j.file.Sync() }

func (j *journal) close() error {
	if j == nil {
		return nil
	}
	return errors.Join(j.file.Sync(), j.file.Close())
}

// rebuild writes pages.jsonl again from the outcomes.
func (l *Ledger) rebuild(open func(path string) (journalFile, error), path string) (*journal, error) {
	j, err := openJournal(open, path, 0)
	if err != nil {
		return nil, err
	}
	for o, err := range l.Outcomes(0) {
		if err == nil {
			err = j.write(LineOf(o))
		}
		if err == nil {
			err = j.flush()
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), j.close())
		}
	}
	l.state.Journal, l.state.Rewrite = j.length, false
	l.group.begun = true // the length may be another, with lines of an earlier version
	return j, nil
}

// rewrite replaces pages.jsonl by one from the outcomes.
func (l *Ledger) rewrite() error {
	old := l.journal
	j, err := l.rebuild(old.open, old.path)
	if err != nil {
		return err
	}
	l.journal = j
	err = old.file.Close()
	return errors.Join(err, l.Sync()) // whatever became of the old one
}

// maxLine bounds a line of pages.jsonl when it is read, in bytes.
const maxLine = 16 << 20

// Lines ranges over the lines of a pages.jsonl, with verdicts as of when the pages were judged. Errors name file and
// line.
func Lines(path string) iter.Seq2[Line, error] { return linesOf(path, bufio.ScanLines) }

// Committed is Lines for a crawl that may be running, with verdicts by the current threshold: see Threshold. A last
// line without its end, still being written, is left out.
func Committed(path string) iter.Seq2[Line, error] {
	lines := linesOf(path, func(data []byte, atEOF bool) (int, []byte, error) {
		if atEOF && bytes.IndexByte(data, '\n') < 0 {
			return len(data), nil, nil
		}
		return bufio.ScanLines(data, atEOF)
	})
	return func(yield func(Line, error) bool) {
		threshold, err := thresholdNow(path)
		if err != nil {
			yield(Line{}, err)
			return
		}
		for line, err := range lines {
			if !yield(line.Under(threshold), err) {
				return
			}
		}
	}
}
