package linked

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

	"orbweaver/ledger"
)

// A journal is a pages.jsonl that grows, and how far it was read.
type journal struct {
	path string
	file *os.File // while it is read
	of   os.FileInfo
	at   int64  // offset of the next line
	n    int64  // number of the last line
	last []byte // end of what was read
}

// How pages.jsonl is read.
const (
	atOnce  = 1 << 20
	maxLine = 16 << 20
	endKept = 64 // bytes
)

// A lineAt is a line with its offset.
type lineAt struct {
	ledger.Line
	at int64
}

// open opens the file, if there is one, and reports whether it goes on behind what was read of it: pages that are removed, and a
// repair, write another one.
func (j *journal) open() (goes bool, err error) {
	file, err := os.Open(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("linked data: %w", err)
	}
	j.file = file
	info, err := file.Stat()
	if err != nil {
		return false, fmt.Errorf("linked data: %w", err)
	}
	goes = j.of != nil && os.SameFile(j.of, info) && info.Size() >= j.at
	if j.of = info; goes {
		end := make([]byte, len(j.last))
		_, err = file.ReadAt(end, j.at-int64(len(end)))
		goes = err == nil && bytes.Equal(end, j.last)
	}
	return goes, nil
}

func (j *journal) close() {
	if j.file != nil {
		j.file.Close()
		j.file = nil
	}
}

func (j *journal) rewind() { j.at, j.n, j.last = 0, 0, nil }

// lines ranges over the whole lines from the next on, up to a number.
func (j *journal) lines(upTo int64) iter.Seq2[lineAt, error] {
	return func(yield func(lineAt, error) bool) {
		for size := atOnce; ; {
			text := make([]byte, size)
			n, err := j.file.ReadAt(text, j.at)
			if err != nil && !errors.Is(err, io.EOF) {
				yield(lineAt{}, fmt.Errorf("linked data: %w", err))
				return
			}
			whole := text[:bytes.LastIndexByte(text[:n], '\n')+1]
			if len(whole) == 0 {
				if n < size || size >= maxLine {
					return
				}
				size *= 2
				continue
			}
			for line := range bytes.Lines(whole) {
				one := lineAt{at: j.at}
				if err := json.Unmarshal(line, &one.Line); err != nil {
					yield(one, fmt.Errorf("%s: at byte %d: %w", j.path, j.at, err))
					return
				}
				if one.N > upTo {
					return
				}
				j.at, j.n = j.at+int64(len(line)), one.N
				j.last = append(j.last[:0], line[max(0, len(line)-endKept):]...)
				if !yield(one, nil) {
					return
				}
			}
			size = atOnce
		}
	}
}

// urls ranges over the URLs of the lines at offsets.
func (j *journal) urls(ctx context.Context, offsets []int64) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if len(offsets) == 0 {
			return
		}
		file, err := os.Open(j.path)
		if err != nil {
			yield("", fmt.Errorf("linked data: %w", err))
			return
		}
		defer file.Close()
		for _, at := range offsets {
			url, err := urlAt(file, at)
			if err == nil {
				err = ctx.Err()
			}
			if !yield(url, err) || err != nil {
				return
			}
		}
	}
}

// urlAt reads the URL of the line at an offset: the second of its keys.
func urlAt(file io.ReaderAt, at int64) (url string, err error) {
	d := json.NewDecoder(io.NewSectionReader(file, at, maxLine))
	for range 4 { // {, "n", its number, "url"
		if _, err := d.Token(); err != nil {
			return "", fmt.Errorf("linked data: %w", err)
		}
	}
	err = d.Decode(&url)
	return url, err
}
