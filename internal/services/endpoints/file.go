package endpoints

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"orbweaver/internal/atomicfile"

	"orbweaver"
)

const (
	format  = 1
	maxFile = 256 << 20 // bytes
)

// saved is the JSON form of a Book.
type saved struct {
	Format    int      `json:"format"`
	Endpoints []Health `json:"endpoints"`
}

// Load reads a book from a file; it returns an empty book if there is no file. The error for a malformed
// file names it and wraps ErrInput.
func Load(path string) (*Book, error) {
	b := New()
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, fmt.Errorf("endpoints: %w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	if err := b.read(io.LimitReader(file, maxFile)); err != nil {
		return nil, fmt.Errorf("%s: not a file of endpoint records: %w (%w)", path, err, orbweaver.ErrInput)
	}
	return b, nil
}

// read fills an empty book.
func (b *Book) read(r io.Reader) error {
	var all saved
	if err := json.NewDecoder(r).Decode(&all); err != nil {
		return err
	}
	if all.Format != format {
		return fmt.Errorf("format %d, but this version reads %d", all.Format, format)
	}
	for _, h := range all.Endpoints {
		if !strings.HasPrefix(h.Endpoint, "http") {
			return fmt.Errorf("%q is not the URL of an endpoint", h.Endpoint)
		}
		b.note(h.Endpoint, func(known *Health) {
			known.add(h)
		})
	}
	return nil
}

// add adds the figures in a file to a record.
func (h *Health) add(read Health) {
	url, failures := h.Endpoint, h.Failures
	for why, n := range read.Failures {
		failures[why] += max(n, 0)
	}
	*h = read
	h.Endpoint, h.Failures = url, failures
	h.Requests, h.Answers, h.Timed = max(h.Requests, 0), max(h.Answers, 0), max(h.Timed, 0)
}

// Save writes the book to a file atomically.
func (b *Book) Save(path string) error {
	text, err := json.MarshalIndent(saved{format, b.All()}, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := atomicfile.WriteFile(path, append(text, '\n'), 0o666); err != nil {
		return fmt.Errorf("endpoints: %w", err)
	}
	return nil
}
