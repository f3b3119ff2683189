package crawl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"orbweaver/ledger"
)

// How Follow reads pages.jsonl.
const (
	followEvery = 200 * time.Millisecond // between two looks at a file that had no more
	followLines = 1000                   // at once, at most
	followBytes = 1 << 20                // read at once; a line may be longer
	followLine  = 16 << 20               // longest line
)

// Follow ranges over the outcomes of the crawl after the n-th, in their order, and goes on with those to come until ctx is done: whether
// this process runs the crawl, another one, or none. Each element has at least one outcome and at most 1 000. Pages have the verdict
// of their judgement. If outcomes that were read are lost, as a power cut may, those that take their numbers follow. An n beyond the
// last outcome stands for that.
func (c *Crawl) Follow(ctx context.Context, n int64) iter.Seq2[[]Page, error] {
	return func(yield func([]Page, error) bool) {
		f := follower{path: filepath.Join(c.Folder(), ledger.JournalFile), after: n}
		defer f.close()
		tick := time.NewTicker(followEvery)
		defer tick.Stop()
		for ctx.Err() == nil {
			lines, err := f.read()
			if err != nil || len(lines) > 0 {
				if !yield(lines, err) || err != nil {
					return
				}
				continue
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}
}

// A follower reads a growing pages.jsonl.
type follower struct {
	path  string
	after int64 // number of the last outcome read
	file  *os.File
	at    int64 // offset of the next line
}

func (f *follower) close() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
}

// read returns the next outcomes; none if there are no more now.
func (f *follower) read() ([]Page, error) {
	if err := f.open(); f.file == nil {
		return nil, err
	}
	text, err := f.whole()
	if err != nil {
		return nil, err
	}
	var lines []Page
	for len(lines) < followLines {
		line, _, found := bytes.Cut(text, []byte("\n"))
		if !found {
			break
		}
		var p Page
		if err := json.Unmarshal(line, &p); err != nil {
			return nil, fmt.Errorf("%s: at byte %d: %w", f.path, f.at, err)
		}
		text = text[len(line)+1:]
		f.at, f.after = f.at+int64(len(line))+1, p.N
		lines = append(lines, p)
	}
	return lines, nil
}

// whole reads whole lines from the next on.
func (f *follower) whole() ([]byte, error) {
	for size := followBytes; ; size *= 2 {
		b := make([]byte, size)
		n, err := f.file.ReadAt(b, f.at)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("crawl: %w", err)
		}
		if end := bytes.LastIndexByte(b[:n], '\n'); end >= 0 {
			return b[:end+1], nil
		}
		if n < size || size >= followLine {
			return nil, nil
		}
	}
}

// open opens the file if it is there, and again if another one took its place or it became shorter.
func (f *follower) open() error {
	now, err := os.Stat(f.path)
	if f.file != nil {
		was, failed := f.file.Stat()
		if err == nil && failed == nil && os.SameFile(was, now) && now.Size() >= f.at {
			return nil
		}
		f.close()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		f.file, err = os.Open(f.path)
	}
	if err == nil {
		f.at, err = f.seek(now.Size())
	}
	if err != nil {
		f.close()
		return fmt.Errorf("crawl: %w", err)
	}
	return nil
}

// seek returns the offset of the first line whose number is above after, by bisection.
func (f *follower) seek(size int64) (int64, error) {
	low, high := int64(0), size // lines that begin before low are at or below after; those from high on are above, or end there
	for low < high {
		middle := (low + high) / 2
		at, n, err := f.next(middle)
		switch {
		case err != nil:
			return 0, err
		case n == 0 || at >= high: // no line begins between
			high = middle
		case n <= f.after:
			low = at + 1
		default:
			high = at
		}
	}
	at, _, err := f.next(low)
	return at, err
}

// next returns the offset of the first line that begins at or after an offset, and its number; the end of the last whole line and 0 if
// there is none.
func (f *follower) next(from int64) (at, n int64, err error) {
	for size, back := int64(1<<16), min(from, 1); ; size *= 2 {
		b := make([]byte, size)
		got, err := f.file.ReadAt(b, from-back)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, 0, err
		}
		b = b[:got]
		start := int64(0)
		if back > 0 {
			start = int64(bytes.IndexByte(b, '\n') + 1)
		}
		if end := bytes.IndexByte(b[start:], '\n'); end >= 0 && (back == 0 || start > 0) {
			var line struct{ N int64 }
			err := json.Unmarshal(b[start:start+int64(end)], &line)
			return from - back + start, line.N, err
		}
		if int64(got) < size || size > 2*followLine {
			return from - back + start, 0, nil
		}
	}
}
