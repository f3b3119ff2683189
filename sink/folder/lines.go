package folder

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver/internal/atomicfile"
	"orbweaver/sink"
)

// LinesFile is the file of JSON lines in a folder.
const LinesFile = "pages.jsonl"

// Lines is a folder with one file, to which a line is added for each page that is accepted or withdrawn. Of several lines about a URL the last one
// holds. A line that comes again right after a kill is left out.
type Lines struct {
	path  string
	file  *os.File
	known map[string]bool                      // IDs of the last lines
	write func(f *os.File, lines []byte) error // at its end, and durable
}

// tail is how many bytes at the end of the file are looked at for lines that come again: more than a delivery has.
const tail = 64 << 20

// NewLines returns the sink of a folder, which Check and Deliver make.
func NewLines(path string) *Lines {
	return &Lines{path: path, write: func(f *os.File, lines []byte) error {
		_, err := f.Write(lines)
		if err == nil {
			err = f.Sync()
		}
		return err
	}}
}

// Check implements [sink.Sink].
func (l *Lines) Check(context.Context) error { return check(l.path) }

// open opens the file, cuts off a line that a killed process left half, and notes which items the last lines have.
func (l *Lines) open() (err error) {
	if l.file != nil {
		return nil
	}
	if err := os.MkdirAll(l.path, 0o777); err != nil {
		return err
	}
	path := filepath.Join(l.path, LinesFile)
	_, missing := os.Stat(path)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	if err = l.read(file); err == nil && errors.Is(missing, fs.ErrNotExist) {
		err = atomicfile.SyncFolder(l.path)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.file = file
	return nil
}

// read notes the items of the last lines.
func (l *Lines) read(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	from := max(0, info.Size()-tail)
	in := bufio.NewReader(io.NewSectionReader(file, from, info.Size()-from))
	l.known = map[string]bool{}
	for at, first := from, from > 0; ; first = false {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(line) > 0 {
				return file.Truncate(at)
			}
			return nil
		}
		if err != nil {
			return err
		}
		at += int64(len(line))
		var item sink.Item
		if json.Unmarshal(line, &item) == nil && !first {
			l.known[item.ID] = true
		}
	}
}

// Deliver implements [sink.Sink].
func (l *Lines) Deliver(_ context.Context, items []sink.Item) error {
	if err := l.open(); err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, i := range items {
		if i.Kind != sink.Accepted && i.Kind != sink.Withdrawn || l.known[i.ID] {
			continue
		}
		if err := e.Encode(i); err != nil {
			return fmt.Errorf("%s: %w", i.URL, err)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	if err := l.write(l.file, b.Bytes()); err != nil { // a part of it may be there: it is looked at again
		return errors.Join(err, l.Close())
	}
	clear(l.known) // what comes again after this comes again in this process, whole
	for _, i := range items {
		l.known[i.ID] = true
	}
	return nil
}

// Close implements [sink.Sink].
func (l *Lines) Close() error {
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}
