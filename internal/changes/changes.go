// Package changes keeps what a watch finds to have changed on the Web: as lines of changes.jsonl in the crawl folder, as an Atom feed, and as
// messages to a webhook.
//
// The log is written before the batch that a change belongs to is committed, and its length with that batch: what is longer after a
// kill belongs to no batch, and is cut off. Feed and webhook follow the log.
package changes

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
	"slices"
	"time"

	"orbweaver"
)

// The files in a crawl folder.
const (
	LogFile  = "changes.jsonl"
	FeedFile = "changes.atom"
)

// A Kind is what became of a page.
type Kind string

// The kinds.
const (
	New     Kind = "new"     // accepted, and fetched for the first time
	Changed Kind = "changed" // other main text, or another verdict
	Gone    Kind = "gone"    // answers 404 or 410
	Back    Kind = "back"    // was gone, and is there again
	Moved   Kind = "moved"   // redirects now
)

// A Change is one line of the log.
type Change struct {
	ID     string    `json:"id"` // the same whenever the same change is told again
	Time   time.Time `json:"time"`
	URL    string    `json:"url"`
	Kind   Kind      `json:"kind"`
	Title  string    `json:"title,omitempty"`
	To     string    `json:"to,omitempty"` // of a page that moved: where it is
	Before *Verdict  `json:"before,omitempty"`
	After  *Verdict  `json:"after,omitempty"`
	Diff   string    `json:"diff,omitempty"` // of the main texts: see Diff
	Cut    bool      `json:"cut,omitempty"`  // the diff is longer
}

// A Verdict is what the focus said of a version of a page.
type Verdict struct {
	Accepted bool    `json:"accepted"`
	Score    float64 `json:"score"`
}

// A Log is changes.jsonl, open to be written. It is for one goroutine.
type Log struct {
	file   *os.File
	length int64
}

// Open opens the log of a crawl folder, and cuts off what lies beyond a length. It is created if need be; if it is shorter, it is
// taken as it is.
func Open(folder string, length int64) (*Log, error) {
	file, err := os.OpenFile(filepath.Join(folder, LogFile), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Size() > length {
		err = file.Truncate(length)
	}
	if err == nil {
		length, err = file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Log{file, length}, nil
}

// Begun reports whether a folder has a log: a watch of it has begun.
func Begun(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, LogFile))
	return err == nil
}

// Append writes a change, and returns the length of the log.
func (l *Log) Append(c Change) (int64, error) {
	line, err := json.Marshal(c)
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
	}
	if err != nil {
		return l.length, fmt.Errorf("%s: %w", LogFile, err)
	}
	l.length += int64(len(line)) + 1
	return l.length, nil
}

// Length is the length of the log in bytes.
func (l *Log) Length() int64 { return l.length }

// Sync makes the log safe from a power cut.
func (l *Log) Sync() error { return l.file.Sync() }

// Close closes the log.
func (l *Log) Close() error { return l.file.Close() }

// maxLine bounds a line of the log: a diff, a title and two URLs, escaped.
const maxLine = 256 << 10

// Read returns the changes of a folder between two positions in the log, at most so many, and the position after them. A line that is not
// whole is not read. Without a log there are none. The error wraps orbweaver.ErrDamaged for a line that is no change.
func Read(folder string, from, until int64, most int) (list []Change, to int64, err error) {
	file, err := os.Open(filepath.Join(folder, LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, from, nil
	}
	if err != nil {
		return nil, from, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() < from { // it was cut
		from = 0
		if err == nil {
			from = info.Size()
		}
	}
	if _, err = file.Seek(from, io.SeekStart); err != nil {
		return nil, from, err
	}
	in := bufio.NewReaderSize(file, maxLine)
	for to = from; len(list) < most; {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) || err == nil && to+int64(len(line)) > until {
			return list, to, nil
		}
		if err == nil && len(bytes.TrimSpace(line)) == 0 { // removed: see package takedown
			to += int64(len(line))
			continue
		}
		var c Change
		if err == nil {
			err = json.Unmarshal(line, &c)
		}
		if err != nil {
			return list, to, fmt.Errorf("%s: byte %d: %w: %w", filepath.Join(folder, LogFile), to, orbweaver.ErrDamaged, err)
		}
		list = append(list, c)
		to += int64(len(line))
	}
	return list, to, nil
}

// Latest returns the last changes of a folder, at most so many, the latest first. Only the end of the log is read.
func Latest(folder string, most int) ([]Change, error) {
	file, err := os.Open(filepath.Join(folder, LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	var tail []byte
	for at := info.Size(); at > 0 && bytes.Count(tail, []byte("\n")) <= most; {
		part := make([]byte, min(at, maxLine))
		at -= int64(len(part))
		if _, err := file.ReadAt(part, at); err != nil {
			return nil, err
		}
		tail = append(part, tail...)
		if at > 0 && len(tail) > maxLine*8 {
			break
		}
	}
	lines := bytes.SplitAfter(tail, []byte("\n"))
	var list []Change
	for _, line := range slices.Backward(lines) {
		var c Change
		if len(list) == most {
			break
		}
		if bytes.HasSuffix(line, []byte("\n")) && json.Unmarshal(line, &c) == nil { // the first may be a part of one
			list = append(list, c)
		}
	}
	return list, nil
}
